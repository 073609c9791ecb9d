// The lines in which two texts differ.

/** How many lines both begin with, and how many of the others both end with. */
export const sameEdges = (a, b) => {
  const least = Math.min(a.length, b.length);
  let start = 0;
  while (start < least && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < least - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return { start, end };
};

/** The lines of each that the other lacks between those that both begin and end with. */
export const differences = (mine, theirs) => {
  const [a, b] = [mine.split("\n"), theirs.split("\n")];
  const { start, end } = sameEdges(a, b);
  const missing = (lines, others) => {
    const known = new Set(others);
    return lines.slice(start, lines.length - end).filter((line) => !known.has(line));
  };
  return { mine: missing(a, b), theirs: missing(b, a) };
};
