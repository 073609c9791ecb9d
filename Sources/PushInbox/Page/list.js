// A list box that draws only the rows in view, so that ten thousand cost what twenty do.

import { make } from "./dom.js";

const margin = 5;
/** The time after which typing begins anew, in milliseconds. */
const pause = 1000;

export class WindowedList {
  #items = { count: 0, at: () => undefined, indexOf: () => -1 };
  #rows = new Map();
  #made = 0;
  #chosen = null;
  #typed = { text: "", time: 0 };

  /**
   * `box` scrolls. `height` of a row in rem; `key(item)`; `draw(item)` gives its children and
   * `stamp(item)` changes when they do; `choose(item, isOpened)` is told: arrow keys only go past it.
   * `names(item)`, in lower case, are what typing finds it by.
   */
  constructor(box, { height, key, stamp, draw, choose, names = () => [] }) {
    Object.assign(this, { box, height, key, stamp, draw, choose, names });
    this.space = make("div", { class: "space", role: "presentation" });
    box.append(this.space);
    box.addEventListener("scroll", () => this.render(), { passive: true });
    box.addEventListener("keydown", (event) => this.#press(event));
    box.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(() => this.render()).observe(box);
  }

  /** `items` has `count`, `at(index)` and `indexOf(key)`. New ones on top do not move the view. */
  show(items, added = 0) {
    this.#items = items;
    this.space.style.height = items.count * this.height + "rem";
    if (added > 0 && this.box.scrollTop > 0) this.box.scrollTop += added * this.#pixels;
    this.render();
  }

  get chosen() { return this.#chosen; }

  /** Marks an item, without telling anyone. */
  mark(item) {
    this.#chosen = item === null ? null : this.key(item);
    this.render();
  }

  get #pixels() {
    return this.height * parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  render() {
    const pixels = this.#pixels;
    const first = Math.max(0, Math.floor(this.box.scrollTop / pixels) - margin);
    const end = Math.min(this.#items.count,
      Math.ceil((this.box.scrollTop + this.box.clientHeight) / pixels) + margin);
    const wanted = new Map();
    for (let index = first; index < end; index += 1) wanted.set(index, this.#items.at(index));
    // A screen reader needs the active row even when it is out of view.
    const active = this.#items.indexOf(this.#chosen);
    if (active >= 0) wanted.set(active, this.#items.at(active));
    this.#place(wanted);
    const row = active >= 0 ? this.#rows.get(this.#chosen) : undefined;
    if (row) this.box.setAttribute("aria-activedescendant", row.element.id);
    else this.box.removeAttribute("aria-activedescendant");
  }

  #place(wanted) {
    const rows = new Map();
    for (const [index, item] of wanted) {
      const key = this.key(item);
      rows.set(key, this.#row(key, item, index));
    }
    for (const [key, row] of this.#rows) if (!rows.has(key)) row.element.remove();
    this.#rows = rows;
  }

  /** Rows are kept: one that is pressed has to be there when it is let go. */
  #row(key, item, index) {
    const row = this.#rows.get(key) ?? this.#newRow(key);
    const stamp = this.stamp(item);
    if (row.stamp !== stamp) row.element.replaceChildren(...this.draw(item));
    row.stamp = stamp;
    row.item = item;
    row.element.style.top = index * this.height + "rem";
    row.element.setAttribute("aria-posinset", index + 1);
    row.element.setAttribute("aria-setsize", this.#items.count);
    row.element.setAttribute("aria-selected", key === this.#chosen);
    return row;
  }

  #newRow(key) {
    this.#made += 1;
    const id = this.box.id + "-" + this.#made;
    const element = make("div", { class: "row", role: "option", id });
    element.style.height = this.height + "rem";
    this.space.append(element);
    return { element, stamp: undefined, item: undefined };
  }

  #click(event) {
    const element = event.target.closest("[role=option]");
    const row = [...this.#rows.values()].find((row) => row.element === element);
    if (row) this.#select(row.item, true);
  }

  #press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { count } = this.#items;
    const active = this.#rows.get(this.#chosen);
    if (event.key === "Enter" && active) return this.#select(active.item, true);
    if (event.key.length === 1) return this.#jump(event);
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.#pixels) - 1);
    const now = this.#items.indexOf(this.#chosen);
    const target = {
      ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: count - 1,
      PageDown: now + page, PageUp: now - page,
    }[event.key];
    if (target === undefined || count === 0) return;
    event.preventDefault();
    this.#go(Math.min(Math.max(target, 0), count - 1));
  }

  #go(index) {
    this.#reveal(index);
    this.#select(this.#items.at(index), false);
  }

  /** Goes to the first item with a name that begins with what is typed without a pause. */
  #jump({ key, timeStamp }) {
    const isNew = timeStamp - this.#typed.time > pause;
    const text = (isNew ? "" : this.#typed.text) + key.toLowerCase();
    this.#typed = { text, time: timeStamp };
    for (let index = 0; index < this.#items.count; index += 1) {
      const names = this.names(this.#items.at(index));
      if (names.some((name) => name.startsWith(text))) return this.#go(index);
    }
  }

  #reveal(index) {
    const top = index * this.#pixels;
    const bottom = top + this.#pixels - this.box.clientHeight;
    if (this.box.scrollTop > top) this.box.scrollTop = top;
    else if (this.box.scrollTop < bottom) this.box.scrollTop = bottom;
  }

  #select(item, isOpened) {
    this.mark(item);
    this.choose(item, isOpened);
  }
}
