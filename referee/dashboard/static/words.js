// Which words does the page show? They all come from the referee's catalogue, with the page.

const words = JSON.parse(document.getElementById("words").textContent);

/** The sentence at `key`, with `{name}` filled in from `values`. */
export function say(key, values = {}) {
  return words[key].replace(/\{(\w+)\}/g, (hole, name) => String(values[name] ?? hole));
}

/** The same in pieces, so that what is filled in may be elements: a name in its own direction of writing. */
export function pieces(key, values) {
  return words[key].split(/\{(\w+)\}/).map((piece, place) => (place % 2 ? values[piece] : piece));
}

/** The sentence at `key`, or `otherwise` where the catalogue has none. */
export function sayIf(key, otherwise) {
  return Object.hasOwn(words, key) ? say(key) : otherwise;
}

/** So many of what `key-one` and `key-many` tell. */
export function count(key, number) {
  return say(number === 1 ? `${key}-one` : `${key}-many`, { count: number });
}

/** Seconds of the match clock as people read them: `4:07`. */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
