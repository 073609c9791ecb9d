// The pushes that the page holds, by device: those that the emulator keeps, and no more.

import { answerKind, appOf, callOf, deviceOf, isDelivered } from "./push.js";

export class Inbox {
  /** The most pushes that are kept. */
  keep = 10000;
  #cleared = 0;

  constructor() { this.empty(); }

  /** `last` is the ID of the last push that was there. */
  empty(last = 0) {
    this.pushes = [];
    /** The one with the latest push comes last. */
    this.devices = new Map();
    /** What filters can be set to. */
    this.choices = { type: new Set(), app: new Set(), reason: new Set() };
    /** The last push that reached a device. */
    this.delivered = null;
    /** The ID of the newest push. */
    this.last = this.#cleared = last;
  }

  /** How many came before those that are kept, and are gone. */
  get gone() {
    return this.pushes.length < this.keep ? 0 : this.pushes[0].id - 1 - this.#cleared;
  }

  /** The devices, the one with the latest push first. */
  get deviceList() {
    const list = [...this.devices.values()].reverse();
    list.forEach((device, index) => { device.index = index; });
    return list;
  }

  /** Adds newer pushes, oldest first. */
  add(pushes) {
    const news = pushes.slice(-this.keep);
    const excess = this.pushes.length + news.length - this.keep;
    this.pushes.splice(0, Math.max(0, excess)).forEach((push) => this.#drop(push));
    news.forEach((push) => this.#place(push));
    this.last = pushes.at(-1)?.id ?? this.last;
  }

  #drop(push) {
    const device = this.devices.get(deviceOf(push));
    device.pushes.shift();
    if (answerKind(push) === "refused") device.refused -= 1;
    if (device.pushes.length === 0) this.devices.delete(device.key);
  }

  #place(push) {
    this.pushes.push(push);
    const device = this.#device(push);
    device.pushes.push(push);
    if (appOf(push)) device.app = appOf(push);
    if (answerKind(push) === "refused") device.refused += 1;
    if (isDelivered(push) && !callOf(push)) this.delivered = push;
    if (push.pushType) this.choices.type.add(push.pushType);
    if (appOf(push)) this.choices.app.add(appOf(push));
    if (push.reason) this.choices.reason.add(push.reason);
  }

  #device(push) {
    const key = deviceOf(push);
    const device = this.devices.get(key) ?? { key, app: "", index: 0, pushes: [], refused: 0,
      isChannel: push.token == null && push.channel != null };
    this.devices.delete(key);
    this.devices.set(key, device);
    return device;
  }
}
