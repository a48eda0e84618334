// How is this phone's camera or microphone lent to the table?

import { fromAddress, post } from "./enter.js";
import { Link } from "./link.js";
import { say } from "./words.js";

const EVERY = 1000 / 15; // milliseconds between two frames at least
const RATE = 16000;
const SECONDS = 2; // of sound that may wait to be sent; what comes then is left out
const STOPPED = 1000; // the close code that lets another phone take the place at once
const FINAL = [1008, 4000]; // close codes after which trying again makes no sense

const fault = document.getElementById("fault");

/** A link to the table that stamps what it sends, and comes back when it is lost. */
class Line extends Link {
  constructor(greeting, tell) {
    super("/push", {
      answers: true,
      opened: () => super.send(JSON.stringify(greeting)),
      heard: () => {
        this.free = true;
        tell("on");
      },
      lost: ({ code, reason } = {}) => {
        this.free = false;
        if (!FINAL.includes(code)) return tell("again");
        this.close();
        return this.refused?.(reason);
      },
    });
    this.free = false;
    this.open();
  }

  /** Send `bytes` that were captured at `t`, seconds of this phone's clock, if the table is there. */
  send(t, bytes) {
    const message = new Uint8Array(8 + bytes.byteLength);
    new DataView(message.buffer).setFloat64(0, t, true);
    message.set(new Uint8Array(bytes), 8);
    super.send(message);
  }

  close() {
    super.close(STOPPED);
  }
}

/** The camera: the newest frame whenever the table has taken the one before. */
async function camera(tell, refused) {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } },
  });
  const video = document.getElementById("preview");
  video.srcObject = stream;
  video.hidden = false;
  await video.play();
  const canvas = document.createElement("canvas");
  const line = new Line({ kind: "camera" }, tell);
  line.refused = refused;
  let last = 0;
  let drawing = false;
  const look = async (now, { captureTime } = {}) => {
    if (line.closed) return;
    video.requestVideoFrameCallback(look);
    if (!line.free || drawing || now - last < EVERY) return;
    last = now;
    drawing = true;
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext("2d").drawImage(video, 0, 0);
    const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
    const bytes = await blob.arrayBuffer();
    drawing = false;
    if (line.closed || !line.free) return;
    line.free = false;
    line.send((captureTime ?? now) / 1000, bytes);
  };
  video.requestVideoFrameCallback(look);
  return () => {
    line.close();
    stop(stream);
    video.hidden = true;
  };
}

/** The microphone: every piece of sound, as long as the table keeps up. */
async function microphone(tell, refused) {
  const raw = { echoCancellation: false, noiseSuppression: false, autoGainControl: false, channelCount: 1 };
  const stream = await navigator.mediaDevices.getUserMedia({ audio: raw });
  const context = new AudioContext({ sampleRate: RATE });
  await context.audioWorklet.addModule("/static/pieces.js");
  await context.resume();
  const line = new Line({ kind: "microphone", rate: context.sampleRate }, tell);
  line.refused = refused;
  const pieces = new AudioWorkletNode(context, "pieces", { numberOfOutputs: 0 });
  pieces.port.onmessage = ({ data: { t, pcm } }) => {
    if (line.ready && line.free && line.waits < SECONDS * RATE * 2) line.send(t, pcm);
  };
  context.createMediaStreamSource(stream).connect(pieces);
  return () => {
    line.close();
    stop(stream);
    context.close();
  };
}

function stop(stream) {
  for (const track of stream.getTracks()) track.stop();
}

const LEND = { camera, microphone };
const lent = new Map();
let told = null; // who we are, and who lends what

/** Show which place another phone has; the host may free it. */
async function look() {
  told = await fetch("/lend", { cache: "no-store" }).then((answer) => answer.json()).catch(() => null);
  for (const button of document.querySelectorAll("[data-lend]")) {
    const kind = button.dataset.lend;
    const section = button.parentElement;
    const other = told?.lent[kind] === "other";
    if (!lent.has(kind)) section.querySelector(".state").textContent = other ? say(`lend-other-${kind}`) : "";
    section.querySelector("[data-free]")?.remove();
    if (other && told.host) {
      const free = document.createElement("button");
      free.type = "button";
      free.dataset.free = kind;
      free.textContent = say("lend-free");
      free.addEventListener("click", async () => {
        complain(await post("/lend", { free: kind }));
        await look();
      });
      section.append(free);
    }
  }
}

/** Come in with the code in the address, unless this browser is at the table already. */
async function enter() {
  const code = fromAddress("code");
  await look();
  if (code === null || told === null || told.inside) return;
  complain(await post("/join", { code, seat: "?" }));
  await look();
}

const inside = enter();

for (const button of document.querySelectorAll("[data-lend]")) {
  const kind = button.dataset.lend;
  const state = button.parentElement.querySelector(".state");
  const tell = (how) => { state.textContent = say(`lend-${how}`); };
  const end = (why = "") => {
    lent.get(kind)?.();
    lent.delete(kind);
    button.setAttribute("aria-pressed", "false");
    button.textContent = say(`lend-${kind}`);
    state.textContent = "";
    complain(why);
    look();
  };
  button.addEventListener("click", async () => {
    if (lent.has(kind)) {
      end();
      return;
    }
    complain("");
    if (!navigator.mediaDevices) {
      complain(say("lend-insecure"));
      return;
    }
    button.disabled = true;
    await inside; // who is not at the table yet is refused
    try {
      lent.set(kind, await LEND[kind](tell, end));
      button.setAttribute("aria-pressed", "true");
      button.textContent = say("lend-stop");
      navigator.wakeLock?.request("screen").catch(() => {});
    } catch (error) {
      complain(say(error.name === "NotAllowedError" ? "lend-denied" : "lend-failed", { why: error.message }));
    }
    button.disabled = false;
  });
}

function complain(why) {
  fault.textContent = why;
  fault.hidden = !why;
}

document.addEventListener("visibilitychange", () => document.hidden || look());
