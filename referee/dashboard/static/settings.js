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

function complain(why) {
  $("fault").textContent = why;
  $("fault").hidden = !why;
}

$("settings").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("done").textContent = "";
  const values = fields.map(({ name, kind }) => [name, ["number", "integer"].includes(kind) ? Number($(name).value) : $(name).value]);
  const error = await post("/settings.json", Object.fromEntries(values));
  complain(error);
  if (!error) $("done").textContent = say("settings-saved");
});

const answer = await (await fetch("/settings.json", { cache: "no-store" })).json();
complain(answer.error);
fields = answer.fields ?? [];
$("fields").append(...fields.map((field) => make(
  "div.field",
  {},
  make("label", { for: field.name }, field.title),
  control(field),
  make("p.note", { id: `${field.name}-help` }, field.description),
)));
$("settings").hidden = fields.length === 0;
