// A file that is open: its text, what is saved of it, and what to undo.

import { filePath, request } from "./api.js";
import { dropDraft, keepDraft, takeDraft } from "./drafts.js";
import { parse } from "./json5.js";
import { Latest } from "./latest.js";
import { LineEnds } from "./lines.js";

/** Typing is saved after a pause of this length, and tried again after a failure. */
const pause = 300;
const retryDelay = 2000;
/** Changes within this time are undone together. */
const together = 700;
const mostUndone = 300;
/** Of a longer text only the beginning is shown, of so many characters; APNs takes 5,120 bytes at most. */
const longest = { json: 64 << 10, other: 256 << 10, shown: 8 << 10 };

export class Document {
  state = "saved";
  /** What is on disk in place of what was read: `text` (null if it is gone) and `version`. */
  theirs = null;
  #done = [];
  #undone = [];
  #changed = 0;
  #timer = null;
  #parsed = null;
  #saving = null;
  #reread = new Latest();

  /** `tell(document, what)` is told "text", "state" and "saved". */
  constructor({ path, kind, text, version, ends }, folder, tell) {
    Object.assign(this, { path, kind, text, version, ends, saved: text, tell });
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
  get written() { return this.ends.written(this.text); }
  get #isHeld() { return this.state === "conflict" || this.state === "closed"; }
  /** It is too long to be changed here. */
  get isLong() { return this.text.length > (this.isJSON ? longest.json : longest.other); }
  get shown() { return this.isLong ? this.text.slice(0, longest.shown) + "\n…" : this.text; }
  get isJSON() { return /\.(json5?|apns)$/i.test(this.path); }

  /** The text's tree; null while it is broken, and `mistake` says where. */
  get tree() { return this.#read().tree; }
  get mistake() { return this.#read().mistake; }

  #read() {
    if (this.#parsed?.text === this.text) return this.#parsed;
    this.#parsed = { text: this.text, tree: null, mistake: null };
    if (!this.isJSON || this.isLong) return this.#parsed;
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

  /** Writes the text unless it was changed on disk. Resolves when no more of it is on its way. */
  save() {
    clearTimeout(this.#timer);
    this.#saving ??= this.#write().finally(() => { this.#saving = null; });
    return this.#saving;
  }

  async #write() {
    if (this.#isHeld) return;
    try {
      while (this.text !== this.saved) {
        const { text, version, written } = this;
        this.#set("saving");
        const answer = await request(filePath(this.path), "PUT", { text: written, version });
        if (this.#isHeld) return;
        Object.assign(this, { version: answer.version, saved: text, ends: new LineEnds(written) });
      }
      if (this.state !== "saved") this.#settle();
    } catch (error) {
      if (this.#isHeld) return;
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
      Object.assign(this, { version: theirs.version, saved: theirs.text, ends: theirs.ends });
      return this.#settle();
    }
    this.theirs = theirs;
    this.#set("conflict");
  }

  /** The listing has another version, or none: the file is read, unless something is typed that is not in it. */
  async refresh(version) {
    if (version === this.version || this.state !== "saved") return;
    const theirs = await this.#reread.of(request(filePath(this.path)).then(withLF, goneOr));
    if (!theirs || this.state !== "saved" || theirs.version === this.version) return;
    if (theirs.text === null) return this.#oppose(theirs);
    this.#done.push(this.text);
    Object.assign(this, { text: theirs.text, saved: theirs.text, version: theirs.version, ends: theirs.ends });
    this.tell(this, "text");
    this.tell(this, "saved");
  }

  keepMine() {
    this.version = this.theirs.version;
    this.saved = this.theirs.text;
    this.#resolve();
  }

  takeTheirs() {
    const { text, version, ends } = this.theirs;
    this.#done.push(this.text);
    Object.assign(this, { text, saved: text, version, ends });
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

/** A text field has lines that end in LF; the file keeps its own. */
const withLF = ({ text = null, version = null, ...others }) => {
  const ends = new LineEnds(text ?? "");
  return { ...others, version, ends, text: text === null ? null : ends.text };
};

/** What is on disk in place of a file that is gone. */
const goneOr = (error) => {
  if (error.status !== 404) throw error;
  return withLF({});
};
