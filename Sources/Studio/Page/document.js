// A file that is open: its text, what is saved of it, and what to undo.

import { filePath, request } from "./api.js";
import { dropDraft, keepDraft, takeDraft } from "./drafts.js";
import { parse } from "./json5.js";

/** Typing is saved after a pause of this length, and tried again after a failure. */
const pause = 300;
const retryDelay = 2000;
/** Changes within this time are undone together. */
const together = 700;
const mostUndone = 300;

export class Document {
  state = "saved";
  /** What is on disk in place of what was read: `text` (null if it is gone) and `version`. */
  theirs = null;
  #done = [];
  #undone = [];
  #changed = 0;
  #timer = null;
  #parsed = null;

  /** `tell(document, what)` is told "text", "state" and "saved". */
  constructor({ path, kind, text, version, hasCRLF }, folder, tell) {
    Object.assign(this, { path, kind, text, version, hasCRLF, saved: text, tell });
    this.place = folder + "\n" + path;
  }

  static async open(path, folder, tell) {
    const document = new Document(withLF(await request(filePath(path))), folder, tell);
    const draft = takeDraft(document.place);
    if (draft && draft.text !== document.text) document.#restore(draft);
    return document;
  }

  /** What another version of the file was changed to is not written over this one. */
  #restore(draft) {
    const { text, version } = this;
    this.change(draft.text);
    if (draft.version !== version) this.#oppose({ text, version });
  }

  get style() { return { isJSON5: /\.json5$/i.test(this.path) }; }
  /** The text as it is written to the file. */
  get written() { return this.asWritten(this.text); }
  asWritten(text) { return this.hasCRLF ? text.replaceAll("\n", "\r\n") : text; }
  get #isHeld() { return this.state === "conflict" || this.state === "closed"; }
  get isJSON() { return /\.(json5?|apns)$/i.test(this.path); }

  /** The text's tree; null while it is broken, and `mistake` says where. */
  get tree() { return this.#read().tree; }
  get mistake() { return this.#read().mistake; }

  #read() {
    if (this.#parsed?.text === this.text) return this.#parsed;
    this.#parsed = { text: this.text, tree: null, mistake: null };
    if (!this.isJSON) return this.#parsed;
    try {
      this.#parsed.tree = parse(this.text);
    } catch (error) {
      this.#parsed.mistake = error;
    }
    return this.#parsed;
  }

  change(text) {
    if (text === this.text) return;
    const now = Date.now();
    if (now - this.#changed > together) this.#done.push(this.text);
    if (this.#done.length > mostUndone) this.#done.shift();
    this.#changed = now;
    this.#undone = [];
    this.#take(text);
  }

  undo() { this.#step(this.#done, this.#undone); }
  redo() { this.#step(this.#undone, this.#done); }

  #step(from, to) {
    if (from.length === 0) return;
    to.push(this.text);
    this.#changed = 0;
    this.#take(from.pop());
  }

  #take(text) {
    this.text = text;
    keepDraft(this.place, text, this.version);
    this.tell(this, "text");
    if (!this.#isHeld) this.#await(pause, "edited");
  }

  #await(delay, state) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), delay);
    this.#set(state);
  }

  #set(state) {
    this.state = state;
    this.tell(this, "state");
  }

  /** Writes the text unless it was changed on disk. */
  async save() {
    clearTimeout(this.#timer);
    if (this.state === "saving" || this.#isHeld) return;
    if (this.text === this.saved) return this.state === "saved" ? undefined : this.#settle();
    const { text, version } = this;
    this.#set("saving");
    try {
      const answer = await request(filePath(this.path), "PUT", { text: this.written, version });
      Object.assign(this, { version: answer.version, saved: text });
      if (this.text === text) return this.#settle();
      this.#await(pause, "edited");
    } catch (error) {
      this.problem = error.message;
      if (error.status === 409) this.#oppose(withLF(error.answer));
      else this.#await(retryDelay, "failed");
    }
  }

  #settle() {
    dropDraft(this.place);
    this.#set("saved");
    this.tell(this, "saved");
  }

  #oppose(theirs) {
    clearTimeout(this.#timer);
    if (theirs.text === this.text) {
      Object.assign(this, { version: theirs.version, saved: theirs.text });
      return this.#settle();
    }
    this.theirs = theirs;
    this.#set("conflict");
  }

  /** The listing has another version: it is read, unless something is typed that is not in it. */
  async refresh(version) {
    if (version === this.version || this.state !== "saved") return;
    if (version === null) return this.#oppose({ text: null, version: null });
    const theirs = withLF(await request(filePath(this.path)));
    if (this.text !== this.saved) return this.save();
    this.#done.push(this.text);
    Object.assign(this, { text: theirs.text, saved: theirs.text, version: theirs.version });
    this.tell(this, "text");
    this.tell(this, "saved");
  }

  keepMine() {
    this.version = this.theirs.version;
    this.saved = this.theirs.text;
    this.#resolve();
  }

  takeTheirs() {
    const { text, version } = this.theirs;
    this.#done.push(this.text);
    Object.assign(this, { text, saved: text, version });
    this.tell(this, "text");
    this.#resolve();
  }

  #resolve() {
    this.theirs = null;
    this.state = "edited";
    return this.save();
  }

  /** Nothing more is written to it. */
  close() {
    clearTimeout(this.#timer);
    dropDraft(this.place);
    this.state = "closed";
  }
}

/** A text field has lines that end in LF. A file in which all end in CRLF is given that back. */
const withLF = ({ text = null, version = null, ...others }) => {
  const hasCRLF = /\r\n/.test(text) && !/(^|[^\r])\n/.test(text);
  return { ...others, version, hasCRLF, text: hasCRLF ? text.replaceAll("\r\n", "\n") : text };
};
