// What is on a device's lock screen after its pushes, as a value.

import { appOf, hasText, isDelivered, whyHidden } from "./push.js";

/** The most pushes without a place on the screen that are told of, and states of an activity. */
const mostHidden = 5;
const mostStates = 20;

const known = new WeakMap();

/**
 * The screen after a device's pushes: `groups` of notifications, `activities` and `calls`, each
 * newest first; `badges` by app; `hidden` pushes with the reason. Only what is new is worked out,
 * unless the oldest push was dropped.
 */
export const screenOf = (device) => {
  const [oldest] = device.pushes;
  const before = known.get(device);
  const state = before?.oldest === oldest ? before : { screen: new Screen(), count: 0, oldest };
  for (; state.count < device.pushes.length; state.count += 1) {
    state.screen.add(device.pushes[state.count]);
  }
  known.set(device, state);
  return state.screen.result;
};

class Screen {
  #cards = new Map();
  #activities = [];
  #calls = [];
  #badges = new Map();
  #hidden = [];

  add(push) {
    const card = push.card ?? {};
    const why = whyHidden(push);
    if (why !== undefined) this.#hide(push, why);
    else if (card.kind === "liveActivity") this.#update(push, card);
    else if (card.kind === "call") this.#calls = [push];
    else if (hasText(card)) this.#notify(push, card);
    if (isDelivered(push) && Number.isInteger(card.badge)) {
      this.#badges.set(appOf(push), card.badge);
    }
  }

  /** Those that differ only in time are counted. */
  #hide(push, why) {
    const same = this.#hidden.findIndex((one) => one.why === why);
    const [before] = same < 0 ? [] : this.#hidden.splice(same, 1);
    this.#hidden.push({ push, why, count: (before?.count ?? 0) + 1 });
    if (this.#hidden.length > mostHidden) this.#hidden.shift();
  }

  /** A collapse ID replaces the app's notification that had it, and comes to the top. */
  #notify(push, card) {
    const key = card.collapseID ? appOf(push) + "\n" + card.collapseID : push.id;
    const before = this.#cards.get(key);
    this.#cards.delete(key);
    this.#cards.set(key, { push, card, replaced: before ? before.replaced + 1 : 0 });
  }

  /** A start begins an activity; anything else changes the newest, or one that the app began. */
  #update(push, card) {
    let activity = this.#activities.at(-1);
    if (!activity || card.event === "start") {
      const { "attributes-type": type, attributes } = push.payload?.aps ?? {};
      activity = { key: push.id, type, attributes, states: [], count: 0, ended: false };
      this.#activities.push(activity);
    }
    activity.ended = card.event === "end";
    activity.count += 1;
    activity.states.push({ push, card });
    if (activity.states.length > mostStates) activity.states.shift();
  }

  get result() {
    return {
      groups: this.#groups, activities: this.#activities.slice().reverse(), calls: this.#calls,
      badges: this.#badges, hidden: this.#hidden.slice().reverse(),
    };
  }

  /** By app and thread; the group with the newest card comes first. */
  get #groups() {
    const groups = new Map();
    for (const entry of [...this.#cards.values()].reverse()) {
      const key = appOf(entry.push) + "\n" + (entry.card.threadID ?? "");
      const group = groups.get(key) ?? { key, threadID: entry.card.threadID, entries: [] };
      group.entries.push(entry);
      groups.set(key, group);
    }
    return [...groups.values()];
  }
}
