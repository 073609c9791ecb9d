// Draws a lock screen as iOS lays it out, and beside it what iOS does not tell.

import { counted, dateOf, icon, isolated, make, printable, timeOfDay } from "./dom.js";
import { appOf, seen } from "./push.js";

/** The most cards of an opened group, of groups and of activities. */
const mostCards = 30;
const tints = 6;
/** The greatest number that fits on an icon. */
const mostBadge = 9999;

export class Phone {
  #opened = new Set();

  /** `choose(push)` is told which card was pressed; `redraw()` that the screen changed. */
  constructor({ choose, redraw }) { Object.assign(this, { choose, redraw }); }

  draw(screen, newest, chosen) {
    this.chosen = chosen;
    const cards = [
      ...screen.calls.map((push) => this.#call(push)),
      ...screen.activities.slice(0, mostCards).map((activity) => this.#activity(activity)),
      ...screen.groups.slice(0, mostCards).map((group) => this.#group(group)),
    ];
    const blank = make("li", { class: "blank" }, "No notifications");
    return [
      make("div", { class: "phone" },
        make("p", { class: "day" }, dateOf(newest.time)),
        make("p", { class: "clock" }, timeOfDay(newest.time).slice(0, 5)),
        make("ul", { class: "cards" }, cards.length > 0 ? cards : blank),
        this.#dock(screen.badges)),
      this.#hidden(screen.hidden),
    ];
  }

  /** A card as a button: it leads to its push. */
  #button(push, kind, ...children) {
    const button = make("button", { type: "button", class: "card " + kind,
      "data-push": push.id, "aria-pressed": String(push.id === this.chosen) }, ...children);
    button.addEventListener("click", () => this.choose(push));
    return button;
  }

  #group(group) {
    const isOpen = this.#opened.has(group.key);
    const shown = group.entries.slice(0, isOpen ? mostCards : 1);
    const more = group.entries.length - shown.length;
    const cards = shown.map((entry) => this.#notification(entry));
    const text = [isOpen ? "Show less" : counted(more, "more notification"),
      group.threadID && [" in ", isolated(printable(group.threadID))]];
    return make("li", { class: more > 0 && !isOpen ? "group stacked" : "group" }, cards,
      group.entries.length > 1 && this.#toggle(group.key, isOpen, text));
  }

  #toggle(key, isOpen, text) {
    const button = make("button",
      { type: "button", class: "toggle", "aria-expanded": String(isOpen), "data-group": key }, text);
    button.addEventListener("click", () => {
      if (!this.#opened.delete(key)) this.#opened.add(key);
      this.redraw();
    });
    return button;
  }

  #notification({ push, card, replaced }) {
    const kind = card.interruptionLevel === "passive" ? "passive" : "";
    return [this.#button(push, kind, this.#head(push), this.#mark(card), this.#texts(card)),
      facts(card, replaced)];
  }

  #head(push) {
    return make("span", { class: "head" }, appIcon(appOf(push)),
      isolated(appName(appOf(push)), "app"), make("time", {}, timeOfDay(push.time)));
  }

  /** What iOS puts above the title. */
  #mark(card) {
    const words = { "time-sensitive": "Time Sensitive", critical: "Critical" };
    const mark = words[card.interruptionLevel];
    return mark && make("span", { class: "mark" }, mark);
  }

  #texts(card) {
    return ["title", "subtitle", "body"].filter((name) => card[name])
      .map((name) => make("span", { class: name, dir: "auto" }, seen(card, name)));
  }

  #activity(activity) {
    const { push, card } = activity.states.at(-1);
    return make("li", { class: "group" },
      this.#button(push, "activity", this.#head(push),
        make("span", { class: "mark" }, "Live Activity",
          activity.type && [" ", isolated(printable(activity.type))], activity.ended && ", ended"),
        this.#texts(card), stateRows({ ...object(activity.attributes), ...object(card.state) })),
      card.staleDate != null && make("p", { class: "facts" }, "Stale from "
        + timeOfDay(milliseconds(card.staleDate))),
      this.#states(activity));
  }

