// What `fanfare check` says of a file, at its place, and the fixes that one click makes.

import { call } from "./api.js";
import { removeValue, renameKey, setValue, Raw } from "./edit.js";
import { nodeAt, memberOf, placeAt } from "./json5.js";
import { resolved } from "./sheet.js";

/** A place given by line and column, which count characters, as an offset. */
const offsetOf = (text, line, column) => {
  let start = 0;
  for (let number = 1; number < line; number += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0) break;
    start = end + 1;
  }
  const before = [...text.slice(start, start + 2 * column)].slice(0, column - 1).join("");
  return Math.min(start + before.length, text.length);
};

export class Problems {
  list = [];
  /** What `check` tells of each file. */
  files = [];
  #count = 0;

  /** Runs a check; `open` are the documents in which problems can be placed. */
  async check(words, open) {
    const count = this.#count += 1;
    const texts = new Map(open.map((document) => [document, document.text]));
    const { values: [report], errors } = await call(words);
    if (count !== this.#count) return false;
    this.files = report?.files ?? [];
    this.list = report ? this.files.flatMap((file) => file.problems).map((problem) => placed(problem, texts))
      : [{ severity: "error", message: errors.trim().replace(/^fanfare: error: /, ""), rule: "" }];
    return true;
  }

  clear() {
    this.#count += 1;
    this.list = this.files = [];
  }

  /** The problems to show: what cannot be read is told without the program, as one types. */
  shown(open) {
    const broken = open.filter((document) => document.mistake);
    const mistakes = broken.map((document) => ({ severity: "error", rule: "syntax", document,
      message: document.mistake.message, offset: document.mistake.offset }));
    return [...mistakes, ...this.list.filter(({ document }) => !broken.includes(document))];
  }
}

const placed = (problem, texts) => {
  const path = problem.file && resolved("", problem.file);
  const document = [...texts.keys()].find((document) => document.path === path);
  if (!document || !problem.line) return { ...problem, header: headerOf(problem) };
  const offset = offsetOf(texts.get(document), problem.line, problem.column);
  const place = document.tree && document.text === texts.get(document) ? placeAt(document.tree, offset) : null;
  return { ...problem, document, offset, place, header: headerOf(problem) };
};

const headerOf = ({ path }) => /^header (.+)$/.exec(path ?? "")?.[1];

/** Where a problem is now, after other edits: `start` and `end`. */
export const rangeOf = ({ document, place, offset = 0 }) => {
  const line = /[^\n]*/y;
  if (!place || !document.tree) {
    line.lastIndex = offset;
    const length = document.isJSON ? 1 : Math.max(1, line.exec(document.text)[0].length);
    const start = Math.min(offset, Math.max(0, document.text.length - 1));
    return { start, end: start + length };
  }
  const member = memberOf(nodeAt(document.tree, place.path.slice(0, -1)), place.path.at(-1));
  if (place.isKey && member) return { start: member.start, end: member.keyEnd };
  const node = nodeAt(document.tree, place.path);
  if (!node) return { start: 0, end: 0 };
  const isBig = node.kind === "object" || node.kind === "array";
  if (isBig && member) return { start: member.start, end: member.keyEnd };
  return { start: node.start, end: isBig ? node.start + 1 : node.end };
};

/** A fix that names one value: its `label`, and `apply()`; null if there is none. */
export const fixOf = (problem, setOption) => {
  const { fix = "", document, place, rule, header } = problem;
  const value = /^Did you mean ['"]?(.+?)['"]?\?$/.exec(fix)?.[1] ?? /^Use "?([^\s",]+?)"?\.$/.exec(fix)?.[1];
  if (!document || !place?.path.length) {
    return header && value && setOption ? { label: "Use " + value, apply: () => setOption(header, value) } : null;
  }
  const { path, isKey } = place;
  const change = (label, edit) => ({ label, apply: () => document.change(edit(document.text)) });
  const missing = /^Write .*"([\w-]+)": (\d+|true)\}\.$/.exec(fix);
  if (missing) {
    const at = [...path.slice(0, path.indexOf("aps") + 1), missing[1]];
    return change("Add " + missing[1], (text) => setValue(text, at, new Raw(missing[2]), document.style));
  }
  if (value && isKey) return change("Rename to " + value, (text) => renameKey(text, path, value, document.style));
  const node = nodeAt(document.tree, path);
  if (value) {
    const word = node?.kind === "number" && /^-?\d+$/.test(value) ? new Raw(value) : value;
    return change("Use " + value, (text) => setValue(text, path, word, document.style));
  }
  if (rule === "key-kind" && /^(-?\d+(\.\d+)?|true|false)$/.test(node?.value)) {
    return change("Use " + node.value, (text) => setValue(text, path, new Raw(node.value), document.style));
  }
  if (/^Remove (the key|it|the header)\b/.test(fix)) return change("Remove", (text) => removeValue(text, path));
  return null;
};
