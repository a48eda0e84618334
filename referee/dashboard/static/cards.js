// What does a card look like on the page?

import { drawing, make } from "./dom.js";
import { say, sayIf } from "./words.js";

const FRENCH = /^([A23456789TJQK])([cdhs])$/;
const UNO = /^(?:([rygb])(\d|S|R|\+2)|(W)(\+4)?)$/;

/** Rank and suit of a French-suited card. */
export function rankAndSuit(face) {
  const found = FRENCH.exec(face ?? "");
  return found && { rank: found[1] === "T" ? say("rank-T") : found[1], suit: found[2] };
}

/** Colour and symbol of a UNO card, `r+2`; a wild card has no colour. */
export function colourAndSymbol(face) {
  const found = UNO.exec(face ?? "");
  return found && { colour: found[1] ?? "", symbol: found[2] ?? found[4] ?? found[3] };
}

/** What a screen reader calls the card `face`. */
export function cardName(face) {
  const french = rankAndSuit(face);
  if (french) return say("card-of", { rank: french.rank, suit: say(`suit-${french.suit}`) });
  const uno = colourAndSymbol(face);
  if (!uno) return face === "Jk" ? say("joker") : face;
  const symbol = sayIf(`uno-${uno.symbol}`, uno.symbol);
  return uno.colour ? say("uno-card", { colour: say(`suit-${uno.colour}`), symbol }) : symbol;
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
  const uno = colourAndSymbol(face);
  if (uno) {
    const { colour, symbol } = uno;
    const pip = colour ? suitMark(colour) : make("div.colours", {}, ...[..."rygb"].map(suitMark));
    return make(`div.card.uno.${colour || "wild"}`, {}, make("div.corner", {}, sign(symbol)), make("div.pip", {}, pip));
  }
  if (face === "Jk") return make("div.card.joker", {}, make("div.pip", {}, drawing("star")), make("b", {}, say("joker")));
  return make("div.card.named", {}, make("b", {}, face));
}

/** What stands on the button of a rank or symbol. */
export function rankMark(rank) {
  return rank.length === 1 && "SR".includes(rank) ? sign(rank) : make("b", {}, rank === "T" ? say("rank-T") : rank);
}

/** What stands on the button of a card that has no suit. */
export function faceMark(face) {
  return face === "Jk" ? drawing("star") : make("b", {}, face);
}

/** The card of a rank or symbol and a suit or colour, in table notation. */
export function faceOf({ rank, suit }) {
  return "cdhs".includes(suit) ? rank + suit : suit + rank;
}

/** Rank and suit, or symbol and colour, of `face` in table notation; null for one that has none. */
export function partsOf(face) {
  const french = rankAndSuit(face);
  if (french) return { rank: face[0], suit: french.suit };
  const uno = colourAndSymbol(face);
  return uno?.colour ? { rank: uno.symbol, suit: uno.colour } : null;
}

/** A suit or colour as a small drawing: a colour has a shape and a letter of its own as well. */
export function suitMark(suit) {
  if ("cdhs".includes(suit)) return drawing(`suit-${suit}`, `suit ${suit}`);
  return make(`span.colour.${suit}`, { "aria-hidden": "true" }, drawing(`colour-${suit}`), make("i", {}, say(`suit-${suit}`)[0]));
}

/** What stands on a UNO card beside its colour: a number, or a sign. */
export function sign(symbol) {
  return symbol === "S" || symbol === "R" ? drawing(`sign-${symbol}`, "sign") : make("b", {}, symbol);
}