  /** Its states over time, the newest first, each with what it changed. */
  #states({ key, states, count }) {
    if (count === 1) return null;
    const isOpen = this.#opened.has(key);
    const toggle = this.#toggle(key, isOpen, counted(count, "state"));
    if (!isOpen) return toggle;
    const rows = states.map(({ push, card }, index) => make("li", {},
      make("time", {}, timeOfDay(push.time)), " ", make("strong", {}, card.event ?? "update"), " ",
      isolated(changes(card.state, states[index - 1]?.card.state))));
    return [toggle, make("ol", { class: "states" }, rows.reverse())];
  }

  #call(push) {
    const { card } = push;
    return make("li", { class: "group" }, this.#button(push, "call", this.#head(push),
      make("span", { class: "title" }, icon("phone"), " Incoming call"), this.#texts(card)),
    make("p", { class: "facts" }, "The app reports the call, and who calls, to CallKit."));
  }

  /** The apps' icons with their badges. */
  #dock(badges) {
    const apps = [...badges].map(([app, badge]) => make("li", {}, appIcon(app),
      badge > 0 && make("span", { class: "badge", "aria-hidden": "true" },
        badge > mostBadge ? mostBadge + "+" : badge),
      make("span", { class: "unseen" }, appName(app) + ": "
        + (badge > 0 ? "badge " + badge : "badge cleared"))));
    return apps.length > 0 && make("ul", { class: "dock", "aria-label": "Badges" }, apps);
  }

  #hidden(hidden) {
    if (hidden.length === 0) return null;
    return make("div", { class: "hidden" }, make("h3", {}, "Not on the screen"),
      make("ul", {}, hidden.map(({ push, why, count }) => make("li", {},
        this.#button(push, "plain", icon(push.card?.kind === "background" ? "wake" : "bell"),
          make("span", {}, isolated(printable(why)), count > 1 && " (" + count + " times)"),
          make("time", {}, timeOfDay(push.time)))))));
  }
}

/** What a tester wants to know of a card, and iOS does not show. */
const facts = (card, replaced) => {
  const sound = typeof card.sound === "string" ? card.sound : card.sound?.name;
  const words = [
    sound && ["Sound ", isolated(printable(sound))],
    card.collapseID && ["Collapse ID ", isolated(printable(card.collapseID)),
      replaced > 0 && ", replaced " + counted(replaced, "time")],
    card.threadID && ["Thread ", isolated(printable(card.threadID))],
    card.category && ["Category ", isolated(printable(card.category))],
    card.interruptionLevel === "passive" && ["Passive: the screen stays dark"],
  ].filter(Boolean);
  return words.length > 0 && make("p", { class: "facts" },
    words.flatMap((word, index) => index > 0 ? [" · ", ...word] : word));
};

/** A Live Activity's state as rows of name and value. */
const stateRows = (state) => {
  const rows = flat(state);
  return rows.length > 0 && make("span", { class: "state" }, rows.map(([name, value]) =>
    make("span", {}, isolated(printable(name), "name"), " ", isolated(printable(value)))));
};

const object = (value) => value !== null && typeof value === "object" ? value
  : value === undefined ? {} : { state: value };

/** `{a: {b: 1}}` as `[["a.b", "1"]]`. */
const flat = (value, path = "") => {
  if (value === null || typeof value !== "object") {
    return value === undefined ? [] : [[path || "state", String(value)]];
  }
  return Object.entries(value).flatMap(([key, inner]) => flat(inner, path ? path + "." + key : key));
};

const changes = (state, before) => {
  const known = new Map(flat(before));
  const rows = flat(state).filter(([name, value]) => known.get(name) !== value);
  if (rows.length === 0) return "no change";
  return rows.map(([name, value]) => printable(name) + ": " + printable(value)).join(", ");
};

const milliseconds = (seconds) => typeof seconds === "number" ? 1000 * seconds : seconds;

/** The last part of a bundle ID, which is often the app's name. */
const appName = (app) => printable(app.split(".").at(-1) || "App");

const appIcon = (app) => {
  const sum = [...app].reduce((sum, character) => sum + character.codePointAt(0), 0);
  return make("span", { class: "app-icon tint-" + sum % tints, "aria-hidden": "true" },
    ([...appName(app)][0] ?? "?").toUpperCase());
};
