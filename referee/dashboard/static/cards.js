// What does a card look like on the page?

import { drawing, make } from "./dom.js";
import { say } from "./words.js";

const FRENCH = /^([A23456789TJQK])([cdhs])$/;

/** Whether `face` has its own drawing: a French-suited card or a joker. */
export function rankAndSuit(face) {
  const found = FRENCH.exec(face ?? "");
  return found && { rank: found[1] === "T" ? say("rank-T") : found[1], suit: found[2] };
}

/** The card `face` in table notation; null draws the empty place, `?` a card that could not be read. */
export function card(face) {
  if (face === null) return make("div.card.none");
  const known = rankAndSuit(face);
  if (known) {
    const { rank, suit } = known;
    const corner = (classes) => make(`div.corner${classes}`, {}, make("b", {}, rank), drawing(`suit-${suit}`));
    return make(
      `div.card.${suit}${rank.length > 1 ? ".ten" : ""}`,
      {},
      corner(""),
      make("div.pip", {}, drawing(`suit-${suit}`)),
      corner(".below"),
    );
  }
  if (face === "Jk") return make("div.card.joker", {}, make("div.pip", {}, drawing("star")), make("b", {}, say("joker")));
  return make("div.card.named", {}, make("b", {}, face));
}

/** A suit or colour as a small drawing. */
export function suitMark(suit) {
  return "cdhs".includes(suit) ? drawing(`suit-${suit}`, `suit ${suit}`) : make(`span.colour.${suit}`);
}
