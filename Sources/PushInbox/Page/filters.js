// The filters: which pushes are shown, newest first, as the list wants them.

import { find, make, printable } from "./dom.js";
import { matches } from "./push.js";

const selects = ["type", "app", "answer"];

export class Filters {
  #device = null;
  #words = [];
  /** Those that match, oldest first: their IDs rise. */
  #visible = [];

  /** `changed()` is told when the person in front of the page narrows or widens the choice. */
  constructor(changed) {
    for (const id of ["find", ...selects]) find(id).addEventListener("input", changed);
  }

  get device() { return this.#device; }
  set device(key) { this.#device = key; }

  get count() { return this.#visible.length; }

  at(index) { return this.#visible[this.#visible.length - 1 - index]; }

  /** Where the push with an ID is; -1 when it is not shown. */
  indexOf(id) {
    let [low, high] = [0, this.#visible.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#visible[middle].id < id) low = middle + 1;
      else high = middle;
    }
    return this.#visible[low]?.id === id ? this.#visible.length - 1 - low : -1;
  }

  /** Chooses among all pushes anew. */
  apply(pushes) {
    this.#words = find("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    this.#visible = pushes.filter(this.#test);
  }

  /** Adds new pushes, leaves out those before the ID `first`, and returns how many were added. */
  add(pushes, first) {
    const fitting = pushes.filter((push) => push.id >= first).filter(this.#test);
    const stays = this.#visible.findIndex((push) => push.id >= first);
    this.#visible.splice(0, stays < 0 ? this.#visible.length : stays);
    this.#visible.push(...fitting);
    return fitting.length;
  }

  get #test() {
    const [type, app, answer] = selects.map((id) => find(id).value);
    const filters = { device: this.#device, type, app, answer, words: this.#words };
    return (push) => matches(push, filters);
  }

  /** Offers what has come; an offer that is there stays. */
  offer({ type, app, reason }) {
    fill("type", [...type].map((name) => [name, printable(name)]));
    fill("app", [...app].map((name) => [name, printable(name)]));
    fill("answer", [["accepted", "accepted"], ["refused", "refused"], ["unanswered", "no answer"],
      ...[...reason].map((name) => [name, printable(name)])]);
  }
}

const fill = (id, rows) => {
  const select = find(id);
  if (select.options.length > rows.length) return;
  const known = new Set([...select.options].map((option) => option.value));
  select.append(...rows.filter(([value]) => !known.has(value))
    .map(([value, text]) => make("option", { value }, text)));
};
