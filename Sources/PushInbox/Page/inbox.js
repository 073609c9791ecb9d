// The pushes that the page holds, by device. Bounded, as the emulator's own store is.

import { answerKind, appOf, deviceOf } from "./push.js";

export class Inbox {
  /** The most pushes that are kept. */
  keep = 10000;

  constructor() { this.empty(); }

  empty() {
    this.pushes = [];
    this.devices = new Map();
    /** The same devices in the order of their first push. */
    this.deviceList = [];
    /** What filters can be set to. */
    this.choices = { type: new Set(), app: new Set(), reason: new Set() };
  }

  /** The ID of the newest push. */
  get last() { return this.pushes.at(-1)?.id ?? 0; }

  /** Adds newer pushes, oldest first. Returns whether old ones were dropped for them. */
  add(pushes) {
    pushes.forEach((push) => this.#place(push));
    // A tenth at a time: dropping them one by one would copy the list for each push.
    if (this.pushes.length <= this.keep * 1.1) return false;
    const kept = this.pushes.slice(-this.keep);
    this.empty();
    kept.forEach((push) => this.#place(push));
    return true;
  }

  #place(push) {
    this.pushes.push(push);
    const device = this.#device(push);
    device.pushes.push(push);
    if (appOf(push)) device.app = appOf(push);
    if (answerKind(push) === "refused") device.refused += 1;
    if (push.pushType) this.choices.type.add(push.pushType);
    if (appOf(push)) this.choices.app.add(appOf(push));
    if (push.reason) this.choices.reason.add(push.reason);
  }

  #device(push) {
    const key = deviceOf(push);
    const known = this.devices.get(key);
    if (known) return known;
    const device = { key, app: "", isChannel: push.token == null && push.channel != null,
      index: this.deviceList.length, pushes: [], refused: 0 };
    this.devices.set(key, device);
    this.deviceList.push(device);
    return device;
  }
}
