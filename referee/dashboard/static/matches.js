// Which matches were played, and what happened in one of them, step by step?

import { card } from "./cards.js";
import { make } from "./dom.js";
import { moment } from "./evidence.js";
import { clock, count, say } from "./words.js";

const $ = (id) => document.getElementById(id);
const title = $("title").textContent;
let steps = [];
let at = 0;
let number = 0;

/** What the table answers at `path`; what it cannot tell is said on the page. */
async function ask(path) {
  const found = await fetch(path, { cache: "no-store" }).then((answer) => answer.json()).catch(() => ({ error: say("not-sent") }));
  $("fault").textContent = found.error;
  $("fault").hidden = !found.error;
  return found;
}

/** Names one after the other, each in its own direction of writing. */
const listed = (names) => names.flatMap((name, place) => [place ? ", " : "", make("bdi", {}, name)]);
const when = (match) => new Date(match.started).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

function ended({ winner, state }) {
  if (winner) return say("match-won", { who: winner });
  return say(state === "open" ? "match-open" : "match-over");
}

async function list() {
  const { matches = [], damaged = [], error } = await ask("/matches.json");
  $("title").textContent = title;
  $("damaged").replaceChildren(...damaged.map((what) => make("li", {}, what)));
  $("none").hidden = Boolean(error) || matches.length > 0;
  $("matches").replaceChildren(...matches.map((match) => make(
    "li",
    {},
    make(
      "a",
      { href: `#${match.id}` },
      make("b", {}, ...listed(match.names)),
      make("span.small", {}, `${match.game} · ${when(match)} · ${count("rows", match.rows)}`),
      make("span.ended", {}, ended(match)),
    ),
  )));
}

async function open(id) {
  const { match, wrong, error, ...found } = await ask(`/matches/${id}/steps`);
  $("reader").hidden = $("about").hidden = $("jsonl").hidden = $("txt").hidden = Boolean(error);
  if (error) return;
  number = id;
  steps = found.steps;
  $("damaged").replaceChildren(...wrong.map((what) => make("li", {}, what)));
  $("title").replaceChildren(...listed(match.names));
  $("about").textContent = `${match.game} · ${when(match)} · ${ended(match)}`;
  $("jsonl").href = `/matches/${id}/export/jsonl`;
  $("txt").href = `/matches/${id}/export/txt`;
  $("rows").replaceChildren(...steps.map((step, place) => make(
    "li",
    {},
    make(
      `button${step.undone ? ".undone" : ""}`,
      { type: "button", onclick: () => show(place) },
      make("span.small", {}, String(step.row)),
      make("span.what", {}, step.text),
      make("time", {}, clock(step.t)),
      ...step.rulings.filter((ruling) => ruling.kind !== "notice").map((ruling) => make("span.ruled", {}, ruling.text)),
    ),
  )));
  show(0);
}

/** Show the table as it stood after step `place`. */
function show(place) {
  at = Math.max(0, Math.min(place, steps.length - 1));
  const step = steps[at];
  $("evidence").replaceChildren();
  $("back").disabled = at === 0 || !step;
  $("next").disabled = !step || at === steps.length - 1;
  $("proof").disabled = !step;
  $("place").textContent = step ? say("step", { at: at + 1, of: steps.length }) : "";
  $("step-text").textContent = step?.text ?? say("no-steps");
  $("top").replaceChildren(card(step?.top ?? null));
  $("top").setAttribute("aria-label", step?.top ? say("top-card", { card: step.topName }) : say("no-card"));
  $("explain").textContent = step?.explain ?? "";
  $("counts").replaceChildren(...(step?.counts ?? []).map(([name, held, owes]) => make(
    "li", {}, make("bdi", {}, name), `: ${count("cards", held)}${owes ? `, ${count("owes", owes)}` : ""}`,
  )));
  $("rulings").replaceChildren(...(step?.rulings ?? []).map((ruling) => make(
    `li.${ruling.kind}${ruling.became === "overturned" ? ".struck" : ""}`,
    { title: ruling.ruleText },
    ruling.text,
    ruling.became ? ` (${say(ruling.became)})` : "",
    ruling.rule ? ` ${ruling.rule}` : "",
  )));
  for (const [index, button] of [...$("rows").querySelectorAll("button")].entries()) {
    if (index === at) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
}

async function prove() {
  const { rows = [] } = await ask(`/matches/${number}/row/${steps[at].row}`);
  $("evidence").replaceChildren(...rows.map(moment));
}

async function go() {
  const id = Number(location.hash.slice(1));
  const one = Number.isInteger(id) && id > 0;
  if (one) await open(id);
  else await list();
  $("list").hidden = one;
  $("match").hidden = !one;
  document.body.dataset.shown = one ? id : "list";
}

$("back").addEventListener("click", () => show(at - 1));
$("next").addEventListener("click", () => show(at + 1));
$("proof").addEventListener("click", prove);
addEventListener("keydown", (event) => {
  if ($("match").hidden || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "ArrowLeft") show(at - 1);
  else if (event.key === "ArrowRight") show(at + 1);
});
addEventListener("hashchange", go);
await go();
