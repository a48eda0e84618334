// How does this page say the referee's calls aloud, and how does the table's ear learn when not to listen?

import { say } from "./words.js";

const PATIENCE = [2000, 8000, 12000, 4000]; // milliseconds a call of each level may wait: then the game has gone on
const POLITE = 1000; // milliseconds a call waits for a word that is owed: the ear cannot hear it meanwhile
const SILENT = 4000; // a browser that reports no end has surely ended by then, and a tenth of a second a letter

/** Speaks one call at a time, the most important first; a newer call about the same replaces an older one. */
export class Voice {
  /** @param report called with a message for the table: a call began, or ended, to be audible here */
  constructor(button, report) {
    Object.assign(this, { button, report });
    this.synthesis = window.speechSynthesis;
    this.on = false;
    this.last = null; // number of the newest call seen; null before the first view
    this.waiting = [];
    this.speaking = null;
    this.owed = false;
    button.addEventListener("click", () => this.toggle());
    addEventListener("pagehide", () => this.stop());
  }

  /** The table's newest view: what is new in it is spoken, nothing twice, and nothing from before the page opened. */
  hear(view) {
    const { voice } = view;
    this.button.hidden = !voice?.pages || document.body.dataset.role === "spectator";
    if (!voice) return;
    this.owed = view.due.length > 0;
    const newest = Math.max(voice.since - 1, ...voice.calls.map((call) => call.number));
    const stale = ({ number }) => number < voice.since || voice.dropped.includes(number);
    const fresh = this.last === null ? [] : voice.calls.filter((call) => call.number > this.last && !stale(call));
    this.last = newest;
    this.waiting = this.waiting.filter((call) => !stale(call));
    if (this.speaking?.number && stale(this.speaking)) this.synthesis.cancel();
    if (!this.on || this.button.hidden) return;
    const now = performance.now();
    for (const call of fresh) this.add({ ...call, politely: now + POLITE, until: now + PATIENCE[call.level] });
    this.next();
  }

  add(call) {
    const replaces = (other) => call.about !== "" && other.about === call.about;
    this.waiting = this.waiting.filter((other) => !replaces(other));
    this.waiting.push(call);
    if (this.speaking && (call.level > this.speaking.level || replaces(this.speaking))) this.synthesis.cancel();
  }

  next() {
    this.waiting = this.waiting.filter((call) => performance.now() < call.until);
    if (this.speaking || !this.waiting.length) return;
    const wait = Math.min(...this.waiting.map((call) => call.politely)) - performance.now();
    clearTimeout(this.later);
    if (this.owed && wait > 0) {
      this.later = setTimeout(() => this.next(), wait);
      return;
    }
    const call = this.waiting.reduce((best, other) => (other.level > best.level ? other : best));
    this.waiting.splice(this.waiting.indexOf(call), 1);
    this.utter(call);
  }

  utter(call) {
    const words = new SpeechSynthesisUtterance(call.text);
    words.lang = document.documentElement.lang;
    this.speaking = call;
    const over = () => {
      clearTimeout(late);
      if (this.speaking !== call) return;
      this.report({ do: "spoke", number: call.number, state: "ended" });
      this.speaking = null;
      this.next();
    };
    const late = setTimeout(() => {
      this.synthesis.cancel();
      over();
    }, SILENT + 100 * call.text.length);
    words.onstart = () => this.report({ do: "spoke", number: call.number, state: "began" });
    words.onend = words.onerror = over;
    this.words = words; // a browser may forget an utterance that nobody holds, and its end with it
    this.synthesis.speak(words);
  }

  /** The tap that browsers want before a page may speak. */
  toggle() {
    if (!this.synthesis) {
      this.button.textContent = say("sound-none");
      return;
    }
    this.on = !this.on;
    this.button.setAttribute("aria-pressed", String(this.on));
    this.button.textContent = say(this.on ? "sound-on" : "sound-off");
    if (this.on) this.utter({ number: 0, level: 0, about: "", text: say("sound-on") });
    else this.stop();
  }

  stop() {
    this.waiting = [];
    if (this.speaking) this.synthesis.cancel();
  }
}

/** The microphone's loudness, and what to do about it. */
export function showSound(view, box) {
  const { sound } = view;
  box.hidden = !sound;
  if (!sound) return;
  const meter = box.querySelector("meter");
  meter.max = sound.steps;
  meter.high = sound.steps - 1;
  meter.value = sound.level;
  const notes = [sound.advice];
  if (sound.overflows) notes.push(say("overflows", { count: sound.overflows }));
  if (sound.restarts) notes.push(say("restarts", { count: sound.restarts }));
  box.querySelector("p").textContent = notes.filter(Boolean).join(" ");
}
