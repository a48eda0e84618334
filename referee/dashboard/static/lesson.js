// What did the card do, and what may follow? For those who learn the game.

import { card, cardName } from "./cards.js";
import { keyed, make } from "./dom.js";

const $ = (id) => document.getElementById(id);

/** Whether this device teaches: as was chosen on it, or else at the table. */
export function teaches(view) {
  const chosen = localStorage.getItem("training");
  return chosen ? chosen === "yes" : Boolean(view.training);
}

/** Show what the top card did, and the cards that may follow it. */
export function showLesson(view) {
  const { lesson } = view;
  $("training").checked = teaches(view);
  $("lesson").hidden = !teaches(view) || !lesson || (lesson.did.length === 0 && lesson.cards.length === 0);
  if (!lesson) return;
  keyed($("did"), lesson.did, (item) => item.text, (item) => make(
    "li",
    {},
    item.text,
    " ",
    make("a.rule", { href: `/rules#${item.rule}` }, item.rule),
  ));
  keyed($("follow"), lesson.cards, String, (face) => make("li", {}, card(face), make("span.hush", {}, cardName(face))));
  $("may-follow").hidden = lesson.cards.length === 0;
}
