// How is everything that eye and ear could report tapped instead?

import { cardName, faceMark, faceOf, partsOf, rankMark, suitMark } from "./cards.js";
import { make } from "./dom.js";
import { mayTap } from "./lists.js";
import { nameOf } from "./turn.js";
import { pieces, say, sayIf } from "./words.js";

const $ = (id) => document.getElementById(id);

/** The sheets that come up from the bottom. `send(message)` rejects with words for people, `tell` shows them. */
export class Sheets {
  constructor(send, tell) {
    Object.assign(this, { send, tell });
    this.view = null;
    this.open = null; // the sheet that is up, by its name
    this.row = null; // the row of the record that is being corrected
    this.was = {}; // what that row says
    this.own = "?"; // whom this device speaks for
    this.seat = "?";
    this.against = "?";
    this.face = { rank: null, suit: null };
    for (const button of document.querySelectorAll("[data-suit]")) button.append(suitMark(button.dataset.suit));
    for (const button of document.querySelectorAll("[data-rank], [data-face]:not([data-face=''])")) {
      const { rank, face } = button.dataset;
      button.append(face ? faceMark(face) : rankMark(rank));
      button.title = face ? cardName(face) : sayIf(`uno-${rank}`, "");
      if (!button.textContent) button.ariaLabel = button.title; // a sign alone
    }
    document.addEventListener("click", (event) => this.click(event));
    $("other").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = $("other-words").value.trim().toLowerCase();
      if (text) this.tap({ kind: "said", text });
    });
    $("way").addEventListener("change", () => this.fillCard());
    for (const dialog of document.querySelectorAll("dialog")) {
      dialog.addEventListener("close", () => {
        if (this.open === dialog.id.slice("sheet-".length)) this.open = this.row = null;
      });
    }
  }

  /**
   * Bring up sheet `name`; `seat` is preset, `row` is a row of the record that is to be corrected, `ballot` the ruling
   * that is voted on, `question` one that a card is named for.
   */
  show(name, { seat, row = null, ballot = null, question = null } = {}) {
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    const { view } = this;
    this.row = row;
    this.was = row?.what ?? {};
    this.open = name;
    this.ballot = ballot;
    this.question = question;
    const usual = this.own !== "?" || name === "claim" ? this.own : view.turn?.seat;
    this.seat = seat ?? this.was.seat ?? usual ?? "?";
    this.against = this.was.against ?? "?";
    const dialog = $(`sheet-${name}`);
    dialog.querySelector(".sheet-error").hidden = true;
    for (const chooser of dialog.querySelectorAll("[data-seats]")) this.fillSeats(chooser);
    this.fillers[name]?.();
    dialog.showModal();
  }

  fillers = {
    card: () => {
      if (this.view.opening && !this.row && !this.alone) this.seat = "?"; // the first card is nobody's play
      $("card-whose").hidden ||= this.view.opening && !this.row;
      $("card-whose").hidden = $("card-whose").hidden || this.question !== null;
      this.face = partsOf(this.was.card) ?? { rank: null, suit: null };
      document.querySelector(`#way [value=${this.was.kind ?? "landed"}]`).checked = true;
      $("way").hidden = this.row !== null || this.question !== null;
      $("card-unread").hidden = this.question !== null;
      this.fillCard();
    },
    said: () => {
      $("other-words").value = this.was.text ?? "";
      this.fillWords();
    },
    vote: () => {
      const { subject, text, kind, uphold, voters } = this.ballot;
      $("sheet-vote-title").textContent = text;
      $("vote-note").textContent = say(kind === "penalty" ? "vote-dispute" : uphold ? "vote-yes" : "vote-no");
      const seats = this.view.seats.filter(({ seat }) => voters?.includes(seat) ?? true);
      $("voters").replaceChildren(...seats.map(({ seat, name }, place) => make(
        "button",
        { type: "button", "data-key": place + 1, onclick: () => this.tap({ kind: "voted", seat, uphold, subject }) },
        make("bdi", {}, name),
      )));
    },
    phones: () => {
      const { code, url, lan } = this.join;
      $("phones-note").textContent = say(lan ? "phones-scan" : "phones-lan");
      $("qr").src = "/qr.svg";
      $("join-url").textContent = url;
      $("join-code").textContent = code;
      $("free-seats").replaceChildren(...this.view.seats.map(({ seat, name }) => make(
        "button",
        {
          type: "button",
          onclick: () => this.confirm(
            { do: "free", seat },
            { title: say("free-seat", { who: name }), note: say("free-note", { who: name }), yes: say("free-yes") },
          ),
        },
        make("bdi", {}, name),
      )));
    },
    point: () => {
      const { view } = this;
      $("hands").hidden = !(view.turn?.hand || this.was.hand);
      document.querySelector(`#hands [value="${this.was.hand ?? 0}"]`).checked = true;
      $("targets").replaceChildren(...view.seats.map(({ seat, name }) => make(
        "button",
        { type: "button", onclick: () => this.tap({ kind: "pointed", at: seat, hand: this.hand() }) },
        make("bdi", {}, name),
      )));
    },
  };

  /** The words on the sheet: it may be up before the card that they are due for has come. */
  fillWords() {
    const { view } = this;
    // what is still to be said has a button of its own for each word, and says whose it is
    const due = this.row ? [] : view.due;
    $("due-words").replaceChildren(...due.filter(mayTap).flatMap(({ seat, words }) => words.map((text) => make(
      "button.main",
      { type: "button", onclick: () => this.tap({ kind: "said", text, seat }) },
      ...(this.alone ? [`“${text}”`] : pieces("said-button", { who: make("bdi", {}, nameOf(view, seat)), words: text })),
    ))));
    const taken = due.flatMap(({ words }) => words);
    const words = new Set([...(this.row ? view.due.flatMap((other) => other.words) : []), ...view.listening]);
    $("listening").replaceChildren(...[...words].filter((text) => !taken.includes(text)).map((text) => make(
      "button", { type: "button", onclick: () => this.tap({ kind: "said", text }) }, text,
    )));
  }

  /** Vote on `ruling` for this device's seat, or ask whose vote it is. */
  vote(ruling, uphold) {
    if (this.own === "?" || ruling.voters?.includes(this.own) === false) this.show("vote", { ballot: { ...ruling, uphold } });
    else this.ask({ do: "tap", what: { kind: "voted", seat: this.own, uphold, subject: ruling.subject } });
  }

  /** Ask whether `message` is meant before it is sent. */
  confirm(message, { title, note, yes }) {
    $("sheet-sure-title").textContent = title;
    $("sure-note").textContent = note;
    $("sure-yes").textContent = yes;
    $("sure-yes").onclick = () => this.ask(message);
    this.show("sure");
  }

  /** What the table said when the connection opened: a seat's own phone taps for that seat alone. */
  greet({ role, seat, join }) {
    this.join = join;
    this.alone = role === "seat";
    if (this.alone) this.own = seat;
  }

  hand() {
    return $("hands").hidden ? 0 : Number(document.querySelector("#hands :checked").value);
  }

  fillSeats(chooser) {
    const field = chooser.dataset.seats;
    const alone = this.alone && field === "seat";
    const seats = this.view.seats.filter(({ seat }) => !alone || seat === this.own);
    const options = [...seats.map(({ seat, name }) => [seat, name]), ...(alone ? [] : [["?", say("somebody")]])];
    chooser.hidden = alone;
    chooser.querySelector(".options").replaceChildren(...options.map(([seat, name]) => make(
      "label",
      {},
      make("input", {
        type: "radio",
        name: `${chooser.closest("dialog").id}-${field}`,
        value: seat,
        checked: this[field] === seat,
        onchange: () => { this[field] = seat; },
      }),
      make("span", { dir: "auto" }, name),
    )));
  }

  fillCard() {
    const { face, view } = this;
    const back = document.querySelector("#way :checked").value === "taken-back";
    $("take-back-top").hidden = !back || this.row !== null || view.top === null;
    $("take-back-top").textContent = say("take-back-top", { card: view.topName });
    for (const button of document.querySelectorAll("[data-suit]")) {
      button.setAttribute("aria-pressed", String(button.dataset.suit === face.suit));
    }
    for (const button of document.querySelectorAll("[data-rank]")) {
      button.setAttribute("aria-pressed", String(button.dataset.rank === face.rank));
    }
    $("save-card").hidden = this.row === null;
    $("save-card").disabled = !(face.rank && face.suit);
  }

  click(event) {
    const button = event.target.closest("button");
    if (event.target.matches("dialog[open]")) event.target.close(); // beside the sheet
    if (!button) return;
    const { open, close, suit, rank, face, count, code } = button.dataset;
    const what = button.dataset.do;
    if (close !== undefined) button.closest("dialog").close();
    else if (open) this.show(open, { seat: button.dataset.forSeat === undefined ? undefined : this.seat });
    else if (suit || rank) this.pick(suit ? { suit } : { rank });
    else if (face !== undefined) this.tapCard(face || null);
    else if (button.id === "save-card") this.tapCard(faceOf(this.face));
    else if (button.id === "take-back-top") this.tapCard(this.view.top === "?" ? null : this.view.top);
    else if (count) this.tap({ kind: "taken", count: Number(count) });
    else if (code) this.tap({ kind: "claimed", against: this.against, code });
    else if (what) this.tap({ kind: what, seat: this.alone ? this.own : this.view.turn?.seat ?? "?" });
  }

  /** Rank and suit in either order; the second of them puts the card down. */
  pick(part) {
    Object.assign(this.face, part);
    if (this.face.rank && this.face.suit && this.row === null) this.tapCard(faceOf(this.face));
    this.fillCard();
  }

  tapCard(card) {
    if (this.question) this.ask({ do: "answer", question: this.question.subject, answer: card });
    else this.tap({ kind: document.querySelector("#way :checked").value, card });
  }

  /** Report `what` (by the chosen seat), or put the row right with it. */
  async tap(what) {
    const observation = { seat: this.seat, ...what };
    const message = this.row ? { do: "correct", of: this.row.row, what: observation } : { do: "tap", what: observation };
    await this.ask(message);
  }

  /** Send `message` and close the sheet, or say on the sheet why not. */
  async ask(message) {
    const dialog = this.open && $(`sheet-${this.open}`);
    if (this.busy) return;
    this.busy = true;
    try {
      await this.send(message);
      dialog?.close();
    } catch (fault) {
      if (!dialog?.open) {
        this.tell(fault.message);
        return;
      }
      const line = dialog.querySelector(".sheet-error");
      line.textContent = fault.message;
      line.hidden = false;
      line.scrollIntoView({ block: "nearest" });
      this.face = { rank: null, suit: null };
      if (this.open === "card") this.fillCard();
    } finally {
      this.busy = false;
    }
  }
}
