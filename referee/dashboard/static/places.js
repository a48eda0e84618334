// Where are the piles and the seats in the picture, and how are they moved? Plain values: no page, no network.

export const SMALLEST = 40; // pixels of the picture; the table refuses smaller zones
const ZONES = ["discard", "pick_up"];
const INSET = 0.09; // how far inside the picture's edge the seats are drawn, as a share of its height

/** Whether `place` is a pile's zone; else it is a seat. */
export const isZone = (place) => ZONES.includes(place);

/** Where `place` is in `layout`: `[x, y, width, height]`, or degrees; undefined or null where not known. */
export const at = (layout, place) => (isZone(place) ? layout[place] : layout.seats[place]);

/** `layout` with `place` at `value`; null forgets it. */
export function put(layout, place, value) {
  if (isZone(place)) return { ...layout, [place]: value };
  const seats = { ...layout.seats, [place]: value };
  if (value === null) delete seats[place];
  return { ...layout, seats };
}

/** A zone that lies in the picture and is no smaller than it may be. */
export function kept([x, y, width, height], [wide, high]) {
  const w = Math.round(Math.min(Math.max(width, SMALLEST), wide));
  const h = Math.round(Math.min(Math.max(height, SMALLEST), high));
  return [Math.round(Math.min(Math.max(x, 0), wide - w)), Math.round(Math.min(Math.max(y, 0), high - h)), w, h];
}

/** `zone` with corner `corner` (0 top left, clockwise) at `point`; the opposite corner stays. */
export function stretched([x, y, width, height], corner, [px, py], [wide, high]) {
  const left = corner === 0 || corner === 3;
  const upper = corner < 2;
  const [fx, fy] = [left ? x + width : x, upper ? y + height : y];
  const cx = Math.min(Math.max(px, 0), wide);
  const cy = Math.min(Math.max(py, 0), high);
  const w = Math.max(SMALLEST, left ? fx - cx : cx - fx);
  const h = Math.max(SMALLEST, upper ? fy - cy : cy - fy);
  return kept([left ? fx - w : fx, upper ? fy - h : fy, w, h], [wide, high]);
}

/** The corners of a zone, clockwise from its top left. */
export const corners = ([x, y, w, h]) => [[x, y], [x + w, y], [x + w, y + h], [x, y + h]];

/** Degrees counter-clockwise from the right at which `point` is seen from the picture's middle. */
export function direction([x, y], [wide, high]) {
  const degrees = (Math.atan2(high / 2 - y, x - wide / 2) * 180) / Math.PI;
  return Math.round((degrees + 360) % 360);
}

/** Where in the picture a seat in that direction is drawn. */
export function seatPoint(degrees, [wide, high]) {
  const angle = (degrees * Math.PI) / 180;
  const [dx, dy] = [Math.cos(angle), -Math.sin(angle)];
  const inset = INSET * high;
  const reach = Math.min((wide / 2 - inset) / Math.max(Math.abs(dx), 1e-6), (high / 2 - inset) / Math.max(Math.abs(dy), 1e-6));
  return [wide / 2 + reach * dx, high / 2 + reach * dy];
}

/** Where `place` comes when it is put at `point`: a zone around it, as large as before or as the other one. */
export function placed(layout, place, point, size) {
  if (!isZone(place)) return direction(point, size);
  const usual = 0.36 * Math.min(...size);
  const [, , w, h] = layout[place] ?? layout[ZONES.find((zone) => layout[zone])] ?? [0, 0, usual, usual];
  return kept([point[0] - w / 2, point[1] - h / 2, w, h], size);
}

/** What of `layout` is at `point`, within `reach` of it: `{place, corner}` (corner -1: no corner); null for nothing. */
export function grasped(layout, point, reach, chosen) {
  const { size } = layout;
  const near = ([x, y], far) => Math.hypot(x - point[0], y - point[1]) <= far;
  const seats = Object.keys(layout.seats).filter((seat) => near(seatPoint(layout.seats[seat], size), reach));
  if (seats.length) return { place: seats.includes(chosen) ? chosen : seats[0], corner: -1 };
  const zones = ZONES.filter((zone) => layout[zone]).sort((one) => (one === chosen ? -1 : 1));
  for (const place of zones) {
    const [, , w, h] = layout[place];
    const corner = corners(layout[place]).findIndex((one) => near(one, Math.min(reach, 0.4 * Math.min(w, h))));
    if (corner >= 0) return { place, corner };
  }
  for (const place of zones) {
    const [x, y, w, h] = layout[place];
    if (point[0] >= x && point[0] <= x + w && point[1] >= y && point[1] <= y + h) return { place, corner: -1 };
  }
  return null;
}

/** Where an arrow key moves `place`: a zone by a hundredth of the picture (with `grow` its lower right corner), a seat by 5°. */
export function stepped(layout, place, key, grow) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const { size } = layout;
  const now = at(layout, place);
  if (now == null) return placed(layout, place, [size[0] / 2 + dx, size[1] / 2 + dy], size);
  if (!isZone(place)) return (now + 360 - 5 * (dx + dy)) % 360;
  const step = Math.max(1, Math.round(size[0] / 100));
  const [x, y, w, h] = now;
  return kept(grow ? [x, y, w + dx * step, h + dy * step] : [x + dx * step, y + dy * step, w, h], size);
}
