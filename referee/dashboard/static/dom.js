// How is a part of the page made, and how is a list brought up to date without touching what did not change?

const SVG = "http://www.w3.org/2000/svg";
const shown = new WeakMap(); // the key and the print of every element that `keyed` made

/** An element `tag.class.class` with attributes and children; text is always text, never markup. */
export function make(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child != null && child !== ""));
  return element;
}

/** The drawing `#symbol` of the page. */
export function drawing(symbol, classes = "") {
  const svg = document.createElementNS(SVG, "svg");
  if (classes) svg.setAttribute("class", classes);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${symbol}`);
  svg.append(use);
  return svg;
}

/**
 * Bring the children of `list` up to date with `items`.
 * An item whose `key` and `print` (all that its element shows) are as before keeps its element, focus and open state.
 */
export function keyed(list, items, key, build) {
  const before = new Map([...list.children].map((child) => [shown.get(child).name, child]));
  let place = list.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    const print = JSON.stringify(item);
    let element = before.get(name);
    before.delete(name);
    if (!element || shown.get(element).print !== print) {
      const fresh = build(item, element);
      shown.set(fresh, { name, print });
      if (element) {
        const focused = element.contains(document.activeElement);
        if (element === place) place = element.nextElementSibling;
        element.replaceWith(fresh);
        list.insertBefore(fresh, place);
        if (focused) (fresh.matches("button") ? fresh : fresh.querySelector("button, summary"))?.focus();
      }
      element = fresh;
    }
    if (element === place) place = element.nextElementSibling;
    else list.insertBefore(element, place);
  }
  for (const gone of before.values()) gone.remove();
}

/** Show `text` in `element`, and hide the element where there is none. */
export function fill(element, text) {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === "";
}
