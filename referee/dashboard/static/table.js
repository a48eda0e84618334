// What happens on this page, from the first word of the table to a finger on a button?

import { Connection } from "./connection.js";
import { keyed, make } from "./dom.js";
import { listenToKeys } from "./keys.js";
import { showAsks, showHealth, showLedger, showRecord, showRulings, showSeats } from "./lists.js";
import { offer } from "./picture.js";
import { Sheets } from "./sheets.js";
import { nameOf, showTop, showTurn } from "./turn.js";
import { count, say } from "./words.js";

const $ = (id) => document.getElementById(id);
const health = make("div");
const faults = make("div");
$("banners").append(health, faults);

const connection = new Connection({
  heard,
  greeted(hello) {
    document.body.dataset.role = hello.role;
    offer(hello);
  },
  linked(state) {
    document.body.dataset.link = state;
    if ($("link-text").textContent !== say(state)) $("link-text").textContent = say(state);
    tellLost(state === "lost");
  },
});
const send = (message) => connection.send(message);
const sheets = new Sheets(send, tellFault);

/** Each part of the page with the names in the view that it is made of: it is painted only when one of them changed. */
const parts = [
  [["turn", "winner", "modes", "timeOut", "seats"], showTurn],
  [["top", "topName"], showTop],
  [["explain", "winner"], (view) => { $("explain").textContent = view.winner ? "" : view.explain; }],
  [["seats", "turn", "winner", "ledger"], (view) => showSeats(view, openSeat)],
  [["due", "questions", "seats"], (view) => showAsks(view, { said, vote })],
  [["rulings"], (view) => showRulings(view, (ruling) => vote(ruling, false))],
  [["record", "held"], (view) => showRecord(view, openRow)],
  [["health"], (view) => showHealth(view, health)],
  [["seats"], showDevices],
  [["seats", "ledger"], (view) => sheets.open === "seat" && fillSeat(view, sheets.seat)],
];

function heard(view, news) {
  sheets.view = view;
  for (const [names, show] of parts) if (names.some((name) => news.includes(name))) show(view);
}

function openSeat(seat) {
  fillSeat(connection.view, seat);
  sheets.show("seat", { seat });
}

function fillSeat(view, seat) {
  const { count: cards, owes } = view.seats.find((other) => other.seat === seat);
  $("sheet-seat-title").textContent = nameOf(view, seat);
  $("seat-note").textContent = [count("cards", cards), owes ? count("owes", owes) : ""].filter(Boolean).join(" · ");
  showLedger(view, seat);
}

const FORMS = { landed: "card", "taken-back": "card", taken: "took", said: "said", pointed: "point", claimed: "claim" };

function openRow(row) {
  if (document.body.dataset.role !== "host") return;
  $("sheet-row-title").textContent = row.text;
  $("row-note").textContent = row.undone ? say("removed") : "";
  $("row-note").hidden = !row.undone;
  const { kind } = row.what;
  const edit = kind === "undone" || kind === "corrected";
  $("row-correct").hidden = row.undone || !FORMS[kind];
  $("row-remove").hidden = row.undone || edit;
  $("row-restore").hidden = row.undone || !edit;
  $("row-correct").onclick = () => sheets.show(FORMS[kind], { row });
  $("row-remove").onclick = $("row-restore").onclick = () => sheets.ask({ do: "remove", of: row.row });
  sheets.show("row", { row });
}

/** Send what needs no sheet, and say so on the page when it was not done. */
async function sendNow(message) {
  try {
    await send(message);
    keyed(faults, [], String);
  } catch (fault) {
    tellFault(fault.message);
  }
}

const said = (due, text) => sendNow({ do: "tap", what: { kind: "said", seat: due.seat, text } });
function vote(ruling, uphold) {
  if (sheets.own === "?") sheets.show("vote", { ballot: { ...ruling, uphold } });
  else sendNow({ do: "tap", what: { kind: "voted", seat: sheets.own, uphold, ruling: ruling.number } });
}
$("all-rulings").addEventListener("click", () => {
  $("rulings").classList.add("all");
  $("all-rulings").hidden = true;
  $("rulings").querySelector("li:nth-child(4) summary").focus();
});
$("undo").addEventListener("click", () => sendNow({ do: "undo" }));

function tellFault(text) {
  keyed(faults, [text], () => "fault", () => make(
    "p.banner.fault",
    { role: "alert" },
    text,
    make("button", { type: "button", onclick: () => keyed(faults, [], String) }, say("dismiss")),
  ));
}

let lost;
function tellLost(yes) {
  if (yes && !lost) $("banners").append(lost = make("p.banner.lost", {}, say("lost-detail")));
  if (!yes && lost) lost = lost.remove();
}

/** Whom this device speaks for: its own player's phone asks less. */
function showDevices(view) {
  const box = $("device");
  const options = [["?", say("everyone")], ...view.seats.map(({ seat, name }) => [seat, name])];
  box.replaceChildren(...options.map(([seat, name]) => make("option", { value: seat }, name)));
  const kept = localStorage.getItem("seat");
  box.value = sheets.own = options.some(([seat]) => seat === kept) ? kept : "?";
}
$("device").addEventListener("change", (event) => {
  sheets.own = event.target.value;
  localStorage.setItem("seat", sheets.own);
});

/** A choice that this device remembers. */
function remember(id, otherwise, apply) {
  const box = $(id);
  box.checked = (localStorage.getItem(id) ?? otherwise) === "yes";
  const use = () => apply(box.checked);
  box.addEventListener("change", () => {
    localStorage.setItem(id, box.checked ? "yes" : "no");
    use();
  });
  use();
}

/** Trade the token of the host's link for a cookie, and take it out of the address. */
async function enter() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return;
  history.replaceState(null, "", location.pathname);
  const answer = await fetch("/enter", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const { error } = await answer.json();
  if (error) tellFault(error);
}

remember("four-colours", "no", (on) => document.body.classList.toggle("four", on));
remember("keys-on", "yes", listenToKeys);
$("link-text").textContent = say("connecting");
enter().catch(() => tellFault(say("not-sent"))).finally(() => connection.open());
