// What does the camera see? The newest picture, about five times a second, and only while somebody can see it.

import { showNewest } from "./newest.js";
import { say } from "./words.js";

const EVERY = 200; // milliseconds
const AFTER_FAULT = 500;

const section = document.getElementById("picture");
const canvas = document.getElementById("frame");
const note = document.getElementById("picture-note");
let seen = false;
let running = false;
let allowed = false;

new IntersectionObserver((entries) => {
  seen = entries.at(-1).isIntersecting;
  run();
}).observe(section);
document.addEventListener("visibilitychange", run);

/** Whether the table has a camera, and whether we may look. */
export function offer({ picture, role }) {
  section.hidden = !picture;
  allowed = picture && role !== "spectator";
  note.textContent = allowed ? say("no-picture") : say("picture-host");
  canvas.hidden = true;
  note.hidden = false;
  run();
}

async function run() {
  if (running) return;
  running = true;
  let number = 0;
  while (allowed && seen && !document.hidden) {
    const began = performance.now();
    let pause = EVERY;
    try {
      const shown = await showNewest(canvas, number);
      if (shown.number !== number) {
        number = shown.number;
        canvas.hidden = number === 0;
        note.hidden = number !== 0;
      }
    } catch {
      pause = AFTER_FAULT;
    }
    await new Promise((done) => setTimeout(done, Math.max(0, pause - (performance.now() - began))));
  }
  running = false;
}
