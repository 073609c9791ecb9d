// The only place that makes elements. Texts become text nodes: nothing in a push can be markup.

const drawn = new Set(["svg", "path"]);

/** An element with attributes and children; children that are null or false are left out. */
export const make = (tag, attributes = {}, ...children) => {
  const element = drawn.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
};

export const find = (id) => document.getElementById(id);

/** Text of a push within a line. Its direction cannot affect the text around it. */
export const isolated = (text, kind) => make("bdi", { class: kind, dir: "auto" }, text);

// Controls, and the invisible characters that reorder text or hide in it. Joiners remain: emoji
// and several scripts need them.
export const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Spells out what cannot be seen. */
export const printable = (text) => String(text).replace(unprintable,
  (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"));

const icons = {
  bell: "M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4zM6.5 13.5a1.5 1.5 0 0 0 3 0",
  phone: "M4 2l2.5 1L7 6 5.5 7.5a8 8 0 0 0 3 3L10 9l3 .5 1 2.5-1.5 2C7 14 2 9 2 3.500z",
  wake: "M9 1L3 9h4l-1 6 6-8H8z",
  copy: "M6 6h7v8H6zM3 11V2h7",
};

/** An icon, which says nothing that the text beside it does not. */
export const icon = (name) => make("svg",
  { class: "icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
  make("path", { d: icons[name] }));

const clock = new Intl.DateTimeFormat("en-GB",
  { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

const formatted = (format, time) => {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "–" : format.format(date);
};

/** The time of day, the date, and both; in the browser's time zone. */
export const timeOfDay = (time) => formatted(clock, time);
export const dateOf = (time) => formatted(day, time);
export const momentOf = (time) => formatted(moment, time);

/** A number with its noun. */
export const counted = (count, noun, plural = noun + "s") =>
  count.toLocaleString("en-US") + " " + (count === 1 ? noun : plural);
