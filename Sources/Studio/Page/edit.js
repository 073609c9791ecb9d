// Changes a JSON5 text at one place: every other character, comments among them, stays as it is.

import { memberOf, nodeAt, parse, skipBlank } from "./json5.js";

const plainKey = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** The longest object that is written on one line, unless the style has a `width`. */
const widest = 72;

/** Sets the value at a path; objects that are missing on the way are made. */
export const setValue = (text, path, value, style) => {
  const tree = parse(text);
  const node = nodeAt(tree, path);
  if (node) return spliced(text, node.start, node.end, written(value, style, indentAt(text, node.start)));
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const parent = nodeAt(tree, path.slice(0, depth));
    if (parent === undefined) continue;
    const inner = path.slice(depth + 1).reduceRight((value, key) => ({ [key]: value }), value);
    if (parent.kind === "object") return addMember(text, parent, path[depth], inner, style);
    if (parent.kind === "array") return addItem(text, parent, inner, style);
    const made = written({ [path[depth]]: inner }, style, indentAt(text, parent.start));
    return spliced(text, parent.start, parent.end, made);
  }
  return text;
};

/** Removes what is at a path, and its line if nothing else is on it. */
export const removeValue = (text, path) => {
  const tree = parse(text);
  const parent = nodeAt(tree, path.slice(0, -1));
  const key = path.at(-1);
  const parts = parent?.items ?? parent?.members ?? [];
  const part = parent?.items ? parent.items[key] : memberOf(parent, key);
  if (!part) return text;
  let start = part.start;
  let end = part.node?.end ?? part.end;
  const comma = skipBlank(text, end);
  if (text[comma] === ",") {
    end = comma + 1;
    if (/[ \t]/.test(text[end] ?? "")) end += 1;
  } else if (part === parts.at(-1) && parts.length > 1) {
    // The comma before the last one goes, unless comments stand between.
    const before = parts.at(-2).node?.end ?? parts.at(-2).end;
    const mark = skipBlank(text, before);
    if (/^,\s*$/.test(text.slice(mark, start))) start = mark;
  }
  return withoutLine(text, start, end);
};

/** Gives a member another key. */
export const renameKey = (text, path, key, style) => {
  const member = memberOf(nodeAt(parse(text), path.slice(0, -1)), path.at(-1));
  return member ? spliced(text, member.start, member.keyEnd, writtenKey(key, style)) : text;
};

/** Changes the places of two neighbours of an array; comments between them stay. */
export const swapItems = (text, path, index) => {
  const { items } = nodeAt(parse(text), path);
  const [one, other] = [items[index], items[index + 1]];
  return text.slice(0, one.start) + other.raw + text.slice(one.end, other.start) + one.raw
    + text.slice(other.end);
};

const spliced = (text, start, end, piece) => text.slice(0, start) + piece + text.slice(end);

const withoutLine = (text, start, end) => {
  const before = /(?:^|\n)[ \t]*$/.exec(text.slice(0, start));
  const after = /^[ \t]*(?=\r?\n|$)/.exec(text.slice(end));
  if (!before || !after) return spliced(text, start, end, "");
  return text.slice(0, before.index) + text.slice(end + after[0].length);
};

const indentAt = (text, offset) => /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, offset))?.[1] ?? "";

const addMember = (text, parent, key, value, style) => add(text, parent, parent.members,
  (indent) => writtenKey(key, style) + ": " + written(value, style, indent), style);

const addItem = (text, parent, value, style) => add(text, parent, parent.items,
  (indent) => written(value, style, indent), style);

/** Puts a part behind the last one, on a line of its own where the others are. */
const add = (text, parent, parts, write, style) => {
  const close = parent.end - 1;
  const body = text.slice(0, close).trimEnd().length;
  const indent = indentAt(text, close);
  if (parts.length === 0 && body === parent.start + 1) return opened(text, parent, write, indent, style);
  const last = parts.at(-1);
  const end = last ? last.node?.end ?? last.end : body;
  const comma = last ? skipBlank(text, end) : -1;
  const hasComma = text[comma] === ",";
  const isTall = /\n/.test(text.slice(parent.start, last?.start ?? close));
  const from = hasComma ? comma + 1 : end;
  const stop = Math.max(isTall ? body : from, from);
  const first = last && !hasComma ? "," : "";
  const gap = isTall ? "\n" + (last ? indentAt(text, last.start) : indent + "  ") : " ";
  const piece = gap + write(gap.slice(1)) + (hasComma ? "," : "");
  return text.slice(0, end) + first + text.slice(end, stop) + piece + text.slice(stop);
};

/** The first part of an empty object or array. */
const opened = (text, parent, write, indent, style) => {
  const isTop = parent.start === skipBlank(text, 0);
  const space = parent.kind === "object" && style.isJSON5 ? " " : "";
  const inner = isTop ? "\n" + indent + "  " + write(indent + "  ") + (style.isJSON5 ? "," : "") + "\n" + indent
    : space + write(indent) + space;
  return spliced(text, parent.start + 1, parent.end - 1, inner);
};

const writtenKey = (key, { isJSON5 }) => isJSON5 && plainKey.test(key) ? key : JSON.stringify(key);

/** A value as JSON or JSON5, on one line if it is short. */
export const written = (value, style, indent = "") => {
  if (value instanceof Raw) return value.text;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = (indent) => Array.isArray(value) ? value.map((item) => written(item, style, indent))
    : Object.entries(value).map(([key, item]) => writtenKey(key, style) + ": " + written(item, style, indent));
  const short = parts(indent).join(", ");
  if (!short) return open + close;
  const space = style.isJSON5 && open === "{" ? " " : "";
  if (short.length < (style.width ?? widest) && !short.includes("\n")) return open + space + short + space + close;
  const inner = indent + "  ";
  return open + "\n" + parts(inner).map((part) => inner + part).join(",\n") + (style.isJSON5 ? "," : "") + "\n"
    + indent + close;
};

/** JSON5 that somebody wrote, and that stays so. */
export class Raw {
  constructor(text) { this.text = text; }
}
