// The project's files at the left: by app, with search.

import { request } from "./api.js";
import { button, fill } from "./controls.js";
import { counted, find, isolated, make } from "./dom.js";
import { Latest } from "./latest.js";

const every = 3000;
const groupsOf = { payload: "Payloads", list: "Lists", script: "Emulator scripts" };

export class Files {
  list = [];
  open = null;
  #stamp = "";
  #leftOut = 0;
  #listed = new Latest();

  /** `choose(path)` opens a file; `changed()` is told when the listing has changed. */
  constructor({ choose, changed }) {
    Object.assign(this, { choose, changed });
    find("find").addEventListener("input", () => this.draw());
    find("files").addEventListener("keydown", (event) => this.#press(event));
    setInterval(() => { if (!document.hidden) this.load().catch(() => {}); }, every);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.load().catch(() => {}); });
  }

  async load() {
    const listing = await this.#listed.of(request("/files"));
    const stamp = JSON.stringify(listing);
    if (!listing || stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.list = listing.files;
    this.#leftOut = listing.leftOut;
    this.draw();
    this.changed();
  }

  /** A path that no file has yet. */
  free(path) {
    const [, name, ending] = /^(.*?)(?: \d+)?(\.\w+)$/.exec(path);
    const isTaken = () => this.list.some((file) => file.path === path);
    for (let number = 2; isTaken(); number += 1) path = name + " " + number + ending;
    return path;
  }

  draw() {
    const words = find("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = this.list.filter((file) => words.every((word) =>
      [file.path, file.name, file.app].join(" ").toLowerCase().includes(word)));
    const groups = Map.groupBy(shown, (file) => groupsOf[file.kind] ?? file.app ?? "Scenarios");
    const names = [...groups.keys()].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
    const focused = document.activeElement?.dataset?.path;
    const first = this.open && shown.some(({ path }) => path === this.open) ? this.open : groups.get(names[0])?.[0].path;
    const parts = names.map((name) => make("section", { class: "files" }, make("h3", {}, isolated(name)),
      make("ul", {}, groups.get(name).map((file) => make("li", {}, this.#button(file, file.path === first))))));
    const hint = words.length > 0 ? "No file matches." : "There is no file yet. \u201cNew\u201d makes one.";
    fill(find("files"), parts, parts.length === 0 && make("p", { class: "hint" }, hint),
      this.#leftOut > 0 && make("p", { class: "note" }, counted(this.#leftOut, "file is", "files are")
        + " left out: a name is longer than 200 bytes, has a control character, or begins with -, ~ or @."));
    if (focused) find("files").querySelector("[data-path=" + CSS.escape(focused) + "]")?.focus();
  }

  #button({ path, name }, isFirst) {
    const parts = path.split("/");
    const file = parts.pop();
    const place = make("span", { class: "soft" }, isolated(name ? path : parts.join("/")));
    return button([isolated(name ?? file), place], () => this.choose(path), { class: "file",
      "data-path": path, tabindex: isFirst ? 0 : -1, "aria-current": path === this.open && "true" });
  }

  /** Arrow keys go from file to file, so that Tab passes the list at once. */
  #press(event) {
    const all = [...find("files").querySelectorAll(".file")];
    const now = all.indexOf(document.activeElement);
    const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: all.length - 1 }[event.key];
    if (now < 0 || !all[next]) return;
    event.preventDefault();
    all[now].tabIndex = -1;
    all[next].tabIndex = 0;
    all[next].focus();
  }
}

const rank = (name) => ["Scenarios", ...Object.values(groupsOf)].indexOf(name);
