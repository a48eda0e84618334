// Which key does what? Every button names its own in `data-key`.

const OUTSIDE = ".bar [data-key], .asks [data-key], #sheet-more [data-key]";

/** Use the one-key shortcuts, or stop using them. */
export function listenToKeys(on) {
  document.removeEventListener("keydown", press);
  if (on) document.addEventListener("keydown", press);
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.key.length !== 1) return;
  if (event.target.matches("input:not([type=radio], [type=checkbox]), select, textarea")) return;
  if (!["host", "seat"].includes(document.body.dataset.role) && event.key !== "?") return;
  const dialog = document.querySelector("dialog[open]");
  const buttons = (dialog ?? document).querySelectorAll(dialog ? "[data-key]" : OUTSIDE);
  const button = [...buttons].find((one) => one.dataset.key === event.key.toLowerCase() && !one.disabled && !one.hidden && allowed(one));
  if (!button) return;
  event.preventDefault();
  button.click();
}

/** Whether this page may press it: what only the host does is not there for others. */
function allowed(button) {
  return document.body.dataset.role === "host" || !button.matches(".host-only, .host-only *");
}
