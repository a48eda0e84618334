// What is laid over a film of the table? The turn, the top card, and the newest rulings.

import { card } from "./cards.js";
import { Connection } from "./connection.js";
import { fill, keyed, make } from "./dom.js";
import { nameOf } from "./turn.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);
const SHOWN = 2; // rulings

new Connection({
  greeted() {},
  linked(state) { document.body.dataset.link = state; },
  heard(view) {
    const { turn, winner } = view;
    const hidden = turn === null && !winner;
    fill($("eyebrow"), say(winner ? "winner" : hidden ? "hidden-eyebrow" : "to-play"));
    const seat = winner ?? turn?.seat ?? null;
    fill($("who"), hidden ? say("hidden") : seat === null ? say("anyone") : nameOf(view, seat));
    fill($("owed"), !winner && turn?.owed ? say("owed", { count: turn.owed }) : "");
    $("top").replaceChildren(card(view.top));
    $("top").setAttribute("aria-label", view.top === null ? say("no-card") : say("top-card", { card: view.topName }));
    const rulings = view.rulings.filter(({ kind }) => kind !== "settled"); // that shows on the ruling that it settles
    keyed($("calls"), rulings.slice(-SHOWN).reverse(), (ruling) => ruling.number, (ruling) => make(
      `li${ruling.became === "overturned" ? ".struck" : ""}`,
      {},
      ruling.text,
    ));
  },
}).open();
