// What `fanfare check` says of a file, at its place, and the fixes that one click makes.

import { call } from "./api.js";
import { small } from "./controls.js";
import { make } from "./dom.js";
import { Raw, removeValue, renameKey, setValue } from "./edit.js";
import { memberOf, nodeAt, placeAt } from "./json5.js";
import { Latest } from "./latest.js";
import { resolved } from "./sheet.js";

export class Problems {
  list = [];
  /** What `check` tells of each file. */
  files = [];
  #checked = new Latest();

  /** Runs a check; `open` are the documents in which problems can be placed. */
  async check(words, open) {
    const texts = new Map(open.map((document) => [document, document.text]));
    const found = await this.#checked.of(call(words));
    if (!found) return;
    const { values: [report], errors } = found;
    this.files = report?.files ?? [];
    this.list = report ? this.files.flatMap(({ problems }) => problems.map((one) => placed(one, texts)))
      : [{ severity: "error", message: errors }];
  }

  clear() {
    this.#checked.drop();
    this.list = this.files = [];
  }

  /** All there are: what cannot be read is told without the program, as one types. */
  shown(open) {
    const broken = open.filter(({ mistake }) => mistake);
    return [...broken.map((document) => ({ severity: "error", document, message: document.mistake.message,
      offset: document.mistake.offset })), ...this.list.filter(({ document }) => !broken.includes(document))];
  }
}

const placed = (problem, texts) => {
  const path = problem.file && resolved("", problem.file);
  const document = [...texts.keys()].find((document) => document.path === path);
  const header = /^header (.+)$/.exec(problem.path ?? "")?.[1];
  if (document?.isLong) return { ...problem, message: "line " + problem.line + ": " + problem.message };
  if (!document && path) return { ...problem, message: path + ": " + problem.message };
  if (!document || !problem.line) return { ...problem, header };
  const text = texts.get(document);
  const offset = offsetOf(text, problem.line, problem.column);
  const place = document.tree && document.text === text ? placeAt(document.tree, offset) : null;
  return { ...problem, header, document, offset, place };
};

/** A place given by line and column, which counts characters, as an offset. */
const offsetOf = (text, line, column) => {
  const lines = text.split("\n").slice(0, line);
  const last = [...lines.pop()].slice(0, column - 1).join("");
  return lines.reduce((sum, line) => sum + line.length + 1, last.length);
};

/** Where a problem is now, after other edits: `start` and `end`. */
export const rangeOf = ({ document, place, offset = 0 }) => {
  if (!place || !document.tree) {
    const start = Math.min(offset, Math.max(0, document.text.length - 1));
    const end = document.isJSON ? -1 : document.text.indexOf("\n", start);
    return { start, end: end < 0 ? start + 1 : end };
  }
  const { path, isKey } = place;
  const node = nodeAt(document.tree, path);
  if (!node) return { start: 0, end: 0 };
  const member = memberOf(nodeAt(document.tree, path.slice(0, -1)), path.at(-1));
  const isBig = node.kind === "object" || node.kind === "array";
  if (member && (isKey || isBig)) return { start: member.start, end: member.keyEnd };
  return { start: node.start, end: isBig ? node.start + 1 : node.end };
};

/** A fix that names one value: its `label`, and `apply()`; null if there is none. */
export const fixOf = (problem, setHeader) => {
  const { fix = "", document, place, rule, header } = problem;
  const value = /^(?:Did you mean ['"]?(.+?)['"]?\?|Use (?:the topic )?"?([^\s",]+?)"?\.)$/.exec(fix)?.slice(1).find(Boolean);
  const fixing = (label, apply) => ({ label, apply });
  if (!document || !place?.path.length) {
    return header && value ? fixing("Use " + value, () => setHeader(header, value)) : null;
  }
  const { path, isKey } = place;
  const { style } = document;
  const node = nodeAt(document.tree, path);
  const change = (label, edit) => fixing(label, () => document.change(edit(document.text)));
  const set = (label, path, value) => change(label, (text) => setValue(text, path, value, style));
  const [, key, number] = /^Write .*"([\w-]+)": (\d+|true)\}\.$/.exec(fix) ?? [];
  if (key) return set("Add " + key, [...path.slice(0, path.indexOf("aps") + 1), key], new Raw(number));
  if (value && isKey) return change("Rename to " + value, (text) => renameKey(text, path, value, style));
  if (value) return set("Use " + value, path, node?.kind === "number" ? new Raw(value) : value);
  if (rule === "key-kind" && /^(-?\d+(\.\d+)?|true|false)$/.test(node?.value)) {
    const other = node.kind === "string" ? node.value : JSON.stringify(node.raw);
    return set("Use " + other, path, new Raw(other));
  }
  const isExtra = /^(Remove (the key|it|the header)|Omit the priority)\b/.test(fix);
  return isExtra ? change("Remove", (text) => removeValue(text, path)) : null;
};

/** A problem with its fix. */
export const problemLine = (problem, setHeader) => {
  const fix = fixOf(problem, setHeader);
  return make("p", { class: problem.severity }, problem.message, " ",
    fix ? small(fix.label, fix.apply) : make("span", { class: "soft" }, problem.fix));
};

/** A problem with its place, to which a click leads. */
export const problemRow = (problem, main, { go, setHeader }) => {
  const { document } = problem;
  const line = problemLine(problem, setHeader);
  if (!document) return line;
  const number = document.text.slice(0, rangeOf(problem).start).split("\n").length;
  const file = document === main ? "line " : document.path.split("/").pop() + " line ";
  line.prepend(small(file + number, () => go(problem)), " ");
  return line;
};
