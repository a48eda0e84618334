// How is a WebSocket kept right when it may be dead without saying so? By what is heard of it, not by what it reports.

const OPENING = 6000; // milliseconds until the first word: a handshake may hang for ever
const QUIET = 7000; // without a word: then the table counts as lost (it speaks every 3 s)
const OVERDUE = 4000; // without a word, when something suggests that much may have changed meanwhile
const FIRST_RETRY = 250;
const LAST_RETRY = 2000;

/** One WebSocket after the other to the same address, until `close`. */
export class Link {
  /**
   * @param path where the table listens
   * @param opened called when a new socket may be written to
   * @param heard called with every text that comes
   * @param lost called with the close event, or nothing where the socket was given up; a new one follows by itself
   * @param answers whether the table only answers here: then a word is due only after one of ours
   */
  constructor(path, { opened = () => {}, heard, lost, answers = false }) {
    Object.assign(this, { path, opened, heard, lost, answers });
    this.socket = null;
    this.since = null; // when the wait for the next word began; null where none is due
    this.retry = FIRST_RETRY;
    this.closed = false;
    for (const [target, event] of [[window, "online"], [window, "pageshow"], [document, "visibilitychange"]]) {
      target.addEventListener(event, () => document.hidden || this.check());
    }
  }

  open() {
    clearTimeout(this.waiting);
    this.drop();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = ({ data }) => this.hear(data);
    socket.onclose = (event) => this.lose(event);
    this.wait(OPENING);
  }

  /** Whether what is sent now may arrive. */
  get ready() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Bytes that wait to be sent. */
  get waits() {
    return this.socket?.bufferedAmount ?? 0;
  }

  send(message) {
    if (!this.ready) return;
    this.socket.send(message);
    if (this.since === null) this.wait(QUIET);
  }

  /** End it; `code` tells the table why. */
  close(code) {
    this.closed = true;
    clearTimeout(this.waiting);
    this.drop(code);
  }

  hear(text) {
    this.retry = FIRST_RETRY;
    this.wait(this.answers ? null : QUIET);
    this.heard(text);
  }

  /** A word is due within so many milliseconds; null: none is. */
  wait(milliseconds) {
    clearTimeout(this.silence);
    this.since = milliseconds === null ? null : Date.now();
    if (milliseconds !== null) this.silence = setTimeout(() => this.lose(), milliseconds);
  }

  /** Forget the socket at once: the event that it is closed may take a minute to come. */
  drop(code) {
    this.wait(null);
    const { socket } = this;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close(code);
  }

  lose(event) {
    this.drop();
    this.waiting = setTimeout(() => this.open(), this.retry * (0.75 + Math.random() / 2));
    this.retry = Math.min(this.retry * 2, LAST_RETRY);
    this.lost(event);
  }

  /** Something suggests that it would work now, or works no longer (no timer ran while the device slept). */
  check() {
    if (this.closed || (this.socket === null && this.waiting === undefined)) return;
    const dead = this.socket !== null && this.socket.readyState > WebSocket.OPEN;
    const overdue = this.since !== null && Date.now() - this.since > OVERDUE;
    if (this.socket !== null && (dead || overdue)) this.lose();
    if (this.socket === null) this.open();
  }
}
