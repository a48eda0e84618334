// How are the players, the rulings and their rules, what is due, what is asked and the record shown?

import { colourAndSymbol, rankAndSuit, sign, suitMark } from "./cards.js";
import { drawing, fill, keyed, make } from "./dom.js";
import { nameOf } from "./turn.js";
import { clock, count, pieces, say, sayIf } from "./words.js";

const $ = (id) => document.getElementById(id);
const MARKS = { penalty: "!", question: "?", win: "★", settled: "§", notice: "i" };

/** Show the players; `open(seat)` when one is tapped. */
export function showSeats(view, open) {
  const turn = view.winner ? null : view.turn;
  const items = view.seats.map((seat) => ({
    ...seat,
    playing: turn?.seat === seat.seat,
  }));
  keyed($("seats"), items, (item) => item.seat, (item) => make(
    `li${item.playing ? ".playing" : ""}`,
    {},
    make(
      "button",
      { type: "button", "data-seat": item.seat, "aria-current": item.playing ? "true" : null, onclick: () => open(item.seat) },
      make("bdi.name", {}, item.name),
      make("span.held", { "aria-label": count("cards", item.count) }, drawing("icon-card"), String(item.count)),
      make(
        "span.notes",
        {},
        item.playing ? make("span.badge.now", {}, say("playing")) : null,
        item.owes ? make("span.badge.owes", {}, count("owes", item.owes)) : null,
        item.penalties ? make("span.small", {}, count("penalties", item.penalties)) : null,
      ),
    ),
  ));
}

/**
 * Show the last rulings but open questions, newest first; `dispute(ruling)` contests a penalty or a warning, `prove(ruling)` shows its evidence. With
 * `teach` a new penalty is opened, to say why it was given.
 */
export function showRulings(view, { dispute, prove, teach }) {
  const open = new Set(view.questions.map((question) => question.number)); // these stand above, to be answered
  const items = view.rulings.filter((item) => !open.has(item.number)).reverse();
  keyed($("rulings"), items, (item) => `${item.number}:${item.kind}`, (item, before) => ruling(view, item, { before, dispute, prove, teach }));
  $("no-rulings").hidden = items.length > 0;
  $("all-rulings").hidden = items.length <= 3 || $("rulings").classList.contains("all");
}

function ruling(view, item, { before, dispute, prove, teach } = {}) {
  const rows = item.rests_on ?? [];
  const grounds = rows.map((row) => view.record.find((other) => other.row === row)?.text ?? say("row", { row }));
  const details = make(
    "details",
    {},
    make(
      "summary",
      {},
      make("span.mark", { "aria-label": say(item.kind), role: "img" }, MARKS[item.kind]),
      make("span.what", {}, item.text, item.became ? make("span.became", {}, say(item.became)) : null),
      make("span.meta", {}, item.rule ? make("span.rule", {}, item.rule) : null, make("time", {}, clock(item.t))),
    ),
    make(
      "div.ground",
      {},
      make("p", {}, item.ruleText || item.rule || say("no-rule")),
      item.why ? make("p", {}, item.why) : null,
      grounds.length ? make("p.small", {}, `${say("rests-on")}: ${grounds.join("; ")}`) : null,
      prove && rows.length ? make("button.inside", { type: "button", onclick: () => prove(item) }, say("evidence")) : null,
      dispute && item.kind === "penalty" && item.became !== "overturned"
        ? make("button.may-tap", { type: "button", onclick: () => dispute(item) }, say("dispute"))
        : null,
    ),
  );
  details.open = before?.querySelector("details")?.open ?? Boolean(teach && item.kind === "penalty");
  const warning = item.kind === "penalty" && !item.cards;
  return make(`li.${item.kind}${warning ? ".warning" : ""}${item.became === "overturned" ? ".struck" : ""}`, {}, details);
}

/** Show the last penalties that `seat` was given, and how many there were before them. */
export function showLedger(view, seat) {
  const given = [...(view.ledger[seat] ?? [])].reverse();
  const { earlier = 0 } = view.seats.find((other) => other.seat === seat) ?? {};
  fill($("ledger-earlier"), earlier ? count("earlier", earlier) : "");
  $("ledger").replaceChildren(...given.map((item) => ruling(view, item)));
  $("no-ledger").hidden = given.length > 0;
}

/**
 * Show what must still be said and what is asked; `said(due, words)`, `vote(question, yes)` and `choose(question, answer)`
 * answer, `name(question)` lets any card be named.
 */
