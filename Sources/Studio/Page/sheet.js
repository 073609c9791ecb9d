// What the form edits: the open file, the step that is chosen, and the file with the payload.

import { nodeAt } from "./json5.js";
import { Raw, removeValue, setValue } from "./edit.js";

/** A relative path, seen from the folder of a file; undefined for one that leads elsewhere. */
export const resolved = (file, path) => {
  if (/^[/~]/.test(path)) return undefined;
  const parts = file.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === ".." && parts.pop() === undefined) return undefined;
    if (!["..", ".", ""].includes(part)) parts.push(part);
  }
  return parts.join("/");
};

/** Parts that are removed together with the last thing in them. */
const hollow = ["alert", "sound", "expect"];

export class Sheet {
  /** The document that the payload is in, if that is a file. */
  file = null;
  step = 0;

  constructor(main) { this.main = main; }

  get isScenario() { return this.main.kind === "scenario"; }
  get isSent() { return this.isScenario || this.main.kind === "payload"; }
  get documents() { return this.file ? [this.main, this.file] : [this.main]; }
  get steps() { return this.isScenario ? nodeAt(this.main.tree, ["steps"])?.items ?? null : null; }
  get isWait() { return nodeAt(this.steps?.[this.step], ["wait"]) !== undefined; }
  get #stepPath() { return this.steps ? ["steps", this.step] : []; }
  get #notificationPath() { return [...this.#stepPath, "notification"]; }

  /** The number of the step among the notifications, from 1. */
  get number() {
    const before = this.steps?.slice(0, this.step) ?? [];
    return 1 + before.filter((item) => nodeAt(item, ["wait"]) === undefined).length;
  }

  /** What the scenario has as its payload: a path, or the payload itself. */
  get #payload() {
    return this.isScenario ? nodeAt(this.main.tree, [...this.#notificationPath, "payload"]) : undefined;
  }

  /**
   * The file that the scenario names as its payload; undefined if it has the payload itself, null if
   * the file is outside of the folder.
   */
  get payloadPath() {
    const node = this.#payload;
    return node?.kind === "string" ? resolved(this.main.path, node.value) ?? null : undefined;
  }

  /** The path of a payload outside of the folder, as the scenario has it. */
  get foreignPayload() { return this.payloadPath === null ? this.#payload.value : undefined; }

  get payloadDocument() { return this.payloadPath === undefined ? this.main : this.file; }

  /** Where a field stands: `document` and `path`; null where it cannot be. */
  place({ base, path }) {
    if (base === "payload") return this.#inPayload(path);
    if (!this.isScenario || base === "option") return null;
    const start = { notification: this.#notificationPath, scenario: [], step: this.#partPath(path[0]) };
    return { document: this.main, path: [...start[base], ...path] };
  }

  /** What a step does not say itself the scenario says for all. */
  #partPath(key) {
    const own = nodeAt(this.main.tree, [...this.#stepPath, key]) !== undefined;
    return own ? this.#stepPath : [];
  }

  #inPayload(path) {
    const document = this.payloadDocument;
    if (!document) return null;
    const root = document === this.main && this.isScenario ? [...this.#notificationPath, "payload"] : [];
    return { document, path: [...root, ...moved(nodeAt(document.tree, root), path)] };
  }

  node(field) {
    const place = this.place(field);
    return place ? nodeAt(place.document.tree, place.path) : undefined;
  }

  /** Writes a value; undefined removes the key. */
  write(field, value) {
    const { document, path } = this.place(field);
    const { tree, style } = document;
    if (!tree) return;
    const parent = nodeAt(tree, path.slice(0, -1));
    if (value === undefined) {
      const isLast = parent?.members?.length === 1 && hollow.includes(path.at(-2));
      return document.change(removeValue(document.text, isLast ? path.slice(0, -1) : path));
    }
    const others = opened(parent, path);
    document.change(others ? setValue(document.text, path.slice(0, -1), { [path.at(-1)]: value, ...others }, style)
      : setValue(document.text, path, value, style));
  }
}

/** An alert can be its text alone, a sound an object, and in a Live Activity it is in the alert. */
const moved = (payload, path) => {
  const name = path.join(".");
  const aps = (key) => nodeAt(payload, ["aps", key]);
  if (name === "aps.alert.body" && aps("alert")?.kind === "string") return ["aps", "alert"];
  if (name === "aps.sound" && aps("event")) return ["aps", "alert", "sound"];
  return name === "aps.sound" && aps("sound")?.kind === "object" ? [...path, "name"] : path;
};

/** What becomes of a text in the place of an object: its body, or the sound's name. */
const opened = (parent, path) => {
  const key = { alert: "body", sound: "name" }[path.at(-2)];
  return parent?.kind === "string" && key ? { [key]: new Raw(parent.raw) } : null;
};
