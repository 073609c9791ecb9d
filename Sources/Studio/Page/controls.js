// Buttons, and boxes that are drawn again only when what they show has changed.

import { find, make } from "./dom.js";

/** A button; `small` in a row of text. */
export const button = (label, action, attributes = {}) => {
  const made = make("button", { type: "button", ...attributes }, label);
  if (action) made.addEventListener("click", action);
  return made;
};

export const small = (label, action, attributes = {}) =>
  button(label, action, { class: "small", ...attributes });

export const row = (...children) => make("div", { class: "row" }, children);

/** Puts children into a box; those that are null or false are left out. */
export const fill = (box, ...children) => box.replaceChildren(
  ...children.flat(Infinity).filter((child) => child != null && child !== false));

const stamps = new WeakMap();

/** Fills a box if its stamp has changed: what has the focus or is being read there stays. */
export const redrawn = (box, stamp, draw) => {
  const text = JSON.stringify(stamp);
  if (stamps.get(box) === text) return;
  stamps.set(box, text);
  const hadFocus = box.contains(document.activeElement);
  fill(box, draw());
  if (!hadFocus || box.contains(document.activeElement)) return;
  // What had the focus is gone. No button takes its place: Enter, pressed twice, would press that.
  box.tabIndex = -1;
  box.focus({ preventScroll: true });
};

/** Changes a text that may be a live region only when it differs. */
export const say = (id, text) => {
  if (find(id).textContent !== text) find(id).textContent = text;
};
