// The text of a file: a text field over a layer with line numbers, colors and marks.

import { sameEdges } from "./difference.js";
import { find, make, unprintable } from "./dom.js";

const comment = /(?<comment>\/\/.*|\/\*[^]*?(?:\*\/|$))/;
const string = /(?<string>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)/;
const tokens = new RegExp(comment.source + "|(?:" + string.source
  + String.raw`|[\p{ID_Start}$_][\p{ID_Continue}$]*|[+-]?\d[\d.eE+-]*)(?<colon>\s*:)?`, "gu");

export class Editor {
  #field = find("text");
  #layer = find("layer");
  #document = null;
  #lines = [];
  #mayLeave = false;

  constructor() {
    this.#field.disabled = true;
    this.#field.addEventListener("input", () => this.#document?.change(this.#field.value));
    this.#field.addEventListener("keydown", (event) => this.#press(event));
    this.#field.addEventListener("blur", () => { this.#mayLeave = false; });
    this.#field.addEventListener("beforeinput", (event) => {
      if (event.inputType === "historyUndo") this.#revert(event, "undo");
      if (event.inputType === "historyRedo") this.#revert(event, "redo");
    });
  }

  /** Shows a text with marks, which have `start`, `end` and `severity`. */
  show(document, marks) {
    if (this.#document !== document) this.#field.closest(".scroll").scrollTop = 0;
    this.#document = document;
    this.#field.disabled = false;
    this.#field.readOnly = document.isLong;
    this.#field.setAttribute("aria-label", "Text of " + document.path);
    this.#take(document.shown);
    this.#draw(document.isLong ? [] : marks);
  }

  /** Shows no text. */
  clear() {
    this.#document = null;
    this.#field.value = "";
    this.#field.disabled = true;
    this.#layer.replaceChildren();
    this.#lines = [];
  }

  /** The caret stays with the text around it. */
  #take(text) {
    const { selectionStart, selectionEnd, value } = this.#field;
    if (value === text) return;
    this.#field.value = text;
    if (document.activeElement !== this.#field) return;
    let same = 0;
    while (same < value.length && value[same] === text[same]) same += 1;
    const moved = (place) => place + (place <= same ? 0 : text.length - value.length);
    this.#field.setSelectionRange(moved(selectionStart), moved(selectionEnd));
  }

  /** Selects a range, and scrolls there. */
  reveal({ start, end }) {
    this.#field.focus();
    this.#field.setSelectionRange(start, end);
    const line = this.#document.text.slice(0, start).split("\n").length - 1;
    this.#layer.children[line]?.scrollIntoView({ block: "center" });
  }

  /** Only lines that differ from those drawn are drawn anew. */
  #draw(marks) {
    const lines = linesOf(this.#document, marks);
    const [old, now] = [this.#lines, lines.map((line) => JSON.stringify(line))];
    const { start, end } = sameEdges(old, now);
    const rows = [...this.#layer.children];
    rows.slice(start, old.length - end).forEach((row) => row.remove());
    const drawn = lines.slice(start, lines.length - end).map((line) => make("div", { class: "code" },
      line.map(([text, kind]) => kind ? make("span", { class: kind }, shown(text)) : shown(text)), "\u200b"));
    this.#layer.insertBefore(make("div"), rows[old.length - end] ?? null).replaceWith(...drawn);
    this.#lines = now;
  }

  /** Tab indents; after Escape it leaves the field, as everywhere else. */
  #press(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && /^[zy]$/i.test(event.key)) {
      return this.#revert(event, event.key.toLowerCase() === "y" || event.shiftKey ? "redo" : "undo");
    }
    if (event.key === "Escape" || this.#field.readOnly) this.#mayLeave = true;
    else if (event.key === "Tab" && !this.#mayLeave && !isCommand && !event.altKey) this.#indent(event);
    else if (event.key === "Enter" && !this.#field.readOnly && !isCommand && !event.isComposing) this.#break(event);
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

// Joiners are left alone in emoji and in scripts that need them.
const unseen = new RegExp("(?!\t)(" + unprintable.source
  + "|(?<=[\0-\x7f])[\u200c\u200d]|[\u200c\u200d](?=[\0-\x7f]))");

/** Characters that cannot be seen, or that turn others around, are told by their numbers in their places. */
const shown = (text) => text.split(unseen).map((part, index) => index % 2 === 0 ? part
  : make("span", { class: "code-point",
    "data-code": "U+" + part.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0") }));

/** Pieces of text with the name of their kind, by line. */
const linesOf = ({ shown: text, isJSON }, marks) => {
  const cuts = isJSON ? colored(text) : [];
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

/** Ranges with the name of a color. */
const colored = (text) => [...text.matchAll(tokens)].map(({ 0: all, index, groups }) => {
  const { comment, string, colon } = groups;
  const kind = comment ? "comment" : colon ? "key" : string ? "string" : "value";
  return [index, index + all.length - (colon?.length ?? 0), kind];
});
