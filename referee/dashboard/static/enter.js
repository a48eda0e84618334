// How does a browser come in: with the host's link, or with the table's code?

import { say } from "./words.js";

const PATIENCE = 10000; // milliseconds

/** What the address holds after `#name=`, taken out of the address at once; null when it holds none. */
export function fromAddress(name) {
  const value = new URLSearchParams(location.hash.slice(1)).get(name);
  if (value !== null) history.replaceState(null, "", location.pathname);
  return value;
}

/** Send `what` to `path` as JSON; the answer is why it was refused, or an empty string. */
export async function post(path, what) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(what),
      signal: AbortSignal.timeout(PATIENCE),
    });
    return (await answer.json()).error;
  } catch {
    return say("not-sent");
  }
}
