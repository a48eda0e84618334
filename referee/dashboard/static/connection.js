// How does the page hear from the table, and how does it get right again after it missed something?

import { say } from "./words.js";

const QUIET = 8000; // milliseconds without a word after which the table counts as lost (it speaks every 3 s)
const ANSWER = 5000;
const FIRST_RETRY = 250;
const LAST_RETRY = 4000;

/** One WebSocket: a snapshot when it opens, then numbered changes; and what is tapped, the other way. */
export class Connection {
  /**
   * @param heard called with (view, names of what changed) after every snapshot and change
   * @param greeted called with the table's greeting: our role, and whether there is a picture
   * @param linked called with `connecting`, `connected` or `lost`
   */
  constructor({ heard, greeted, linked }) {
    Object.assign(this, { heard, greeted, linked });
    this.view = null;
    this.number = 0;
    this.retry = FIRST_RETRY;
    this.asked = new Map();
    this.lastId = 0;
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    addEventListener("pageshow", (event) => event.persisted && this.open());
  }

  open() {
    clearTimeout(this.waiting);
    this.socket?.close();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/live`);
    this.socket = socket;
    socket.onmessage = (event) => this.socket === socket && this.hear(JSON.parse(event.data));
    socket.onclose = () => this.socket === socket && this.lose();
    this.watch();
  }

  /** Do what `message` asks for. Rejects with words for people when it was not done. */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN || this.view === null) {
      return Promise.reject(new Error(say("not-sent")));
    }
    const id = ++this.lastId;
    return new Promise((done, fail) => {
      const late = setTimeout(() => this.settle(id, say("no-answer")), ANSWER);
      this.asked.set(id, { done, fail, late });
      this.socket.send(JSON.stringify({ ...message, id }));
    });
  }

  hear(message) {
    this.watch();
    if (message.type === "hello") this.greeted(message);
    else if (message.type === "answer") this.settle(message.id, message.error, message.of);
    else if (message.type === "snapshot") this.take(message, message.view);
    else if (message.type === "change" && message.after === this.number) this.take(message, message.news);
    else if (message.number !== this.number) this.socket.send(JSON.stringify({ do: "snapshot" }));
  }

  take(message, news) {
    this.number = message.number;
    this.view = { ...this.view, ...news };
    this.retry = FIRST_RETRY;
    this.linked("connected");
    this.heard(this.view, Object.keys(news));
  }

  settle(id, error, of = null) {
    const asked = this.asked.get(id);
    if (!asked) return;
    this.asked.delete(id);
    clearTimeout(asked.late);
    if (error) asked.fail(Object.assign(new Error(error), { of })); // `of`: the row, where people are to be asked first
    else asked.done();
  }

  watch() {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.socket.close(), QUIET);
  }

  lose() {
    clearTimeout(this.quiet);
    this.socket = null;
    this.linked("lost");
    for (const id of [...this.asked.keys()]) this.settle(id, say("no-answer"));
    this.waiting = setTimeout(() => this.open(), this.retry * (0.75 + Math.random() / 2));
    this.retry = Math.min(this.retry * 2, LAST_RETRY);
  }

  /** Something suggests that it would work now: do not wait any longer. */
  hurry() {
    if (this.socket === null) this.open();
  }
}
