// How the values of a file stand in the controls of the form, and back.

import { Raw, written } from "./edit.js";
import { parse } from "./json5.js";

export const linesIn = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

/** The text that a control shows of a node. */
export const textOf = ({ kind }, node) => {
  if (node === undefined) return "";
  if (kind === "lines" && node.items) return node.items.map(({ value }) => value).join("\n");
  return kind !== "json" && node.kind === "string" ? node.value : node.raw;
};

/** What a control's text is written as; undefined removes the key. Throws if it is no JSON. */
export const valueOf = ({ kind, on, id }, control, style) => {
  if (kind === "switch") return control.checked ? on : undefined;
  const text = control.value;
  if (text === "") return undefined;
  if (kind === "json") return jsonOf(text, style);
  const isNumber = kind === "number" || id === "priority";
  return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? new Raw(text) : text;
};

/** JSON as it was typed, if the file takes it so; else what it says. */
const jsonOf = (text, style) => {
  const { value } = parse(text);
  try {
    if (!style.isJSON5) JSON.parse(text);
    return new Raw(text.trim());
  } catch {
    return new Raw(written(value, style));
  }
};
