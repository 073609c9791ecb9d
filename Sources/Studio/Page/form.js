// Draws the fields of the open file, and writes into it what is typed into them.

import { find, isolated, make } from "./dom.js";
import { Raw, renameKey, removeValue, setValue, swapItems, written } from "./edit.js";
import { groups, knownKeys } from "./fields.js";
import { nodeAt, parse } from "./json5.js";
import { fixOf } from "./problems.js";

export class Form {
  #box = find("form");
  #controls = new Map();
  #stamp = "";
  #toggled = new Map();

  /** `hints` by name; `chooseStep(index)`, `setOption(name, value)`, `focused(document)` are told. */
  constructor(handlers) {
    Object.assign(this, handlers);
    this.#box.addEventListener("focusin", ({ target }) => {
      this.#help(target.dataset.field);
      const field = this.#controls.get(target.dataset.field)?.field;
      if (field) this.focused(this.sheet.place(field)?.document);
    });
    this.#box.addEventListener("submit", (event) => event.preventDefault());
  }

  /** `type` is the push type, `options` those of a payload, `problems` all that are shown. */
  draw({ sheet, type, options, profiles, problems }) {
    Object.assign(this, { sheet, type, options, profiles, problems });
    const rows = sheet.main.tree || !sheet.main.isJSON ? this.#groups() : [];
    const steps = sheet.steps?.map((item) => item.raw.length + stepName(item)).join() + sheet.step;
    const stamp = JSON.stringify([sheet.main.path, steps, sheet.payloadPath, Boolean(sheet.payloadDocument?.tree),
      Boolean(sheet.main.tree), rows.map(([group, rows]) => [group.name, rows.map(({ id }) => id)])]);
    if (stamp !== this.#stamp) this.#build(rows);
    this.#stamp = stamp;
    for (const row of this.#controls.values()) this.#update(row);
  }

  /** Focuses the field of a problem; returns whether there is one. */
  reveal(problem) {
    const row = [...this.#controls.values()].find(({ field }) => this.#concerns(field, problem));
    row?.control.closest("details")?.setAttribute("open", "");
    row?.control.focus();
    return row !== undefined;
  }

  #groups() {
    const { sheet } = this;
    if (sheet.isWait) return [[{ name: "Wait", isOpen: true }, [wait]]];
    const payload = sheet.place({ base: "payload", path: [] });
    const keys = payload ? nodeAt(payload.document.tree, payload.path)?.members ?? [] : [];
    const own = keys.filter(({ key }) => !knownKeys.has(key)).map(({ key }) => ({ base: "payload", types: null,
      id: "own-" + key, label: key, kind: "json", path: [key], isOwn: true }));
    return groups.map((group) => [group, group.rows.length > 0 ? group.rows.filter((field) => this.#applies(field)) : own])
      .filter(([group, rows]) => rows.length > 0 || (group.isOpen && payload?.document.tree));
  }

  #applies(field) {
    const { sheet } = this;
    if (!sheet.isScenario && field.option) return true;
    if (field.base === "option" || !sheet.place(field)) return false;
    if (field.base === "recipients" && field.types === null && nodeAt(sheet.main.tree, ["channel"])) return false;
    return field.types === null || field.types.includes(this.type) || sheet.node(field) !== undefined;
  }

  // MARK: Building

  #build(rows) {
    const focused = document.activeElement?.dataset?.field;
    this.#controls.clear();
    const { sheet } = this;
    const parts = [sheet.isScenario && sheet.main.tree && this.#steps(), ...rows.map(([group, rows]) => this.#group(group, rows))];
    if (sheet.main.kind === "list" || sheet.main.kind === "script") parts.push(make("p", { class: "hint" }, sheet.main.kind === "list"
      ? "A list of recipients. Choose it under \u201cTo\u201d of a scenario or payload." : "A script for the emulator. A scenario names it under \u201cenvironment\u201d."));
    else if (!sheet.main.tree) parts.push(make("p", { class: "hint" }, "The form is back as soon as the text can be read."));
    this.#box.replaceChildren(...parts.filter(Boolean));
    this.#controls.get(focused)?.control.focus();
    if (!focused || !this.#controls.has(focused)) this.#help(undefined);
  }

  #group(group, rows) {
    const isSet = rows.some((field) => this.sheet.node(field) !== undefined);
    const isOpen = this.#toggled.get(group.name) ?? (isSet || group.name !== "Expected answer");
    const summary = make("summary", {}, group.name, this.#source(rows));
    const part = make("details", { class: "group", open: isOpen }, summary, rows.map((field) => this.#row(field)),
      group.rows?.length === 0 && this.#adder());
    summary.addEventListener("click", () => this.#toggled.set(group.name, !part.open));
    return part;
  }

  /** The file that a group's fields are in, where that is not the open one. */
  #source(rows) {
    const place = rows[0] && rows[0].base === "payload" ? this.sheet.place(rows[0]) : null;
    return place && place.document !== this.sheet.main && make("span", { class: "soft" }, " in ", isolated(place.document.path));
  }

  #row(field) {
    const control = this.#control(field);
    control.id = "field-" + field.id;
    control.dataset.field = field.id;
    control.setAttribute("aria-describedby", "help");
    const note = make("div", { class: "wrong", id: "wrong-" + field.id });
    control.addEventListener(control.type === "checkbox" || control.tagName === "SELECT" ? "change" : "input",
      () => this.#write(field, control, note));
    const remove = field.isOwn && make("button", { type: "button", class: "small", "aria-label": "Remove " + field.label }, "−");
    if (remove) remove.addEventListener("click", () => this.sheet.write(field, undefined));
    this.#controls.set(field.id, { field, control, note });
    return make("div", { class: "field" }, make("label", { for: control.id }, field.label), make("div", {}, control, note), remove);
  }

  #control({ id, kind, choices, example }) {
    if (kind === "switch") return make("input", { type: "checkbox", role: "switch" });
    if (kind === "choice") {
      const all = id === "scenario-profile" ? this.profiles.map(({ name }) => name) : choices;
      return make("select", {}, make("option", { value: "" }, "–"), all.map((choice) => make("option", { value: choice }, choice)));
    }
    const attributes = { placeholder: example ?? "", spellcheck: kind === "area" ? "true" : "false", autocomplete: "off", dir: "auto" };
    if (["area", "json", "lines"].includes(kind)) return make("textarea", { ...attributes, rows: 1, class: kind });
    return make("input", attributes);
  }

  #adder() {
    const name = make("input", { placeholder: "key", "aria-label": "Name of a new key", autocomplete: "off", spellcheck: "false" });
    const button = make("button", { type: "submit", class: "small" }, "Add");
    const form = make("form", { class: "field" }, make("span", {}), name, button);
    form.addEventListener("submit", () => {
      const key = name.value.trim();
      if (!key || key === "aps") return;
      this.sheet.write({ base: "payload", path: [key] }, "");
      this.#controls.get("own-" + key)?.control.focus();
    });
    return form;
  }

  // MARK: Steps

  #steps() {
    const { sheet } = this;
    const list = sheet.steps ?? [];
    let number = 0;
    const buttons = list.map((item, index) => {
      const name = stepName(item, item.value?.wait ? number : number += 1);
      const button = make("button", { type: "button", "aria-current": index === sheet.step && "step" }, name);
      button.addEventListener("click", () => this.chooseStep(index));
      return make("li", {}, button);
    });
    const act = (label, name, change, isOff = false) => {
      const button = make("button", { type: "button", class: "small", "aria-label": name, title: name, disabled: isOff }, label);
      button.addEventListener("click", change);
      return button;
    };
    const { step } = sheet;
    return make("div", { class: "steps" }, list.length > 0 && make("ol", { "aria-label": "Steps" }, buttons),
      make("div", { class: "row" },
        act(list.length > 0 ? "+ Step" : "+ Add a step", "Add a step", () => this.#addStep()),
        list.length > 0 && [act("+ Wait", "Add a wait", () => this.#insert({ wait: "1s" })),
          act("↑", "Move the step up", () => this.#move(step - 1, step - 1), step === 0),
          act("↓", "Move the step down", () => this.#move(step, step + 1), step === list.length - 1),
          act("−", "Remove the step", () => this.#remove(), list.length === 1)]));
  }

  #change(text, step) {
    this.sheet.main.change(text);
    this.chooseStep(step);
  }

  /** The first one makes steps of the notification; others repeat the chosen step. */
  #addStep() {
    const { main, steps, step } = this.sheet;
    if (steps) return this.#insert(steps[step].value.wait ? { notification: { payload: { aps: { alert: "" } } } } : new Raw(steps[step].raw));
    const node = nodeAt(main.tree, ["notification"]);
    const item = "{ notification: " + (node?.raw ?? "{ payload: { aps: { alert: \"\" } } }") + " }";
    const list = new Raw("[\n    " + item + ",\n    " + item + ",\n  ]");
    const text = node ? setValue(main.text, ["notification"], list, main.style) : setValue(main.text, ["steps"], list, main.style);
    this.#change(node ? renameKey(text, ["notification"], "steps", main.style) : text, 1);
  }

  #insert(item) {
    const { main, steps, step } = this.sheet;
    let text = setValue(main.text, ["steps", steps.length], item, main.style);
    for (let index = steps.length - 1; index > step; index -= 1) text = swapItems(text, ["steps"], index);
    this.#change(text, step + 1);
  }

  #move(index, step) { this.#change(swapItems(this.sheet.main.text, ["steps"], index), step === this.sheet.step ? step + 1 : step); }

  #remove() {
    const { main, step } = this.sheet;
    this.#change(removeValue(main.text, ["steps", step]), Math.max(0, step - 1));
  }

  // MARK: Values

  #write(field, control, note) {
    if (!this.sheet.isScenario && field.option) return this.setOption(field.option, control.value.trim());
    try {
      note.replaceChildren();
      if (field.kind === "lines") return this.#writeLines(field, control.value);
      this.sheet.write(field, valueOf(field, control, this.sheet.place(field).document.style));
    } catch (error) {
      note.replaceChildren(make("p", {}, error.message));
    }
  }

  /** Lines that stay the same are not touched, nor the comments between them. */
  #writeLines(field, text) {
    const place = this.sheet.place(field);
    const { document, path } = place;
    const lines = linesIn(text);
    const old = nodeAt(document.tree, path)?.items?.map(({ value }) => value);
    if (!old || lines.length === 0) return this.sheet.write(field, lines.length > 0 ? lines : undefined);
    let changed = document.text;
    for (let index = old.length - 1; index >= lines.length; index -= 1) changed = removeValue(changed, [...path, index]);
    lines.forEach((line, index) => {
      if (line !== old[index]) changed = setValue(changed, [...path, index], line, document.style);
    });
    document.change(changed);
  }

  #update({ field, control, note }) {
    const isOption = !this.sheet.isScenario && field.option;
    const node = isOption ? undefined : this.sheet.node(field);
    const text = isOption ? this.options[field.option] ?? "" : textOf(field, node);
    if (control.type === "checkbox") control.checked = node !== undefined;
    else if (!isSame(field, control.value, text)) setText(control, text);
    if (field.id === "type" && text === "") control.options[0].textContent = "inferred: " + this.type;
    this.#mark(field, control, note);
  }

  #concerns(field, problem) {
    if (field.header && problem.header === field.header && (!problem.document || field.base === "notification")) return true;
    const place = this.sheet.place(field);
    if (!place || place.document !== problem.document || !problem.place) return false;
    const path = problem.place.path.slice(0, place.path.length);
    if (path.length < place.path.length || path.some((step, index) => step !== place.path[index])) return false;
    // What is inside of an object is told by the field that is inside.
    return field.kind === "json" || field.kind === "lines" || problem.place.path.length === path.length;
  }

  #mark(field, control, note) {
    const problems = this.problems.filter((problem) => this.#concerns(field, problem));
    control.setAttribute("aria-invalid", problems.some(({ severity }) => severity === "error"));
    control.setAttribute("aria-describedby", problems.length > 0 ? note.id + " help" : "help");
    const stamp = JSON.stringify(problems.map(({ message, fix }) => [message, fix]));
    if (note.dataset.stamp === stamp && note.childElementCount === problems.length) return;
    note.dataset.stamp = stamp;
    note.replaceChildren(...problems.map((problem) => problemLine(problem, this.setHeader)));
  }

  /** Tells of a field beneath the form, where nothing moves. */
  #help(id) {
    const field = this.#controls.get(id)?.field;
    const hint = field && this.hints.get(field.explains);
    const header = field?.header && this.hints.get(field.header);
    const format = header?.format ?? hint?.type ?? hint?.format;
    find("help").replaceChildren(...(field ? [
      make("p", {}, make("strong", {}, field.header ?? field.explains ?? field.label), " ", (hint ?? header)?.summary),
      make("p", {}, (header ?? hint)?.explanation),
      make("p", { class: "soft" }, [format && "Format: " + format, field.example && "Example: " + field.example.replace(/^one per line: /, ""),
        field.types?.length > 0 && "For " + field.types.join(", ")].filter(Boolean).join(" · ")),
    ] : [make("p", { class: "soft" }, "Choose a field to see what it does.")]));
  }
}

/** A problem with its fix. */
export const problemLine = (problem, setHeader) => {
  const fix = fixOf(problem, setHeader);
  const button = fix && make("button", { type: "button", class: "small fix" }, fix.label);
  if (button) button.addEventListener("click", fix.apply);
  return make("p", { class: problem.severity }, problem.message, " ", button || make("span", { class: "soft" }, problem.fix));
};

const wait = { base: "step", types: null, id: "wait", label: "Wait", kind: "text", path: ["wait"], explains: "steps[].wait", example: "500ms" };

const stepName = (item, number) => item.value?.wait ? "wait " + item.value.wait
  : number + " " + (item.value?.name ?? item.value?.notification?.payload?.aps?.event ?? "step");

const linesIn = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

const textOf = ({ kind }, node) => {
  if (node === undefined) return "";
  if (kind === "lines") return node.items ? node.items.map(({ value, raw }) => value ?? raw).join("\n") : node.raw;
  return kind !== "json" && node.kind === "string" ? node.value : node.raw;
};

const isSame = ({ kind }, shown, text) => kind === "lines"
  ? linesIn(shown).join("\n") === text : shown === text;

const setText = (control, text) => {
  if (control.tagName === "SELECT" && ![...control.options].some(({ value }) => value === text)) {
    control.append(make("option", { value: text }, text));
  }
  control.value = text;
};

/** What a control's text is written as; undefined removes the key. Throws if it is no JSON. */
const valueOf = ({ kind, on, id, choices }, control, style) => {
  if (kind === "switch") return control.checked ? on : undefined;
  const text = control.value;
  if (text === "") return undefined;
  if (kind === "json") {
    const { value } = parse(text);
    return style.isJSON5 || text === JSON.stringify(value) ? new Raw(text.trim()) : new Raw(strict(text, value, style));
  }
  const isNumber = kind === "number" || id === "expiration" || typeof choices?.[0] === "number";
  return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? new Raw(text) : text;
};

/** JSON as it was typed, if it is that; else what it says in JSON. */
const strict = (text, value, style) => {
  try {
    JSON.parse(text);
    return text.trim();
  } catch {
    return written(value, style);
  }
};

