// To whom, where and as whom: the options of a file's command line, kept by the browser.

import { call } from "./api.js";
import { counted, find, isolated, make, printable } from "./dom.js";
import { recall, remember } from "./drafts.js";
import { environments } from "./fields.js";
import { nodeAt } from "./json5.js";

const headerOptions = ["type", "bundle-id", "priority", "expiration", "collapse-id"];
const mostRows = 3;

export class Target {
  options = {};
  devices = [];
  #counts = new Map();
  #place = null;

  /** `changed()` is told; `lists()` gives the project's lists, `open(path)` shows a file. */
  constructor({ profiles, changed, lists, folder }) {
    Object.assign(this, { profiles, changed, lists, folder });
    find("profile").replaceChildren(make("option", { value: "" }, "default"),
      ...profiles.map(({ name }) => make("option", { value: name }, name)));
    for (const id of ["env", "profile"]) {
      find(id).addEventListener("change", () => this.set(id, find(id).value));
    }
    find("recipients").addEventListener("toggle", (event) => { if (event.newState === "open") this.#drawSheet(); });
    this.learnDevices();
  }

  async learnDevices() {
    const { values } = await call(["device", "list", "--json"]);
    this.devices = values.filter(({ name }) => name);
    this.changed();
  }

  /** Takes the options of a file. */
  async show(sheet) {
    this.sheet = sheet;
    const place = "options of " + this.folder + "\n" + sheet.main.path;
    if (place === this.#place) return;
    this.#place = place;
    this.options = recall(place) ?? (sheet.isScenario ? {} : { env: "emulator" });
    find("env").replaceChildren(make("option", { value: "" }, sheet.isScenario ? "as in the file" : "default"),
      ...environments.map((name) => make("option", { value: name }, name)));
    find("env").value = this.options.env ?? "";
    find("profile").value = this.options.profile ?? "";
    await this.#count();
  }

  set(name, value) {
    if (value === undefined || value === "" || value.length === 0) delete this.options[name];
    else this.options[name] = value;
    remember(this.#place, this.options);
    this.changed();
  }

  get to() { return (this.options.to ?? "").split(/[\s,;]+/).filter(Boolean); }
  get names() { return (this.options.names ?? []).filter((name) => this.devices.some((device) => device.name === name)); }
  get tokenLists() { return this.options.tokens ?? []; }

  // MARK: Words

  /** The command that does what the page shows. */
  get words() { return [...this.#what("run", "send"), ...this.#where, ...this.#whom]; }

  /** The words of a command that looks at the file as it would be sent. */
  looking(command) {
    const lists = command === "preview" ? this.tokenLists.slice(0, 1) : this.tokenLists;
    return [command, "--json", ...this.#headers, ...this.#pair("profile"), ...lists.map((list) => "--tokens=" + list),
      this.sheet.main.path];
  }

  #what(run, send) {
    const { main, isScenario } = this.sheet;
    return isScenario ? [run, main.path] : [send, "--payload=" + main.path, ...this.#headers];
  }

  #pair(name) { return this.options[name] ? ["--" + name + "=" + this.options[name]] : []; }
  get #headers() { return this.sheet.isScenario ? [] : headerOptions.flatMap((name) => this.#pair(name)); }
  get #where() { return [...this.#pair("env"), ...this.#pair("profile")]; }
  get #whom() {
    return [...[...this.to, ...this.names].map((to) => "--to=" + to),
      ...this.tokenLists.map((list) => "--tokens=" + list), ...this.#pair("channel")];
  }

  /** Sets the option that a header comes from. */
  setHeader(header, value) {
    const name = { "apns-topic": "bundle-id", "apns-push-type": "type" }[header] ?? header.replace("apns-", "");
    if (headerOptions.includes(name)) this.set(name, value);
  }

  // MARK: Counting

  /** The environment, as far as the page knows it. */
  get environment() {
    const { env, profile } = this.options;
    const own = this.sheet.isScenario ? nodeAt(this.sheet.main.tree, ["environment"])?.value : undefined;
    const named = profile ?? nodeAt(this.sheet.main.tree, ["profile"])?.value;
    const known = this.profiles.find(({ name, isDefault }) => named ? name === named : isDefault);
    return env ?? (typeof own === "object" ? Object.keys(own)[0] : own) ?? known?.environment ?? "";
  }

  get isChosen() { return this.#whom.length > 0; }
  get hasList() { return this.tokenLists.length > 0 || (!this.isChosen && this.#named.some((name) => this.#counts.has(name))); }

  /** How many pushes it comes to; null while that is not known. */
  get count() {
    if (this.options.channel) return 1;
    if (this.isChosen) return this.to.length + this.names.reduce((sum, name) => sum + this.#size(name), 0)
      + this.#sum(this.tokenLists);
    if (!this.sheet.isScenario) return 0;
    return this.#steps.reduce((sum, names) => sum === null ? null : this.#add(sum, names), 0);
  }

  #add(sum, names) {
    return names.reduce((sum, name) => {
      if (name.startsWith("device:")) return sum + this.#size(name.slice(7));
      return /^[\da-f\s<>]+$/i.test(name) ? sum + 1 : sum + (this.#counts.get(name) ?? 1);
    }, sum);
  }

  #size(name, seen = []) {
    const device = this.devices.find((device) => device.name === name);
    if (!device?.devices || seen.includes(name)) return 1;
    return device.devices.reduce((sum, inner) => sum + this.#size(inner, [...seen, name]), 0);
  }

  #sum(lists) { return lists.reduce((sum, list) => sum + (this.#counts.get(list) ?? 0), 0); }

  /** What the scenario's steps name, a list of names for each. */
  get #steps() {
    const { main: { tree }, steps } = this.sheet;
    const all = nodeAt(tree, ["recipients"])?.value ?? [];
    return (steps ?? [null]).filter((step) => !step?.value.wait)
      .map((step) => [step?.value.recipients ?? all].flat().map(String));
  }
  get #named() { return this.#steps.flat(); }

  /** Takes from a check how many recipients each list has. */
  learn(files) {
    for (const { kind, file, tokens } of files) {
      if (kind !== "list") continue;
      this.#counts.set(file, tokens);
      const name = this.#named.find((name) => file.endsWith(name.replace(/^[./]+/, "")));
      if (name) this.#counts.set(name, tokens);
    }
  }

  async #count() {
    const unknown = this.tokenLists.filter((list) => !this.#counts.has(list));
    for (const list of unknown) {
      const { values: [report] } = await call(["check", "--json", list]);
      this.learn(report?.files.map((file) => ({ ...file, file: list })) ?? []);
    }
    if (unknown.length > 0) this.changed();
  }

  /** To whom, in a few words. */
  get text() {
    const { channel } = this.options;
    if (channel) return "channel " + channel;
    const count = this.count;
    if (!this.isChosen && !this.sheet.isScenario) return "Choose…";
    const one = [...this.names, ...this.to.map((token) => token.length > 12 ? "…" + token.slice(-8) : token)];
    if (this.tokenLists.length === 0 && one.length === 1) return one[0];
    const many = count === null || count === 0 ? "" : counted(count, "recipient");
    if (!this.isChosen) return many ? "as in the file, " + many : "as in the file";
    return this.tokenLists.length === 1 && one.length === 0 ? this.tokenLists[0] + ", " + many : many;
  }

  // MARK: The sheet

  #drawSheet() {
    const { options } = this;
    const tokens = make("textarea", { rows: 2, id: "to-tokens", class: "json", spellcheck: "false", placeholder: "one per line" });
    tokens.value = options.to ?? "";
    tokens.addEventListener("input", () => this.set("to", tokens.value));
    const channel = make("input", { id: "to-channel", autocomplete: "off", spellcheck: "false" });
    channel.value = options.channel ?? "";
    channel.addEventListener("input", () => this.set("channel", channel.value.trim()));
    const rows = make("div", { class: "rows" });
    const lists = this.lists();
    find("recipients").replaceChildren(
      this.sheet.isScenario && make("p", { class: "soft" }, "What is chosen here takes the place of the scenario\u2019s recipients."),
      make("label", { for: "to-tokens" }, "Device tokens"), tokens,
      this.devices.length > 0 && this.#checks("Devices and groups", "names", this.devices.map(({ name, devices, environment }) =>
        ({ value: name, note: devices ? counted(this.#size(name), "device") : environment }))),
      this.#namer(),
      lists.length > 0 && this.#checks("Lists", "tokens", lists.map(({ path }) => ({ value: path, note: this.#counts.get(path)?.toLocaleString("en-US") })),
        async () => { await this.#count(); this.#render(rows); }),
      rows, make("label", { for: "to-channel" }, "Broadcast channel"), channel);
    this.#render(rows);
  }

  #checks(title, name, rows, then = () => {}) {
    const checks = rows.map(({ value, note }) => {
      const box = make("input", { type: "checkbox", checked: this.options[name]?.includes(value) });
      box.addEventListener("change", async () => {
        const others = (this.options[name] ?? []).filter((one) => one !== value);
        this.set(name, box.checked ? [...others, value] : others);
        await then();
      });
      return make("label", { class: "check" }, box, " ", isolated(value), note != null && make("span", { class: "soft" }, note));
    });
    return make("fieldset", {}, make("legend", {}, title), checks);
  }

  /** Gives a token a name, as `fanfare device add` does. */
  #namer() {
    const name = make("input", { placeholder: "my-phone", "aria-label": "Name of the device", autocomplete: "off" });
    const button = make("button", { type: "submit", class: "small" }, "Name the token");
    const said = make("p", { class: "wrong", role: "status" });
    const form = make("form", { class: "row" }, name, button, said);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const { exitCode, errors } = await call(["device", "add", "--json", name.value.trim(), ...this.to.slice(0, 1)]);
      said.textContent = exitCode === 0 ? "" : errors.trim().split("\n")[0];
      if (exitCode !== 0) return;
      this.set("to", "");
      this.set("names", [...this.names, name.value.trim()]);
      await this.learnDevices();
      this.#drawSheet();
    });
    return form;
  }

  /** The first rows of the chosen list, filled into the notification. */
  async #render(box) {
    const [list] = this.tokenLists;
    if (!list) return box.replaceChildren();
    const words = [...this.#what("run", "send"), "--env=emulator", ...this.#pair("profile"), "--tokens=" + list,
      "--limit=" + mostRows, "--dry-run", "--json"];
    const { values, errors } = await call(words);
    const texts = values.filter(({ payload }) => payload).map(({ url, payload }) => make("p", {},
      make("span", { class: "soft" }, url.split("/").at(-1).slice(-9)), " ", isolated(printable(textOf(payload)))));
    box.replaceChildren(...(texts.length > 0 ? texts : [make("p", { class: "wrong" }, errors.split("\n")[0])]));
  }
}

/** What a payload says, in one line. */
export const textOf = ({ aps, ...rest }) => {
  const alert = aps?.alert;
  const texts = typeof alert === "string" ? [alert] : [alert?.title, alert?.subtitle, alert?.body];
  return texts.filter(Boolean).join(": ") || JSON.stringify(aps?.["content-state"] ?? { aps, ...rest }).slice(0, 80);
};
