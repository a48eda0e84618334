// What is drawn over the picture: the cards the eye sees, the zones of the piles, the directions of the seats?

import { at, corners, isZone, seatPoint } from "./places.js";

const SVG = "http://www.w3.org/2000/svg";
const SURE = 0.9;

/** Draw it all into `svg`; `names` tells what each place is called, in the order in which they are drawn. */
export function paint(svg, cards, layout, chosen, names) {
  const [wide, high] = layout.size;
  const unit = wide / Math.max(svg.clientWidth, 1); // pixels of the picture in one of the screen
  svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  const parts = cards.map((card) => cardShape(card, unit));
  for (const [place, name] of names) {
    const where = at(layout, place);
    if (where == null) continue;
    const shapes = isZone(place) ? zoneShapes(place, where, unit) : seatShapes(where, layout.size, unit);
    const words = isZone(place) ? zoneName(name, where, unit) : seatName(name, where, layout.size, unit);
    const group = shape("g", place === chosen ? "chosen" : "", {}, ...shapes, words);
    group.dataset.shown = place;
    parts.push(group);
  }
  svg.replaceChildren(...parts);
}

function shape(name, classes, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  if (classes) element.setAttribute("class", classes);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function cardShape({ card, confidence, quad }, unit) {
  const kind = card === "back" ? "down" : card !== "?" && confidence >= SURE ? "sure" : "";
  const points = quad.map((point) => point.join()).join(" ");
  const group = shape("g", "", {},
    shape("polygon", "under", { points, "stroke-width": 4 * unit }),
    shape("polygon", `card ${kind}`, { points, "stroke-width": 2 * unit }),
  );
  if (card !== "back") {
    const x = quad.reduce((sum, point) => sum + point[0], 0) / quad.length;
    const y = Math.max(...quad.map((point) => point[1]));
    group.append(text(`${card} ${Math.round(confidence * 100)}%`, x, y + 15 * unit, "middle", unit));
  }
  return group;
}

function zoneShapes(place, zone, unit) {
  const [x, y, width, height] = zone;
  const box = { x, y, width, height, rx: 4 * unit };
  return [
    shape("rect", "under", { ...box, "stroke-width": 5 * unit }),
    shape("rect", `zone ${place}`, { ...box, "stroke-width": 2.5 * unit }),
    ...corners(zone).map(([cx, cy]) => shape("circle", "corner", { cx, cy, r: 6 * unit, "stroke-width": 1.5 * unit })),
  ];
}

function seatShapes(degrees, size, unit) {
  const [cx, cy] = seatPoint(degrees, size);
  const [x1, y1] = [size[0] / 2, size[1] / 2].map((middle, axis) => middle + 0.7 * ([cx, cy][axis] - middle));
  return [
    shape("line", "way", { x1, y1, x2: cx, y2: cy, "stroke-width": 2 * unit }),
    shape("circle", "seat", { cx, cy, r: 12 * unit, "stroke-width": 2 * unit }),
  ];
}

function zoneName(name, [x, y], unit) {
  return text(name, x + 10 * unit, y + 18 * unit, "start", unit);
}

/** The name beside its handle, on the side where the picture has room for it. */
function seatName(name, degrees, size, unit) {
  const [x, y] = seatPoint(degrees, size);
  const side = x < size[0] / 4 ? "start" : x > (size[0] * 3) / 4 ? "end" : "middle";
  const beside = { start: -12, middle: 0, end: 12 }[side] * unit;
  return text(name, x + beside, y + (y > size[1] / 2 ? -18 : 28) * unit, side, unit);
}

function text(words, x, y, anchor, unit) {
  return shape("text", "", { x, y, "text-anchor": anchor, "font-size": 13 * unit, "stroke-width": 3.5 * unit }, words);
}
