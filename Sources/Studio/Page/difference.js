// The lines in which two texts differ.

/** The most lines that are compared one by one. */
const most = 600;

/** Rows of `sign` ("−" or "+"), `line` and `number`. */
export const differences = (old, new_) => {
  const [a, b] = [old.split("\n"), new_.split("\n")];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return compared(a.slice(start, a.length - end), b.slice(start, b.length - end), start + 1);
};

const compared = (a, b, first) => {
  const row = (sign) => (line, index) => ({ sign, line, number: first + index });
  if (a.length > most || b.length > most) return [...a.map(row("−")), ...b.map(row("+"))];
  const kept = commonLines(a, b);
  const rows = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { i += 1; j += 1; }
    else if (j >= b.length || (i < a.length && kept[i + 1][j] >= kept[i][j + 1])) rows.push(row("−")(a[i], i++));
    else rows.push(row("+")(b[j], j++));
  }
  return rows;
};

/** How many lines two texts have in common from each pair of lines on. */
const commonLines = (a, b) => {
  const table = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
};
