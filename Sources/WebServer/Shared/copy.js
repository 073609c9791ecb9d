// A command line with a button that copies it.

import { icon, make, printable } from "./dom.js";

/** `name` tells it from other commands; `copied(text)` is told. */
export const copyable = (name, text, copied) => {
  const line = make("pre", {}, text.split("\n").map((line) => printable(line)).join("\n"));
  const button = make("button", { type: "button", class: "copy" }, icon("copy"), " Copy",
    make("span", { class: "unseen" }, " the " + name + " command"));
  button.addEventListener("click", () => copy(text, line, copied));
  return make("div", { class: "command" }, make("h4", {}, name), button, line);
};

/** Pages of other hosts than loopback have no clipboard; there the text is selected. */
const copy = async (text, line, copied) => {
  try {
    await navigator.clipboard.writeText(text);
    copied("Copied.");
  } catch {
    getSelection().selectAllChildren(line);
    copied("Selected. Copy it with your keyboard.");
  }
};
