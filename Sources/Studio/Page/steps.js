// A scenario's steps: which one the form shows, and their order.

import { row, small } from "./controls.js";
import { make } from "./dom.js";
import { Raw, removeValue, renameKey, setValue, swapItems } from "./edit.js";
import { nodeAt } from "./json5.js";

/** What the list of steps shows; it is drawn anew when this changes. */
export const stepNames = ({ steps }) => {
  let number = 0;
  return steps?.map(({ value }) => {
    if (value?.wait) return "wait " + value.wait;
    number += 1;
    return number + " " + (value?.name ?? value?.notification?.payload?.aps?.event ?? "step");
  }) ?? [];
};

/** Draws the steps; `choose(index)` is told. */
export const stepList = (sheet, choose) => {
  const { main, step, steps } = sheet;
  const names = stepNames(sheet);
  const change = (text, next) => {
    main.change(text);
    choose(next);
  };
  const move = (index, next) => change(swapItems(main.text, ["steps"], index), next);
  const act = (label, title, action, disabled = false) =>
    small(label, action, { "aria-label": title, title, disabled });
  const buttons = names.map((name, index) => make("li", {}, small(name, () => choose(index),
    { "aria-current": index === step && "step" })));
  if (!steps) return row(act("+ Add a step", "Add a step", () => change(withSteps(main), 1)));
  return [make("ol", { class: "row", "aria-label": "Steps" }, buttons), row(
    act("+ Step", "Add a step", () => change(inserted(sheet, new Raw(templateOf(sheet))), step + 1)),
    act("+ Wait", "Add a wait", () => change(inserted(sheet, { wait: "1s" }), step + 1)),
    act("↑", "Move the step up", () => move(step - 1, step - 1), step === 0),
    act("↓", "Move the step down", () => move(step, step + 1), step === names.length - 1),
    act("−", "Remove the step", () => change(removeValue(main.text, ["steps", step]),
      Math.max(0, step - 1)), names.length === 1))];
};

/** The text of the step before the place, which the new one is a copy of; a wait is none. */
const templateOf = ({ steps, step }) => {
  const isStep = (item) => nodeAt(item, ["wait"]) === undefined;
  const found = steps.slice(0, step + 1).findLast(isStep) ?? steps.find(isStep);
  return found?.raw ?? "{ notification: { payload: { aps: { alert: \"\" } } } }";
};

/** Makes the notification the first of two steps. */
const withSteps = ({ text, tree, style }) => {
  const node = nodeAt(tree, ["notification"]);
  const raw = node?.raw ?? "{ payload: { aps: { alert: \"\" } } }";
  const first = "{ notification: " + raw.replaceAll("\n", "\n    ") + " }";
  const list = new Raw("[\n    " + first + ",\n    " + first + ",\n  ]");
  if (!node) return setValue(text, ["steps"], list, style);
  return renameKey(setValue(text, ["notification"], list, style), ["notification"], "steps", style);
};

/** Puts an item behind the chosen step. */
const inserted = ({ main, steps, step }, item) => {
  let text = setValue(main.text, ["steps", steps.length], item, main.style);
  for (let index = steps.length - 1; index > step; index -= 1) text = swapItems(text, ["steps"], index);
  return text;
};
