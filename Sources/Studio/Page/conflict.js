// Tells that a file has changed on disk beneath what is typed, and asks which one stays.

import { button, redrawn, row } from "./controls.js";
import { differences } from "./difference.js";
import { find, isolated, make, printable } from "./dom.js";

const mostLines = 20;

/** `document` is the one in conflict, or undefined; `close(document)` gives it up. */
export const drawConflict = (document, close) => {
  const box = find("conflict");
  box.hidden = document === undefined;
  redrawn(box, document && [document.path, document.theirs.version, document.text], () => {
    if (!document) return [];
    const { theirs } = document;
    const isGone = theirs.text === null;
    return [row(make("strong", {}, isolated(document.path), isGone ? " was removed on disk." : " changed on disk."),
      button("Keep mine", () => document.keepMine()),
      isGone ? button("Close it", () => close(document)) : button("Take theirs", () => document.takeTheirs())),
    !isGone && linesOf(differences(document.text, theirs.text))];
  });
};

const linesOf = ({ mine, theirs }) => make("dl", {}, [["Mine", mine], ["Theirs", theirs]].map(([name, lines]) =>
  make("div", {}, make("dt", {}, name), make("dd", {}, lines.slice(0, mostLines).map((line) =>
    make("div", {}, printable(line) || "\u00a0"))))));
