// The key: taken out of the address as soon as the page opens, and kept for the tab alone.

let current = null;

/** The browser may refuse to store anything; then the key is needed again at the next load. */
const stored = (use) => {
  try { return use(sessionStorage); } catch { return null; }
};

/** Keeps the key in a text: a URL, a part of one, or the key alone. Returns whether it has one. */
export const keepKey = (text) => {
  const found = /(?:^|[#?&]key=)([\w-]{16,256})(?=$|&)/.exec(text.trim())?.[1];
  if (!found) return false;
  current = found;
  stored((storage) => storage.setItem("key", found));
  return true;
};

/** The key; null without one. */
export const key = () => current;

const takeFromAddress = () => {
  const { hash, search, pathname } = location;
  const isNew = keepKey(hash) || keepKey(search);
  if (hash || search) history.replaceState(null, "", pathname);
  return isNew;
};

if (!takeFromAddress()) current = stored((storage) => storage.getItem("key"));
// A URL that differs only behind its '#' does not load the page.
addEventListener("hashchange", () => { if (takeFromAddress()) location.reload(); });
