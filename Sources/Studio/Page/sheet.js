// What the form edits: the open file, the step that is chosen, and the file with the payload.

import { nodeAt } from "./json5.js";
import { Raw, removeValue, setValue } from "./edit.js";

/** A relative path, seen from the folder of a file; null for one that leads out of the project. */
export const resolved = (file, path) => {
  const parts = file.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "..") { if (parts.pop() === undefined) return null; }
    else if (part !== "." && part !== "") parts.push(part);
  }
  return path.startsWith("/") || path.startsWith("~") ? null : parts.join("/");
};

export class Sheet {
  /** `payload` is the document that the payload is in, if that is a file. */
  constructor(main, step, payload) { Object.assign(this, { main, step, file: payload }); }

  get isScenario() { return this.main.kind === "scenario"; }
  get steps() { return nodeAt(this.main.tree, ["steps"])?.items ?? null; }
  /** The path of the part that holds the notification. */
  get stepPath() { return this.steps ? ["steps", this.step] : []; }
  get isWait() { return nodeAt(this.main.tree, [...this.stepPath, "wait"]) !== undefined && this.steps !== null; }
  get notificationPath() { return [...this.stepPath, "notification"]; }

  /** The number of the step among the notifications, from 1. */
  get number() {
    const before = this.steps?.slice(0, this.step) ?? [];
    return 1 + before.filter((item) => nodeAt(item, ["wait"]) === undefined).length;
  }

  /** The file that the scenario names as its payload; undefined if the payload is in the scenario. */
  get payloadPath() {
    if (!this.isScenario) return undefined;
    const node = nodeAt(this.main.tree, [...this.notificationPath, "payload"]);
    return node?.kind === "string" ? resolved(this.main.path, node.value) ?? undefined : undefined;
  }

  get payloadDocument() { return this.payloadPath === undefined ? this.main : this.file; }

  /** Where a field stands: `document` and `path`; null where it cannot be. */
  place(field) {
    const { base, path } = field;
    if (base === "payload") return this.#inPayload(path);
    if (!this.isScenario || base === "option") return null;
    const own = [...this.stepPath, ...path];
    const isOwn = this.steps !== null && nodeAt(this.main.tree, own.slice(0, this.stepPath.length + 1)) !== undefined;
    const start = base === "notification" ? [...this.notificationPath, ...path]
      : base === "scenario" || !isOwn ? path : own;
    return { document: this.main, path: start };
  }

  #inPayload(path) {
    const document = this.payloadDocument;
    if (!document) return null;
    const root = document === this.main && this.isScenario ? [...this.notificationPath, "payload"] : [];
    return { document, path: [...root, ...this.#moved(document, root, path)] };
  }

  /** An alert can be its text alone, a sound an object, and in a Live Activity it is in the alert. */
  #moved({ tree }, root, path) {
    const name = path.join(".");
    if (name === "aps.sound") {
      if (nodeAt(tree, [...root, "aps", "event"])) return ["aps", "alert", "sound"];
      if (nodeAt(tree, [...root, ...path])?.kind === "object") return ["aps", "sound", "name"];
    }
    if (name === "aps.alert.body" && nodeAt(tree, [...root, "aps", "alert"])?.kind === "string") return ["aps", "alert"];
    return path;
  }

  node(field) {
    const place = this.place(field);
    return place ? nodeAt(place.document.tree, place.path) : undefined;
  }

  /** Writes a value; undefined removes the key, and parts that are empty then. */
  write(field, value) {
    const place = this.place(field);
    if (!place?.document.tree) return;
    const { document, path } = place;
    const { text, style } = document;
    if (value === undefined) return document.change(this.#without(document, path));
    document.change(setValue(this.#prepared(text, document, path, style), path, value, style));
  }

  #without({ text, tree }, path) {
    const parent = path.slice(0, -1);
    const isAlone = nodeAt(tree, parent)?.members?.length === 1;
    const isPart = ["alert", "sound", "expect"].includes(parent.at(-1));
    return removeValue(text, isAlone && isPart ? parent : path);
  }

  /** A text in the place of an object becomes its body, or the sound's name. */
  #prepared(text, { tree }, path, style) {
    const parent = nodeAt(tree, path.slice(0, -1));
    const key = { alert: "body", sound: "name" }[path.at(-2)];
    if (parent?.kind !== "string" || !key) return text;
    return setValue(text, path.slice(0, -1), { [key]: new Raw(parent.raw) }, style);
  }
}
