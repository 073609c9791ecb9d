// What stands around the form and the text: the title, what is sent, problems and size.

import { commandLine } from "./command.js";
import { button, redrawn, say } from "./controls.js";
import { copyable } from "./copy.js";
import { announce } from "./dialogs.js";
import { find, isolated, make } from "./dom.js";
import { fixOf, problemRow, rangeOf } from "./problems.js";

/** How a file stands, the gravest first. */
const states = {
  conflict: "Changed on disk", failed: "Not saved yet", saving: "Saving…", edited: "Edited",
  saved: "Saved",
};

export const drawTitle = ({ main: { path }, documents }) => {
  redrawn(find("name"), path, () => isolated(path));
  find("menu").hidden = false;
  document.title = path.split("/").pop() + " – fanfare studio";
  const isIn = (name) => documents.some(({ state }) => state === name);
  say("saved", states[Object.keys(states).find(isIn)] ?? "");
};

export const drawSender = ({ isScenario, isSent }, target) => {
  find("sender").hidden = find("command").hidden = !isSent;
  if (!isSent) return;
  find("to-text").textContent = target.text;
  const isReady = isScenario || target.isChosen;
  find("send").disabled = !isReady;
  find("send").title = isReady ? "⌘↩ or Ctrl+Enter" : "Choose under “To” who gets it.";
  const line = commandLine(target.words);
  redrawn(find("command"), line, () => copyable("fanfare", line, announce));
};

/** The files that the text can show, if there are several; `show(document)` is told. */
export const drawSources = (documents, source, show) => {
  find("sources").hidden = documents.length < 2;
  redrawn(find("sources"), [documents.map(({ path }) => path), source.path], () =>
    documents.map((document) => button(document.path.split("/").pop(), () => show(document),
      { "aria-pressed": String(document === source) })));
};

/** The most bytes of a payload, by what is explained of its push type. */
export const limitOf = (hint) => Number(/at most (\d+)/.exec(hint?.payload)?.[1]);

/** Problems beneath the text, and the size of the payload against its limit. */
export const drawProblems = (main, shown, { bytes, limit }, handlers) => {
  const stamp = shown.map((problem) =>
    [problem.message, fixOf(problem)?.label, problem.document && rangeOf(problem)]);
  const numbers = [bytes, limit].map((number) => number?.toLocaleString("en-US"));
  const size = limit && bytes != null && make("label", { class: "size" },
    make("meter", { min: 0, max: limit, high: 0.9 * limit, value: bytes }),
    numbers.join(" of ") + " bytes");
  redrawn(find("problems"), [stamp, numbers, main.path],
    () => [shown.map((problem) => problemRow(problem, main, handlers)), size]);
};
