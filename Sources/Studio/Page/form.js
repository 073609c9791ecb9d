// Draws the fields of the open file, and writes into it what is typed into them.

import { fill, redrawn, small } from "./controls.js";
import { find, isolated, make } from "./dom.js";
import { removeValue, setValue } from "./edit.js";
import { groups, knownKeys } from "./fields.js";
import { nodeAt } from "./json5.js";
import { fixOf, problemLine } from "./problems.js";
import { listTable, startOf } from "./table.js";
import { stepList, stepNames } from "./steps.js";
import { linesIn, textOf, valueOf } from "./values.js";

/** A field that is longer can only be changed in the text. */
const longest = 10000;
const whole = { base: "payload", path: [] };
const tooLong = "This file is too long to be changed here, and only its beginning is shown. It can be sent as it is.";
const hintsOf = {
  list: "A list of recipients. Choose it under \u201cTo\u201d of a scenario or a payload.",
  script: "A script of what the emulator does. A scenario names it under \u201cenvironment\u201d.",
};

export class Form {
  #box = find("form");
  #steps = make("div", { class: "steps" });
  #controls = new Map();
  #toggled = new Map();
  /** The file and step of the fields, and the one that had the focus when they were built anew. */
  #place = "";
  #kept = null;

  /**
   * `hints` by name; `chooseStep(index)`, `setOption(name, value)`, `setHeader(name, value)`, `typed()`
   * and `focused(document)` are told.
   */
  constructor(handlers) {
    Object.assign(this, handlers);
    this.#box.addEventListener("focusin", ({ target }) => {
      const field = this.#controls.get(target.dataset.field)?.field;
      this.#help(field);
      if (field) this.focused(this.sheet.place(field)?.document);
    });
  }

  /**
   * `type` is the push type, `options` those of a payload, `choices` what fields may be, `problems`
   * all that are shown.
   */
  draw({ sheet, type, options, choices, problems }) {
    Object.assign(this, { sheet, type, options, choices, problems });
    const { main } = sheet;
    const rows = main.tree && ["scenario", "payload"].includes(main.kind) ? this.#groups() : [];
    redrawn(this.#box, [main.path, main.kind, main.isLong, sheet.step, Boolean(main.tree),
      sheet.payloadDocument?.path, sheet.foreignPayload, startOf(main), rows.map(([{ name }, fields]) => [name, fields.map(({ id }) => id)])],
    () => this.#build(rows));
    this.#steps.hidden = main.kind !== "scenario";
    if (main.tree && !this.#steps.hidden) {
      redrawn(this.#steps, [main.path, sheet.step, stepNames(sheet)],
        () => stepList(sheet, this.chooseStep));
    }
    for (const parts of this.#controls.values()) this.#update(parts);
  }

  /** The groups with the fields that are for the push type, or that the file has. */
  #groups() {
    const { sheet } = this;
    if (sheet.isWait) return groups.slice(-1).map((group) => [group, group.fields]);
    const payload = sheet.node(whole);
    const own = payload?.members?.filter(({ key }) => !knownKeys.has(key)).map(({ key }) => ({
      base: "payload", types: null, id: "own-" + key, label: key, kind: "json", path: [key], isOwn: true }));
    return groups.slice(0, -1).map((group) => [group,
      group.isOwn ? own ?? [] : group.fields.filter((field) => this.#applies(field))])
      .filter(([group, fields]) => fields.length > 0 || (group.isOwn && payload));
  }

  #applies(field) {
    const { sheet } = this;
    if (field.id === "recipients" && sheet.node({ base: "step", path: ["channel"] })) return false;
    if (!sheet.isScenario && field.option) return true;
    if (field.base === "option" || !sheet.place(field)) return false;
    return field.types === null || field.types.includes(this.type) || sheet.node(field) !== undefined;
  }

  // MARK: Building

  #build(rows) {
    const focused = document.activeElement?.dataset?.field;
    const { main, step } = this.sheet;
    const isSame = this.#place === (this.#place = step + main.path);
    this.#kept = isSame ? this.#controls.get(focused) : null;
    this.#controls.clear();
    queueMicrotask(() => (this.#controls.get(focused)?.control ?? (focused && find("new-key")))?.focus());
    this.#help(undefined);
    if (rows.length === 0) {
      const hint = main.isLong ? tooLong : hintsOf[main.kind] ?? "Correct the text, and the form comes back.";
      return [make("p", { class: "hint" }, hint), main.kind === "list" && listTable(main)];
    }
    return [this.#steps, this.#foreign(), rows.map(([group, fields]) => this.#group(group, fields))];
  }

  /** Why there are no fields for a payload that the studio cannot write. */
  #foreign() {
    const path = this.sheet.foreignPayload;
    return path !== undefined && make("p", { class: "hint", id: "foreign" },
      "The payload is in ", isolated(path), ", outside of this folder. Start fanfare studio in the folder above to change it.");
  }

  #group(group, fields) {
    const isSet = fields.some((field) => this.sheet.node(field) !== undefined);
    const isOpen = this.#toggled.get(group.name) ?? (isSet || group.name !== "Expected answer");
    const summary = make("summary", {}, group.name, this.#source(fields));
    const part = make("details", { class: "group", open: isOpen }, summary,
      fields.map((field) => this.#row(field)), group.isOwn && this.#adder());
    summary.addEventListener("click", () => this.#toggled.set(group.name, !part.open));
    return part;
  }

  /** The file that a group's fields are in, where that is not the open one. */
  #source([field]) {
    const document = field?.base === "payload" && this.sheet.place(field).document;
    return document && document !== this.sheet.main
      && make("span", { class: "soft" }, " in ", isolated(document.path));
  }

  #row(field) {
    const parts = this.#kept?.field.id === field.id ? this.#kept : this.#parts(field);
    const { control, note } = parts;
    this.#controls.set(field.id, parts);
    return make("div", { class: "field" }, make("label", { for: control.id }, field.label),
      make("div", {}, control, note), field.isOwn && small("−",
        () => this.sheet.write(field, undefined), { "aria-label": "Remove " + field.label, "data-field": field.id }));
  }

  #parts(field) {
    const control = this.#control(field);
    control.id = "field-" + field.id;
    control.dataset.field = field.id;
    const parts = { field, control, note: make("div", { class: "wrong", id: "wrong-" + field.id }) };
    control.addEventListener("input", () => this.#write(parts));
    return parts;
  }

  #control({ name, kind, example }) {
    if (kind === "switch") return make("input", { type: "checkbox" });
    if (kind === "choice") {
      return make("select", {}, make("option", { value: "" }, "–"),
        this.choices[name].map((choice) => make("option", {}, choice)));
    }
    const attributes = { placeholder: example && "e.g. " + example, spellcheck: String(kind === "area"), dir: "auto",
      autocomplete: "off" };
    return ["area", "json", "lines"].includes(kind)
      ? make("textarea", { ...attributes, rows: 1, class: kind }) : make("input", attributes);
  }

  /** Adds a key of the app's own. */
  #adder() {
    const name = make("input", { id: "new-key", placeholder: "key", "aria-label": "New key", autocomplete: "off" });
    const form = make("form", { class: "field" }, make("span"), name,
      make("button", { class: "small" }, "Add"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const key = name.value.trim();
      // What is added gets the focus.
      document.activeElement.dataset.field = "own-" + key;
      if (key && !this.sheet.node({ ...whole, path: [key] })) this.sheet.write({ ...whole, path: [key] }, "");
    });
    return form;
  }

  /** What is typed into a field, and is not in the file because it is no JSON. */
  get isUnwritten() {
    return [...this.#controls.values()].some(({ problem, control }) => problem && !control.readOnly);
  }

  // MARK: Values

  #write(parts) {
    const { field, control } = parts;
    parts.problem = null;
    try {
      if (this.#isOption(field)) this.setOption(field.option, control.value.trim());
      else if (field.kind === "lines") writeLines(this.sheet.place(field), control.value);
      else this.sheet.write(field, valueOf(field, control, this.sheet.place(field).document.style));
    } catch (error) {
      parts.problem = error.message + " The file keeps what it had.";
    }
    // What is typed stays as it is, until the file says something else than what became of it.
    parts.written = this.#textOf(field);
    this.#update(parts);
    this.typed();
  }

  /** A payload's headers are options. */
  #isOption(field) { return !this.sheet.isScenario && Boolean(field.option); }

  #textOf(field) {
    return this.#isOption(field) ? this.options[field.option] ?? "" : textOf(field, this.sheet.node(field));
  }

  #update(parts) {
    const { field, control, note } = parts;
    const text = this.#textOf(field);
    if (field.kind === "switch") control.checked = !this.#isOption(field) && this.sheet.node(field) !== undefined;
    else if (parts.written !== text) {
      const isLong = text.length > longest;
      setText(control, isLong ? text.slice(0, longest) + "…" : text);
      control.readOnly = isLong;
      Object.assign(parts, { written: text, problem: isLong ? "This is too long to be changed here: change the text." : null });
    }
    if (field.id === "type") control.options[0].textContent = "inferred: " + this.type;
    const problems = this.problems.filter((problem) => this.#concerns(field, problem));
    control.setAttribute("aria-invalid", Boolean(parts.problem && !control.readOnly) || problems.some(({ severity }) => severity === "error"));
    control.setAttribute("aria-describedby", "help " + note.id);
    redrawn(note, [parts.problem, problems.map((problem) => [problem.message, fixOf(problem)?.label])], () =>
      [parts.problem && make("p", {}, parts.problem),
        problems.map((problem) => problemLine(problem, this.setHeader))]);
  }

  #concerns(field, problem) {
    if (field.header && problem.header === field.header && !problem.document) return true;
    const place = this.sheet.place(field);
    const path = problem.place?.path;
    if (!path || place?.document !== problem.document) return false;
    // What is inside of an object is told by the field that is inside, if there is one.
    const isWithin = ["json", "lines", "choice"].includes(field.kind) || path.length === place.path.length;
    return isWithin && place.path.every((step, index) => step === path[index]);
  }

  /** Tells of a field beneath the form, where nothing moves. */
  #help(field) {
    const header = this.hints.get(field?.header);
    const hint = header ?? this.hints.get(field?.explains);
    const format = hint?.format ?? hint?.type;
    const facts = [format && "Format: " + format, field?.example && "Example: " + field.example,
      field?.types?.length > 0 && "For " + field.types.join(", ")].filter(Boolean).join(" · ");
    fill(find("help"), field
      ? [make("p", {}, make("strong", {}, field.header ?? field.explains ?? field.label), " ", hint?.summary),
        make("p", {}, hint?.explanation), make("p", { class: "soft" }, facts)]
      : make("p", { class: "soft" }, "Choose a field to see what it does."));
  }
}

/** Lines that stay the same are not touched, nor the comments between them. */
const writeLines = ({ document, path }, text) => {
  const lines = linesIn(text);
  const old = nodeAt(document.tree, path)?.items?.map(({ value }) => value) ?? [];
  let changed = document.text;
  for (let index = old.length - 1; index >= lines.length; index -= 1) {
    changed = removeValue(changed, [...path, index]);
  }
  if (old.length === 0) changed = setValue(changed, path, [], document.style);
  lines.forEach((line, index) => {
    if (line !== old[index]) changed = setValue(changed, [...path, index], line, document.style);
  });
  document.change(changed);
};

const setText = (control, text) => {
  const isOffered = control.tagName !== "SELECT" || [...control.options].some(({ value }) => value === text);
  if (!isOffered) control.append(make("option", {}, text));
  control.value = text;
};
