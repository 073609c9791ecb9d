// What stands around the form and the text: the title, what is sent, problems and size.

import { commandLine } from "./command.js";
import { button, fill, redrawn, say } from "./controls.js";
import { copyable } from "./copy.js";
import { announce } from "./dialogs.js";
import { find, isolated, make, printable } from "./dom.js";
import { planLine } from "./plan.js";
import { fixOf, problemRow, rangeOf } from "./problems.js";

/** How a file stands, the gravest first. */
const states = {
  conflict: "Changed on disk", failed: "Not saved yet", saving: "Saving…", edited: "Edited",
  saved: "Saved",
};

export const drawTitle = ({ main: { path }, documents }, isUnwritten) => {
  redrawn(find("name"), path, () => isolated(path));
  find("menu").hidden = false;
  document.title = path.split("/").pop() + " – fanfare studio";
  const isIn = (name) => documents.some(({ state }) => state === name);
  const state = Object.keys(states).find(isIn);
  say("saved", state === "saved" && isUnwritten ? "Saved, but for a field" : states[state] ?? "");
};

/** Nothing is open. */
export const clearBench = () => {
  document.title = "fanfare studio";
  say("saved", "");
  for (const id of ["menu", "sender", "command", "sources", "conflict"]) find(id).hidden = true;
  fill(find("preview"));
  for (const id of ["name", "form", "problems"]) redrawn(find(id), null, () => id === "name" && "No file");
};

/** To whom, what the command would do, and the command. */
export const drawSender = ({ isSent }, target) => {
  find("sender").hidden = find("command").hidden = !isSent;
  if (!isSent) return;
  find("to-text").textContent = target.text;
  const { isReady, plan, problem } = target;
  find("send").disabled = !isReady;
  find("send").title = isReady ? "⌘↩ or Ctrl+Enter" : "Choose under “To” who gets it.";
  say("send", plan?.production ? "Send to production" : "Send");
  find("send").classList.toggle("serious", Boolean(plan?.production));
  const [line, text] = [commandLine(target.words), plan ? planLine(plan) : problem ?? ""];
  redrawn(find("command"), [line, text, plan?.production], () => [
    make("p", { id: "plan", class: plan?.production ? "error strong" : plan ? "soft" : "wrong" }, isolated(printable(text || "\u00a0"))),
    copyable("fanfare", line, announce)]);
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
