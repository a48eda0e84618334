// What does the eye see, and how does the host tell it where the piles and the seats are?

import { make } from "./dom.js";
import { post } from "./enter.js";
import { showNewest } from "./newest.js";
import { paint } from "./overpaint.js";
import { at, direction, grasped, isZone, kept, placed, put, stepped, stretched } from "./places.js";
import { say } from "./words.js";

const PICTURE_EVERY = 250; // milliseconds
const LOOK_EVERY = 1000;
const PATIENCE = 4000;
const REACH = 24; // pixels of the screen within which a thumb means a handle
const $ = (id) => document.getElementById(id);
const buttons = [...document.querySelectorAll("[data-place]")];
const over = $("over");

let seen = null; // what the table told last
let draft = null; // the layout as the host has changed it; null while nothing is changed
let chosen = null; // the place that taps and keys mean
let drag = null;

/** The layout that is shown. */
const layout = () => draft ?? { ...seen.layout, size: seen.size };

async function look() {
  const answer = await fetch("/calibration.json", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  const told = await answer.json();
  if (told.camera && !told.error) {
    seen = told;
    $("set").hidden = !told.mine;
    over.classList.toggle("mine", told.mine);
    showChecks();
    show();
  }
  return told;
}

function showChecks() {
  $("checks").replaceChildren(...seen.checks.map(({ ok, text, name }) => make(`li${ok ? "" : ".bad"}`, { "data-check": name }, text)));
}

/** Show everything that depends on the layout. */
function show() {
  paint(over, seen.cards, layout(), chosen, new Map(buttons.map((button) => [button.dataset.place, button.firstElementChild.textContent])));
  for (const button of buttons) {
    const { place } = button.dataset;
    button.setAttribute("aria-pressed", String(place === chosen));
    button.lastElementChild.textContent = whereabouts(place, at(layout(), place));
  }
  $("undo").disabled = $("save").disabled = draft === null;
  $("forget").disabled = chosen === null || at(layout(), chosen) == null;
}

function whereabouts(place, where) {
  if (where == null) return say("place-unknown");
  if (!isZone(place)) return say(`place-way-${Math.round(where / 45) % 8}`, { degrees: Math.round(where) });
  const [x, y, width, height] = where;
  return say("place-zone", { x, y, width, height });
}

function change(place, value) {
  draft = put(layout(), place, value);
  $("done").textContent = "";
  show();
}

function choose(place) {
  chosen = place;
  show();
}

/** Where in the picture an event happened. */
function pointOf(event) {
  const box = over.getBoundingClientRect();
  return [(event.clientX - box.left) * (seen.size[0] / box.width), (event.clientY - box.top) * (seen.size[1] / box.height)];
}

over.addEventListener("pointerdown", (event) => {
  if (!seen?.mine || event.button !== 0) return;
  event.preventDefault();
  const point = pointOf(event);
  const found = grasped(layout(), point, REACH * (seen.size[0] / over.clientWidth), chosen);
  if (!found && chosen === null) return;
  over.setPointerCapture(event.pointerId);
  if (!found) change(chosen, placed(layout(), chosen, point, seen.size));
  drag = { place: found?.place ?? chosen, corner: found?.corner ?? -1, from: point };
  drag.began = at(layout(), drag.place);
  choose(drag.place);
});

over.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const { place, corner, from, began } = drag;
  const point = pointOf(event);
  if (!isZone(place)) change(place, direction(point, seen.size));
  else if (corner >= 0) change(place, stretched(began, corner, point, seen.size));
  else change(place, kept([began[0] + point[0] - from[0], began[1] + point[1] - from[1], began[2], began[3]], seen.size));
});

for (const kind of ["pointerup", "pointercancel"]) over.addEventListener(kind, () => { drag = null; });

for (const button of buttons) {
  const { place } = button.dataset;
  button.addEventListener("click", () => seen && choose(place));
  button.addEventListener("keydown", (event) => {
    if (!seen || event.ctrlKey || event.metaKey || event.altKey) return;
    if (["Delete", "Backspace"].includes(event.key)) change(place, null);
    else if (event.key.startsWith("Arrow")) change(place, stepped(layout(), place, event.key, event.shiftKey));
    else return;
    event.preventDefault();
    choose(place);
  });
}

$("find").addEventListener("click", async () => {
  const told = await look().catch(() => null);
  const found = told?.found ?? {};
  for (const zone of ["discard", "pick_up"]) if (found[zone]) change(zone, found[zone]);
  $("done").textContent = say(found.discard && found.pick_up ? "found-both" : found.discard || found.pick_up ? "found-one" : "found-none");
});
$("forget").addEventListener("click", () => change(chosen, null));
$("undo").addEventListener("click", () => {
  draft = null;
  $("done").textContent = "";
  show();
});
$("save").addEventListener("click", async () => {
  const { discard, pick_up, seats, size } = layout();
  complain(await post("/calibration.json", { discard, pick_up, seats, size }));
  if (!$("fault").hidden) return;
  await look().catch(() => null);
  draft = null;
  show();
  $("done").textContent = say("places-saved");
});
addEventListener("resize", () => seen && show());

function complain(why) {
  if ($("fault").textContent !== why) $("fault").textContent = why;
  $("fault").hidden = !why;
}

/** Repeat `task` for as long as the page is looked at. */
async function repeat(task, every) {
  for (;;) {
    if (!document.hidden) await task();
    await new Promise((done) => setTimeout(done, every));
  }
}

let number = 0;
let reachable = "";
repeat(async () => {
  let why = "";
  try {
    const shown = await showNewest($("eye"), number, seen === null);
    number = shown.number;
    why = !shown.allowed ? say("picture-host") : number ? "" : say("no-picture");
  } catch {
    why = say("not-sent");
  }
  if (why !== reachable) complain(why);
  reachable = why;
}, PICTURE_EVERY);
repeat(() => look().catch(() => null), LOOK_EVERY);
