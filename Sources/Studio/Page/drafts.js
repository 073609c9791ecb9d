// What was typed and is not in its file yet, kept by the browser until it is; and what the studio keeps.

import { request } from "./api.js";

const prefix = "fanfare draft\n";
/** A draft of another tab counts as left behind after this time, in milliseconds. */
const patience = 5000;

/** The browser may refuse to store anything. */
const stored = (use) => {
  try { return use(localStorage); } catch { return null; }
};

const tab = (() => {
  const made = Math.random().toString(36).slice(2);
  try {
    sessionStorage.tab ??= made;
    return sessionStorage.tab;
  } catch {
    return made;
  }
})();

const nameOf = (place, owner = tab) => prefix + place + "\n" + owner;

export const keepDraft = (place, text, version) => stored((storage) =>
  storage.setItem(nameOf(place), JSON.stringify({ text, version, at: Date.now() })));

export const dropDraft = (place) => stored((storage) => storage.removeItem(nameOf(place)));

/** The draft of a file that this tab, or one that is gone, has left: `text` and `version`. */
export const takeDraft = (place) => stored((storage) => {
  const names = Object.keys(storage).filter((name) => name.startsWith(prefix + place + "\n"));
  for (const name of names) {
    const draft = JSON.parse(storage.getItem(name));
    if (name !== nameOf(place) && Date.now() - draft.at < patience) continue;
    storage.removeItem(name);
    return draft;
  }
  return null;
});

let memory = {};
let kept = Promise.resolve();

/** Takes what the studio remembers. Whatever listens on this port next could read it in the browser. */
export const takeMemory = (values) => {
  memory = values;
  stored((storage) => Object.keys(storage).filter((name) => name.startsWith("fanfare ") && !name.startsWith(prefix))
    .forEach((name) => storage.removeItem(name)));
};

/** A small value that outlives the page and the studio, such as the last recipients of a file. */
export const remember = (name, value) => {
  memory[name] = value;
  kept = kept.then(() => request("/memory", "PUT", { name, value })).catch(() => {});
};

export const recall = (name) => structuredClone(memory[name] ?? null);
