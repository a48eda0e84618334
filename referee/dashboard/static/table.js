// What happens on this page, from the first word of the table to a finger on a button?

import { Connection } from "./connection.js";
import { keyed, make } from "./dom.js";
import { playDisputes, showEvidence } from "./evidence.js";
import { fromAddress, post } from "./enter.js";
import { listenToKeys } from "./keys.js";
import { showLesson, teaches } from "./lesson.js";
import { showAsks, showHealth, showLeft, showLedger, showRecord, showRulings, showSeats } from "./lists.js";
import { offer } from "./picture.js";
import { Sheets } from "./sheets.js";
import { nameOf, showTop, showTurn } from "./turn.js";
import { undo } from "./undo.js";
import { Voice, showSound } from "./voice.js";
import { count, pieces, say } from "./words.js";

const $ = (id) => document.getElementById(id);
const health = make("div");
const faults = make("div");
const rights = make("div");
$("banners").append(health, rights, faults);

const connection = new Connection({
  heard,
  greeted(hello) {
    document.body.dataset.role = hello.role;
    document.body.dataset.seat = hello.seat;
    tellRight(hello.role);
    sheets.greet(hello);
    offer(hello);
  },
  linked(state) {
    if (document.body.dataset.link === state) return;
    document.body.dataset.link = state;
    $("link-text").textContent = say(state);
    tellLost(state === "lost");
  },
});
const send = (message) => connection.send(message);
const sheets = new Sheets(send, tellFault);

/** Each part of the page with the names in the view that it is made of: it is painted only when one of them changed. */
const parts = [
  [["turn", "ends", "winner", "modes", "timeOut", "seats"], showTurn],
  [["top", "topName", "modes"], showTop],
  [["explain", "winner"], (view) => { $("explain").textContent = view.winner ? "" : view.explain; }],
  [["seats", "turn", "winner", "ledger"], (view) => showSeats(view, openSeat)],
  [["due", "questions", "seats"], (view) => showAsks(view, { said, vote, choose, name, prove: (item) => showEvidence(sheets, item, item.row ?? null) })],
  [["clock", "questions"], showLeft],
  [["lesson", "training"], showLesson],
  [["rulings", "questions"], (view) => showRulings(view, {
    dispute: (ruling) => vote(ruling, false),
    prove: (item) => showEvidence(sheets, item),
    teach: teaches(view),
  })],
  [["questions"], (view) => playDisputes(sheets, view)],
  [["record", "held"], (view) => showRecord(view, openRow)],
  [["changeable"], showChangeable],
  [["claimable"], showClaimable],
  [["gestures"], showGestures],
  [["health", "awaited"], (view) => showHealth(view, health)],
  [["seats"], showYou],
  [["seats"], showDevices],
  [["voice", "due"], (view) => voice.hear(view)],
  [["voice", "seats"], showSayLeast],
  [["sound"], (view) => showSound(view, $("sound"))],
  [["redo"], (view) => { $("redo").disabled = !view.redo; }],
  [["seats", "ledger"], (view) => sheets.open === "seat" && fillSeat(view, sheets.seat)],
  [["due", "listening", "seats"], () => sheets.open === "said" && sheets.fillWords()],
];

const voice = new Voice($("sound-on"), (message) => send(message).catch(() => {}));

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
  $("sheet-seat-title").replaceChildren(make("bdi", {}, nameOf(view, seat)));
  $("seat-note").textContent = [count("cards", cards), owes ? count("owes", owes) : ""].filter(Boolean).join(" · ");
  showLedger(view, seat);
}

const FORMS = { landed: "card", "taken-back": "card", taken: "took", said: "said", pointed: "point", claimed: "claim" };

