// What does a ruling rest on? Frames, sound and words, for everybody with the table's code.

import { make } from "./dom.js";
import { clock, say } from "./words.js";

const $ = (id) => document.getElementById(id);
const played = new Set(); // the disputes that were shown by themselves

/** Show the evidence for `ruling`, or for `row` of the record alone. */
export async function showEvidence(sheets, ruling, row = null) {
  $("evidence-what").textContent = ruling.text;
  $("evidence").replaceChildren(make("p.empty", {}, say("evidence-wait")));
  showVote(sheets, ruling);
  sheets.show("evidence");
  let parts;
  try {
    const answer = await fetch(row === null ? `/evidence/ruling/${ruling.number}` : `/evidence/row/${row}`);
    const found = await answer.json();
    parts = found.error ? [make("p.empty", {}, found.error)] : [rule(found), thought(found), ...found.rows.map(moment)];
  } catch {
    parts = [make("p.empty", {}, say("not-sent"))];
  }
  $("evidence").replaceChildren(...parts.filter(Boolean));
}

/** A dispute is shown to all at the table, unless they are in the midst of something. */
export function playDisputes(sheets, view) {
  const about = ({ subject, t }) => JSON.stringify([subject, t]);
  const dispute = view.questions.filter((question) => question.disputes && !played.has(about(question))).at(-1);
  if (!dispute || document.body.dataset.role === "spectator") return;
  played.add(about(dispute));
  if (!sheets.open || sheets.open === "vote") showEvidence(sheets, dispute);
}

function showVote(sheets, ruling) {
  $("evidence-vote").hidden = !ruling.disputes;
  const cast = (uphold) => () => sheets.vote(ruling, uphold);
  $("evidence-yes").onclick = cast(true);
  $("evidence-no").onclick = cast(false);
}

function rule({ rule: number, ruleText }) {
  return number ? make("p", {}, ruleText, make("span.rule", {}, number)) : null;
}

function thought({ possible }) {
  return possible ? make("p.small", {}, possible) : null;
}

/** What there is to show for one row of a record. */
export function moment(row) {
  const frames = ["before", "after"].filter((name) => row[name]);
  const sure = row.source === "tap" ? "" : say("sure", { percent: Math.round(row.confidence * 100) });
  const others = row.alternatives.map(([card, share]) => `${card} ${Math.round(share * 100)} %`).join(", ");
  const [listened, free] = row.decodes;
  return make(
    "section.moment",
    {},
    make("h3", {}, `${clock(row.t)} · ${row.text}`),
    make("p.small", {}, [say(`source-${row.source}`), sure].filter(Boolean).join(" · ")),
    others ? make("p.small", {}, say("or-rather", { cards: others })) : null,
    row.decodes.length ? make("p.small", {}, say("decodes", { listened: listened || "–", free: free || "–" })) : null,
    frames.length ? make("div.frames", {}, ...frames.map((name) => frame(row, name))) : null,
    row.sound
      ? make("audio", { src: row.sound, controls: true, preload: "none", "aria-label": say("sound-of", { what: row.text }) })
      : null,
    frames.length || row.sound ? null : make("p.small", {}, say("no-evidence")),
  );
}

function frame(row, name) {
  return make(
    "figure",
    {},
    make("img", { src: row[name], alt: say(`frame-${name}`, { what: row.text }) }),
    make("figcaption.small", {}, say(name)),
  );
}
