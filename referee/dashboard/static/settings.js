// How does the host change what the household settled on? A form made from the typed settings.

import { make } from "./dom.js";
import { post } from "./enter.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);
let fields = [];

function control({ name, kind, value, enum: choices, minimum, maximum }) {
  if (kind === "choice") {
    return make("select", { id: name, "aria-describedby": `${name}-help` }, ...choices.map((choice) => make(
      "option",
      { value: choice, selected: choice === value },
      choice,
    )));
  }
  if (kind === "boolean") {
    return make("input", { id: name, type: "checkbox", checked: value, "aria-describedby": `${name}-help` });
  }
  const number = kind === "number" || kind === "integer";
  return make("input", {
    id: name,
    value: String(value),
    type: number ? "number" : "text",
    min: minimum,
    max: maximum,
    step: kind === "number" ? "any" : null,
    "aria-describedby": `${name}-help`,
    autocomplete: "off",
  });
}

function valueOf({ name, kind }) {
  const box = $(name);
  if (kind === "boolean") return box.checked;
  return kind === "number" || kind === "integer" ? Number(box.value) : box.value;
}

function complain(why) {
  $("fault").textContent = why;
  $("fault").hidden = !why;
}

$("settings").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("done").textContent = "";
  const error = await post("/settings.json", Object.fromEntries(fields.map((field) => [field.name, valueOf(field)])));
  complain(error);
  if (error) return;
  const later = fields.filter((field) => !field.at_once && valueOf(field) !== field.value);
  $("done").textContent = later.length
    ? say("settings-later", { what: later.map((field) => field.title).join(", ") })
    : say("settings-saved");
});

const answer = await (await fetch("/settings.json", { cache: "no-store" })).json();
complain(answer.error);
fields = answer.fields ?? [];
$("fields").append(...fields.map((field) => make(
  "div.field",
  {},
  make("label", { for: field.name }, field.title),
  control(field),
  make("p.note", { id: `${field.name}-help` }, `${field.description} ${say(field.at_once ? "settings-at-once" : "settings-restart")}`),
)));
$("settings").hidden = fields.length === 0;
