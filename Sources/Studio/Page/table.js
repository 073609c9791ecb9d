// The beginning of a list as a table.

import { isolated, make, printable } from "./dom.js";

const mostCharacters = 20000;
const mostRows = 100;

/** As much of a list as its table shows. */
export const startOf = ({ kind, text }) => kind === "list" ? text.slice(0, mostCharacters) : "";

/** A row for each line; the first names the columns, unless it has a token itself. */
export const listTable = (document) => {
  const rows = startOf(document).split("\n").filter((line) => line.trim()).slice(0, mostRows).map(cellsOf(document.path));
  const hasHead = rows.length > 0 && !rows[0].some(isToken);
  const line = (tag, attributes) => (cells) => make("tr", {}, cells.map((cell) =>
    make(tag, attributes, isolated(printable(isToken(cell) ? "…" + cell.slice(-8) : cell)))));
  return make("table", { class: "list" },
    hasHead && make("thead", {}, rows.slice(0, 1).map(line("th", { scope: "col" }))),
    make("tbody", {}, rows.slice(hasHead ? 1 : 0).map(line("td", {}))));
};

const isToken = (cell) => /^[\da-f]{32,}$/i.test(cell);

/** Cells as the file's ending says, quoted or not; other kinds of lists have one in a line. */
const cellsOf = (path) => {
  const mark = { csv: "[,;]", tsv: "\\t" }[path.split(".").pop().toLowerCase()];
  if (!mark) return (line) => [line.trim()];
  const cell = new RegExp("(?:^|" + mark + ")(?:\"((?:[^\"]|\"\")*)\"|((?:(?!" + mark + ").)*))", "g");
  return (line) => [...line.matchAll(cell)].map(([, quoted, plain]) => (quoted?.replaceAll("\"\"", "\"") ?? plain).trim());
};
