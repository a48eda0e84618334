// When is the table back? Then this page gives way to the one that was asked for.

import { say } from "./words.js";

const EVERY = 2000; // milliseconds
const PATIENCE = 4000;
const state = document.getElementById("state");

async function look() {
  const answer = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
  if (answer?.ok) location.reload();
  else setTimeout(look, EVERY);
}

document.getElementById("again").addEventListener("click", () => location.reload());
state.textContent = say("offline-waiting");
look();