function openRow(row) {
  const { role, seat: own } = document.body.dataset;
  if (role === "spectator") return;
  const mine = role === "host" || (role === "seat" && row.what.source === "tap" && row.what.seat === own);
  $("sheet-row-title").textContent = row.text;
  $("row-note").textContent = row.undone ? say("removed") : "";
  $("row-note").hidden = !row.undone;
  const { kind } = row.what;
  const edit = kind === "undone" || kind === "corrected";
  $("row-evidence").onclick = () => showEvidence(sheets, { text: row.text }, row.row);
  $("row-correct").hidden = !mine || row.undone || !FORMS[kind];
  $("row-remove").hidden = !mine || row.undone || edit;
  $("row-restore").hidden = !mine || row.undone || !edit;
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
const vote = (ruling, uphold) => sheets.vote(ruling, uphold);
const choose = (question, answer) => sendNow({ do: "answer", question: question.subject, answer });
const name = (question) => sheets.show("card", { question });
$("all-rulings").addEventListener("click", () => {
  $("rulings").classList.add("all");
  $("all-rulings").hidden = true;
  $("rulings").querySelector("li:nth-child(4) summary").focus();
});
$("redo").addEventListener("click", () => sheets.ask({ do: "redo" }));
$("undo").addEventListener("click", () => undo(sheets, () => keyed(faults, [], String)));

function tellFault(text) {
  keyed(faults, [text], () => "fault", () => make(
    "p.banner.fault",
    { role: "alert" },
    text,
    make("button", { type: "button", onclick: () => keyed(faults, [], String) }, say("dismiss")),
  ));
}

/** Say so when this browser might do more at this address before, and how it may again. */
function tellRight(role) {
  const before = localStorage.getItem("role");
  if (role !== "spectator") localStorage.setItem("role", role);
  const gone = role === "spectator" && before ? [before] : [];
  keyed(rights, gone, String, () => make(
    "p.banner.fault",
    { role: "alert" },
    say(`right-${before}`),
    before === "host" ? null : make("a.button", { href: "/join" }, say("right-join")),
    make("button", { type: "button", onclick: () => { localStorage.removeItem("role"); keyed(rights, [], String); } }, say("dismiss")),
  ));
}

let lost;
function tellLost(yes) {
  if (yes && !lost) $("banners").append(lost = make("p.banner.lost", {}, say("lost-detail")));
  if (!yes && lost) lost = lost.remove();
}

/** The options that the table may agree to change while it plays. */
function showChangeable(view) {
  $("changeable").hidden = view.changeable.length === 0;
  keyed($("changeable"), view.changeable, (item) => item.name, ({ name: option, value, text }) => make(
    "button",
    {
      type: "button",
      onclick: () => {
        const message = { do: "tap", what: { kind: "option-set", name: option, value } };
        sheets.confirm(message, { title: text, note: say("agree"), yes: say("agreed") });
      },
    },
    text,
  ));
}

/** The penalties that may be claimed at this table. */
function showClaimable(view) {
  $("claim").hidden = view.claimable.length === 0;
  keyed($("claims"), view.claimable, (item) => item.code, ({ code, text }) => make(
    "button", { type: "button", "data-code": code }, text,
  ));
}

/** What may be tapped in beside cards and words, where the game has it. */
function showGestures(view) {
  for (const button of document.querySelectorAll("[data-gesture]")) {
    button.hidden = !view.gestures.includes(button.dataset.gesture);
  }
}

/** A seat's own phone says whose it is. */
function showYou(view) {
  const { role, seat } = document.body.dataset;
  $("you").hidden = role !== "seat";
  if (role === "seat") $("you").replaceChildren(...pieces("you-are", { who: make("bdi", {}, nameOf(view, seat)) }));
}

/** Whom this device speaks for: its own player's phone asks less. */
function showDevices(view) {
  const box = $("device");
  const options = [["?", say("everyone")], ...view.seats.map(({ seat, name }) => [seat, name])];
  keyed(box, options, String, ([seat, name]) => make("option", { value: seat }, name));
  const { role, seat } = document.body.dataset;
  const kept = role === "seat" ? seat : localStorage.getItem("seat");
  box.value = sheets.own = options.some(([seat]) => seat === kept) ? kept : "?";
}
$("device").addEventListener("change", (event) => {
  sheets.own = event.target.value;
  localStorage.setItem("seat", sheets.own);
  showSayLeast(connection.view);
});

/** How much is said aloud to the player for whom this device speaks, or to everyone who has not chosen. */
function showSayLeast({ voice: aloud }) {
  $("say-least").disabled = !aloud || !["host", "seat"].includes(document.body.dataset.role);
  if (aloud) $("say-least").value = aloud.least[sheets.own] ?? aloud.least["?"];
}
$("say-least").addEventListener("change", (event) => {
  sendNow({ do: "voice", seat: sheets.own, least: Number(event.target.value) });
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

$("training").addEventListener("change", (event) => {
  localStorage.setItem("training", event.target.checked ? "yes" : "no");
  showLesson(connection.view);
});

/** Trade the token of the host's link for a cookie. */
async function enter() {
  const token = fromAddress("token");
  const error = token === null ? "" : await post("/enter", { token });
  if (error) tellFault(error);
}

remember("four-colours", "no", (on) => document.body.classList.toggle("four", on));
remember("keys-on", "yes", listenToKeys);
$("link-text").textContent = say("connecting");
enter().finally(() => connection.open());
