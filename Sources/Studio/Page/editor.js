// The text of a file: a text field over a layer with line numbers, colors and marks.

import { find, make } from "./dom.js";

const tokens = /(\/\/.*|\/\*[^]*?(?:\*\/|$))|("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)(\s*:)?|([\p{ID_Start}$_][\p{ID_Continue}$-]*)(\s*:)?|([+-]?\d[\d.eE+-]*)/gu;
/** Texts longer than this are not colored. */
const mostColored = 200000;

export class Editor {
  #field = find("text");
  #layer = find("layer");
  #document = null;
  #lines = [];
  #mayLeave = false;
  #marks = [];

  constructor() {
    this.#field.addEventListener("input", () => this.#document?.change(this.#field.value));
    this.#field.addEventListener("keydown", (event) => this.#press(event));
    this.#field.addEventListener("blur", () => { this.#mayLeave = false; });
    this.#field.addEventListener("beforeinput", (event) => {
      if (event.inputType === "historyUndo") this.#revert(event, "undo");
      if (event.inputType === "historyRedo") this.#revert(event, "redo");
    });
  }

  get document() { return this.#document; }

  show(document) {
    const isOther = this.#document !== document;
    this.#document = document;
    this.#field.setAttribute("aria-label", "Text of " + document.path);
    if (isOther) this.#field.parentElement.parentElement.scrollTop = 0;
    this.update();
  }

  /** Draws what has changed; the caret stays with the text around it. */
  update() {
    const { text } = this.#document;
    if (this.#field.value !== text) {
      const { selectionStart, selectionEnd, value } = this.#field;
      const isFocused = document.activeElement === this.#field;
      this.#field.value = text;
      const moved = (place) => place + (place <= commonStart(value, text) ? 0 : text.length - value.length);
      if (isFocused) this.#field.setSelectionRange(moved(selectionStart), moved(selectionEnd));
    }
    this.#draw();
  }

  /** Marks are ranges with `start`, `end` and `severity`. */
  mark(marks) {
    this.#marks = marks;
    this.#draw();
  }

  /** Selects a range, and scrolls there. */
  reveal(start, end) {
    this.#field.focus();
    this.#field.setSelectionRange(start, end);
    const line = this.#document.text.slice(0, start).split("\n").length - 1;
    this.#layer.children[line]?.scrollIntoView({ block: "center" });
  }

  /** Only lines that differ from those drawn are drawn anew. */
  #draw() {
    const lines = linesOf(this.#document, this.#marks);
    const stamps = lines.map((line) => line.map(([text, kind]) => kind + "\u0001" + text).join("\u0002"));
    const old = this.#lines;
    let start = 0;
    while (start < Math.min(old.length, stamps.length) && old[start] === stamps[start]) start += 1;
    let end = 0;
    while (end < Math.min(old.length, stamps.length) - start && old.at(-1 - end) === stamps.at(-1 - end)) end += 1;
    const drawn = lines.slice(start, lines.length - end).map((line) => make("div", { class: "code" },
      line.map(([text, kind]) => kind ? make("span", { class: kind }, text) : text), "\u200b"));
    [...this.#layer.children].slice(start, old.length - end).forEach((line) => line.remove());
    const next = this.#layer.children[start];
    if (next) next.before(...drawn);
    else this.#layer.append(...drawn);
    this.#lines = stamps;
  }

  /** Tab indents; after Escape it leaves the field, as everywhere else. */
  #press(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && /^[zy]$/i.test(event.key)) {
      return this.#revert(event, event.key.toLowerCase() === "y" || event.shiftKey ? "redo" : "undo");
    }
    if (event.key === "Escape") this.#mayLeave = true;
    else if (event.key === "Tab" && !this.#mayLeave && !isCommand && !event.altKey) this.#indent(event);
    else if (event.key === "Enter" && !isCommand && !event.isComposing) this.#break(event);
    else if (event.key !== "Tab" && event.key !== "Shift") this.#mayLeave = false;
  }

  #revert(event, name) {
    event.preventDefault();
    this.#document[name]();
  }

  #indent(event) {
    event.preventDefault();
    const { selectionStart: start, selectionEnd: end, value } = this.#field;
    if (!event.shiftKey && start === end) return this.#insert("  ");
    const from = value.lastIndexOf("\n", start - 1) + 1;
    const block = value.slice(from, end);
    const moved = event.shiftKey ? block.replace(/^ {1,2}/gm, "") : block.replace(/^(?=.)/gm, "  ");
    this.#field.setSelectionRange(from, end);
    this.#insert(moved);
    this.#field.setSelectionRange(from, from + moved.length);
  }

  #break(event) {
    event.preventDefault();
    const { selectionStart: start, value } = this.#field;
    const line = value.slice(value.lastIndexOf("\n", start - 1) + 1, start);
    const indent = /^[ \t]*/.exec(line)[0] + (/[[{]\s*$/.test(line) ? "  " : "");
    this.#insert("\n" + indent);
  }

  #insert(text) {
    const { selectionStart, selectionEnd } = this.#field;
    this.#field.setRangeText(text, selectionStart, selectionEnd, "end");
    this.#document.change(this.#field.value);
  }
}

const commonStart = (a, b) => {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
};

/** Pieces of text with the name of their kind, by line. */
const linesOf = ({ text, isJSON }, marks) => {
  const cuts = isJSON && text.length < mostColored ? colored(text) : [];
  const edges = new Set([0, text.length, ...cuts.flatMap(([start, end]) => [start, end]),
    ...marks.flatMap(({ start, end }) => [start, end])]);
  const lines = [[]];
  const places = [...edges].sort((a, b) => a - b);
  let cut = 0;
  places.slice(0, -1).forEach((start, index) => {
    while (cut < cuts.length && cuts[cut][1] <= start) cut += 1;
    const color = cuts[cut]?.[0] <= start ? cuts[cut][2] : "";
    const mark = marks.find((mark) => mark.start <= start && start < mark.end);
    const kind = [color, mark && "mark-" + mark.severity].filter(Boolean).join(" ");
    text.slice(start, places[index + 1]).split("\n").forEach((piece, index) => {
      if (index > 0) lines.push([]);
      if (piece) lines.at(-1).push([piece, kind]);
    });
  });
  return lines;
};

const colored = (text) => [...text.matchAll(tokens)].map(({ index, 1: comment, 2: string, 3: colon, 4: word, 5: colon2, 6: number }) => {
  const token = comment ?? string ?? word ?? number;
  const kind = comment ? "comment" : colon || colon2 ? "key" : string ? "string" : "value";
  return [index, index + token.length, kind];
});
