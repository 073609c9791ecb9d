// Line endings. Lines that were not edited keep theirs.

import { sameEdges } from "./difference.js";

export class LineEnds {
  #lines;
  #ends;

  /** `text` is the file's, with the ends that it has. */
  constructor(text) {
    this.#lines = text.split(/\r\n|\r|\n/);
    this.#ends = text.match(/\r\n|\r|\n/g) ?? [];
  }

  /** The text with lines that end in LF. */
  get text() { return this.#lines.join("\n"); }

  /** A changed text as it is written to the file: a new line ends as the one before it, or the first. */
  written(text) {
    const ends = this.#ends;
    if (ends.every((end) => end === "\n")) return text;
    const lines = text.split("\n");
    const { start, end } = sameEdges(this.#lines, lines);
    const shift = this.#lines.length - lines.length;
    const oldIndex = (index) => index < start || shift === 0 ? index
      : index >= lines.length - end ? index + shift : start - 1;
    return lines.map((line, index) => index === lines.length - 1 ? line : line + (ends[oldIndex(index)] ?? ends[0]))
      .join("");
  }
}
