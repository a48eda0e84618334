// Whose turn is it, what is owed, what lies on top: how is the first thing that people look for shown?

import { card, suitMark } from "./cards.js";
import { drawing, fill, keyed, make } from "./dom.js";
import { say, sayIf } from "./words.js";

const $ = (id) => document.getElementById(id);

/** The name of `seat` in `view`. */
export function nameOf(view, seat) {
  if (seat === "?") return say("somebody");
  return view.seats.find((other) => other.seat === seat)?.name ?? seat;
}

/** Show everything about the turn. */
export function showTurn(view) {
  const { turn, winner } = view;
  const unsure = !winner && turn !== null && !turn.sure;
  let eyebrow = say(unsure ? "to-play-unsure" : "to-play");
  let who;
  if (winner) [eyebrow, who] = [say("winner"), nameOf(view, winner)];
  else if (turn === null) [eyebrow, who] = [say("hidden-eyebrow"), say("hidden")];
  else if (turn.seat === null) who = say("anyone");
  else {
    who = nameOf(view, turn.seat);
    if (turn.hand) eyebrow += ` · ${say(`hand-${turn.hand}`)}`;
  }
  const section = $("turn");
  const mine = !winner && turn !== null && turn.seat !== null && turn.seat === document.body.dataset.seat;
  if (mine && !unsure) eyebrow = say("your-turn") + (turn.hand ? ` · ${say(`hand-${turn.hand}`)}` : "");
  section.classList.toggle("mine", mine);
  section.classList.toggle("won", Boolean(winner));
  section.classList.toggle("unsure", unsure);
  section.classList.toggle("paused", view.timeOut);
  fill($("eyebrow"), eyebrow);
  if ($("who").textContent !== who) {
    $("who").replaceChildren(make("bdi.arrive", {}, who)); // what is new on the page starts its motion by itself
    $("who").style.setProperty("--letters", Math.max(who.length, 2));
  }
  fill($("owed"), !winner && turn?.owed ? say("owed", { count: turn.owed }) : "");
  showChips(view);
}

/** Show the card on top. */
export function showTop(view) {
  const place = $("top");
  const face = view.top;
  place.replaceChildren(card(face));
  place.dataset.modes = view.modes.join(" ");
  place.setAttribute("aria-label", face === null ? say("no-card") : say("top-card", { card: view.topName }));
  place.classList.add("land"); // from the second card on: the first one was there before the page
}

function showChips(view) {
  const { turn } = view;
  const chips = [];
  if (view.timeOut) chips.push({ text: say("time-out"), loud: true });
  if (turn?.suit) chips.push({ text: say("suit", { suit: say(`suit-${turn.suit}`) }), suit: turn.suit, loud: true });
  if (turn) {
    const way = turn.direction < 0 ? "right" : "left";
    chips.push({ text: say(way), icon: `icon-${way}`, title: say(`${way}-long`), loud: turn.direction < 0 });
  }
  for (const mode of view.modes) chips.push({ text: sayIf(`mode-${mode}`, mode) });
  keyed($("chips"), chips, ({ text }) => text, ({ text, suit, icon, title, loud }) => make(
    `li.chip${loud ? ".loud" : ""}`,
    { title },
    suit ? suitMark(suit) : icon ? drawing(icon) : null,
    text,
  ));
}
