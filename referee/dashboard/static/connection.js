// How does the page hear from the table, and how does it get right again after it missed something?

import { Link } from "./link.js";
import { say } from "./words.js";

const ANSWER = 5000; // milliseconds

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
    this.asked = new Map();
    this.lastId = 0;
    this.link = new Link("/live", { heard: (text) => this.hear(JSON.parse(text)), lost: () => this.lose() });
  }

  open() {
    this.link.open();
  }

  /** Do what `message` asks for. Rejects with words for people when it was not done. */
  send(message) {
    if (!this.link.ready || this.view === null) {
      return Promise.reject(new Error(say("not-sent")));
    }
    const id = ++this.lastId;
    return new Promise((done, fail) => {
      const late = setTimeout(() => this.settle(id, say("no-answer")), ANSWER);
      this.asked.set(id, { done, fail, late });
      this.link.send(JSON.stringify({ ...message, id }));
    });
  }

  hear(message) {
    if (message.type === "hello") this.greeted(message);
    else if (message.type === "answer") this.settle(message.id, message.error, message.of);
    else if (message.type === "snapshot") this.take(message, message.view);
    else if (message.type === "change" && message.after === this.number) this.take(message, message.news);
    else if (message.number !== this.number) this.link.send(JSON.stringify({ do: "snapshot" }));
  }

  take(message, news) {
    this.number = message.number;
    this.view = { ...this.view, ...news };
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

  lose() {
    this.linked("lost");
    for (const id of [...this.asked.keys()]) this.settle(id, say("no-answer"));
  }
}