export function showAsks(view, { said, vote, choose, name, prove }) {
  const { role, seat: own } = document.body.dataset;
  keyed($("due"), view.due, (due) => `${role}${own}${due.seat}${due.code}${due.words.join()}`, (due) => {
    const who = make("bdi", {}, due.seat === own ? say("you") : nameOf(view, due.seat));
    const mine = mayTap(due);
    const several = mine && due.words.length > 1;
    return make(
      `li.due${due.seat === own ? ".own" : ""}`,
      {},
      make("span.what", {}, ...pieces(several ? "must-say-one" : "must-say", { who, words: either(due.words) })),
      mine
        ? make("span.answers", {}, ...due.words.map((words) => make(
          "button", { type: "button", onclick: () => said(due, words) }, several ? `“${words}”` : say("due-said"),
        )))
        : null,
    );
  });
  const items = [...view.questions].reverse();
  keyed($("questions"), items, (item) => `${role}${own}${item.number}`, (item) => make(
    "li.question",
    {},
    make(
      "span.what",
      {},
      item.text,
      item.rule ? make("span.rule", {}, item.rule) : null,
      item.aloud ? make("span.aloud", {}, item.aloud) : null,
      item.voters?.length ? make(
        "span.aloud",
        {},
        mayVote(item) ? say("voted", { count: item.voted, of: item.voters.length }) : say("vote-others"),
        item.until === null ? null : make("span.left", { "data-until": item.until, "aria-hidden": "true" }),
      ) : null,
    ),
    make(
      "span.answers.may-tap",
      {},
      ...item.choices.map((choice, place) => make(
        "button.choose",
        { type: "button", "data-key": place + 1, onclick: () => choose(item, choice.answer) },
        item.choices.length > 1 ? make("span.place", {}, String(place + 1)) : null,
        ...face(choice),
      )),
      item.code === "which-card"
        ? make("button.quiet", { type: "button", onclick: () => name(item) }, say(item.choices.length ? "other-card" : "name-it"))
        : null,
      ...(item.choices.length || item.code === "which-card" || !mayVote(item) ? [] : [true, false]).map((yes) => make(
        "button",
        { type: "button", "data-key": yes ? "y" : "n", onclick: () => vote(item, yes) },
        say(yes ? "yes" : "no"),
      )),
      item.rests_on?.length ? make("button.quiet", { type: "button", onclick: () => prove(item) }, say("evidence")) : null,
    ),
  ));
  $("asks").hidden = view.due.length + items.length === 0;
}

/** Whether this page may vote on `item`: a seat's own phone only where it has a vote, and nobody where a coin decides. */
function mayVote({ voters }) {
  const { role, seat } = document.body.dataset;
  return !voters || (role === "seat" ? voters.includes(seat) : voters.length > 0);
}

let ahead = 0; // seconds by which the match clock is ahead of this page's own

/** Show how long people may still vote. */
export function showLeft({ clock: now }) {
  if (now !== null) ahead = now - performance.now() / 1000;
  countDown();
}

function countDown() {
  for (const left of document.querySelectorAll(".left")) {
    const seconds = Math.max(0, Math.ceil(Number(left.dataset.until) - ahead - performance.now() / 1000));
    fill(left, say("seconds-left", { seconds }));
  }
}
setInterval(countDown, 500);

/** Whether this page may tap what is still to be said: a seat's own phone does so for that seat alone. */
export function mayTap(due) {
  const { role, seat } = document.body.dataset;
  return role === "host" || due.seat === seat;
}

/** Words of which any one will do, in quotation marks. */
function either(words) {
  const list = new Intl.ListFormat(document.documentElement.lang, { type: "disjunction" });
  return list.format(words.map((word) => `“${word}”`));
}

/** What stands on the button of an answer: of a card its rank and the drawing of its suit, or its colour and sign. */
function face({ card, text }) {
  const known = rankAndSuit(card);
  if (known) return [known.rank, suitMark(known.suit), make("span.hush", {}, text)];
  const uno = colourAndSymbol(card);
  return uno?.colour ? [suitMark(uno.colour), sign(uno.symbol), make("span.hush", {}, text)] : [text];
}

/** Show what happened, newest first; `open(item)` when a row is tapped. */
export function showRecord(view, open) {
  const rows = [...view.record].reverse();
  const held = view.held.map((text, place) => ({ row: `held${place}`, text, held: true })).reverse();
  keyed($("record"), [...held, ...rows], (item) => item.row, (item) => item.held
    ? make("li.held", {}, say("hearing", { what: item.text }))
    : make(
      `li${item.undone ? ".undone" : ""}`,
      {},
      make(
        "button",
        { type: "button", onclick: () => open(item) },
        make("span.number", {}, String(item.row)),
        make("span.what", {}, item.text, item.undone ? make("span.became", {}, say("removed")) : null),
        make("time", {}, clock(item.what.t)),
      ),
    ));
  $("no-record").hidden = rows.length + held.length > 0;
  fill($("last"), headline(view));
}

/** The newest thing that happened, in a line; that the record was changed is told as it stands. */
function headline({ held, record }) {
  const newest = held.at(-1) ?? record.at(-1)?.text ?? "";
  const edit = held.length === 0 && ["undone", "corrected"].includes(record.at(-1)?.what.kind);
  return newest && !edit ? say("last", { what: newest }) : newest;
}

/** Show which source is not well, and what else one has to say; to the host also how a phone becomes one. */
export function showHealth(view, bar) {
  const { kinds = [], lan = false } = (document.body.dataset.role === "host" && view.awaited) || {};
  const told = view.health
    .filter((source) => source.state !== "ok" || source.detail)
    .map(({ name, state, detail }) => ({ name, state, detail, lends: kinds.includes(name), lan })); // its age is not shown
  const how = () => lan ? make("img.qr", { src: "/qr.svg?page=phone", alt: say("lend-qr") }) : say("phones-lan");
  keyed(bar, told, (source) => source.name, (source) => make(
    `p.banner.${source.state === "ok" ? "told" : "ill"}`,
    { "data-source": source.name },
    source.detail || sayIf(`fault-${source.name}`, say("fault-other", { name: source.name })),
    source.lends ? how() : null,
  ));
}
