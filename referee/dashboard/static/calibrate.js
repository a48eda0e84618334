// What does the eye see? The newest frame with the cards it knows drawn in.

import { say } from "./words.js";

const EVERY = 250; // milliseconds
const canvas = document.getElementById("eye");
const fault = document.getElementById("fault");
let number = 0;

async function look() {
  const answer = await fetch(`/picture?drawn=true&after=${number}`, { cache: "no-store" });
  if (answer.status === 200) {
    const bitmap = await createImageBitmap(await answer.blob());
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
    number = Number(answer.headers.get("x-picture"));
    canvas.dataset.number = number;
  }
  return answer.status === 403 ? say("picture-host") : number ? "" : say("no-picture");
}

for (;;) {
  const why = await look().catch(() => say("not-sent"));
  fault.textContent = why;
  fault.hidden = !why;
  await new Promise((done) => setTimeout(done, EVERY));
}
