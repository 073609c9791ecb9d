// To whom, where and as whom: the options of a file's command line, kept by the browser.

import { call } from "./api.js";
import { counted, find, make } from "./dom.js";
import { recall, remember } from "./drafts.js";
import { nodeAt } from "./json5.js";
import { resolved } from "./sheet.js";

/** Options that stand for fields of a scenario's notification. */
const headerOptions = ["type", "bundle-id", "priority", "expiration", "collapse-id"];
const headers = { "apns-topic": "bundle-id", "apns-push-type": "type" };

export class Target {
  options = {};
  devices = [];
  sheet = null;
  /** How many recipients a list has, by path. */
  counts = new Map();
  #place = null;

  /** `profiles` are the project's, `environments` those of `--env`; `changed()` is told. */
  constructor({ profiles, environments, folder, changed }) {
    Object.assign(this, { profiles, environments, folder, changed });
    find("profile").append(make("option", { value: "" }, "default profile"),
      ...profiles.map(({ name }) => make("option", { value: name }, name)));
    for (const id of ["env", "profile"]) {
      find(id).addEventListener("change", () => this.set(id, find(id).value));
    }
  }

  async learnDevices() {
    const { values } = await call(["device", "list", "--json"]);
    this.devices = values.filter(({ name }) => name);
    this.changed();
  }

  /** Takes the options of a file. */
  show(sheet) {
    this.sheet = sheet;
    this.#place = "options of " + this.folder + "\n" + sheet.main.path;
    this.options = recall(this.#place) ?? (sheet.isScenario ? {} : { env: "emulator", "bundle-id": appOf(sheet) });
    const first = make("option", { value: "" }, sheet.isScenario ? "as in the file" : "default");
    find("env").replaceChildren(first, ...this.environments.map((name) => make("option", {}, name)));
    find("env").value = this.options.env ?? "";
    find("profile").value = this.options.profile ?? "";
    return this.count();
  }

  set(name, value) {
    if (value === undefined || value.length === 0) delete this.options[name];
    else this.options[name] = value;
    remember(this.#place, this.options);
    this.changed();
  }

  /** Sets the option that a header comes from. */
  setHeader(header, value) {
    const name = headers[header] ?? header.replace("apns-", "");
    if (headerOptions.includes(name)) this.set(name, value);
  }

  get to() { return (this.options.to ?? "").split(/[\s,;]+/).filter(Boolean); }
  get names() {
    return (this.options.names ?? []).filter((name) => this.devices.some((one) => one.name === name));
  }
  get lists() { return this.options.tokens ?? []; }
  get isChosen() { return this.#whom.length > 0; }

  // MARK: Words

  /** The command that does what the page shows. */
  get words() { return [...this.what, ...this.#pair("env"), ...this.#pair("profile"), ...this.#whom]; }

  /** The words that name the notification. */
  get what() {
    const { main, isScenario } = this.sheet;
    return isScenario ? ["run", main.path] : ["send", "--payload=" + main.path, ...this.#headers];
  }

  /** A command that looks at the file as it would be sent. */
  looking(command) {
    const lists = command === "preview" ? this.lists.slice(0, 1) : this.lists;
    return [command, "--json", ...this.#headers, ...this.#pair("profile"),
      ...lists.map((list) => "--tokens=" + list), this.sheet.main.path];
  }

  #pair(name) { return this.options[name] ? ["--" + name + "=" + this.options[name]] : []; }
  get #headers() {
    return this.sheet.isScenario ? [] : headerOptions.flatMap((name) => this.#pair(name));
  }
  get #whom() {
    return [...[...this.to, ...this.names].map((to) => "--to=" + to),
      ...this.lists.map((list) => "--tokens=" + list), ...this.#pair("channel")];
  }

  // MARK: Counting

  /** The environment, as far as the page knows it. */
  get environment() {
    const { tree } = this.sheet.main;
    const own = this.sheet.isScenario ? nodeAt(tree, ["environment"])?.value : undefined;
    const named = this.options.profile ?? nodeAt(tree, ["profile"])?.value;
    const known = this.profiles.find(({ name, isDefault }) => named ? name === named : isDefault);
    const inFile = own !== null && typeof own === "object" ? Object.keys(own)[0] : own;
    return this.options.env ?? inFile ?? known?.environment ?? "";
  }

  get hasList() {
    return this.lists.length > 0
      || (!this.isChosen && this.#named.some((name) => this.#listOf(name) !== undefined));
  }

  /** How many pushes it comes to. */
  get total() {
    if (this.options.channel) return 1;
    const lists = this.lists.reduce((sum, list) => sum + (this.counts.get(list) ?? 0), 0);
    if (this.isChosen) {
      return this.to.length + this.names.reduce((sum, name) => sum + this.size(name), lists);
    }
    return this.sheet.isScenario
      ? this.#named.reduce((sum, name) => sum + this.#sizeOf(name), 0) : 0;
  }

  #sizeOf(name) {
    if (name.startsWith("device:")) return this.size(name.slice(7));
    return this.#listOf(name) ?? 1;
  }

  /** How many recipients a list has that the file names; undefined for a token. */
  #listOf(name) { return this.counts.get(resolved(this.sheet.main.path, name)); }

  /** How many devices a name stands for. */
  size(name, seen = []) {
    const members = this.devices.find((device) => device.name === name)?.devices;
    if (!members || seen.includes(name)) return 1;
    return members.reduce((sum, inner) => sum + this.size(inner, [...seen, name]), 0);
  }

  /** What the scenario's steps name, one after the other. */
  get #named() {
    const { main: { tree }, steps } = this.sheet;
    const all = nodeAt(tree, ["recipients"])?.value ?? [];
    return (steps ?? [null]).filter((step) => !step?.value?.wait)
      .flatMap((step) => step?.value?.recipients ?? all).map(String);
  }

  /** Takes from a check how many recipients each list has. */
  learn(files) {
    for (const { kind, file, tokens } of files) {
      if (kind === "list") this.counts.set(resolved("", file), tokens);
    }
  }

  /** Counts the chosen lists. */
  async count() {
    const unknown = this.lists.filter((list) => !this.counts.has(list));
    for (const list of unknown) {
      const { values: [report] } = await call(["check", "--json", list]);
      this.counts.set(list, report?.files[0]?.tokens ?? 0);
    }
    if (unknown.length > 0) this.changed();
  }

  /** To whom, in a few words. */
  get text() {
    if (this.options.channel) return "channel " + this.options.channel;
    if (!this.isChosen && !this.sheet.isScenario) return "Choose…";
    const one = [...this.names, ...this.to.map(endOf), ...this.lists];
    const many = this.total > 0 ? counted(this.total, "recipient") : "";
    if (!this.isChosen) return (many || "as") + " in the file";
    return one.length === 1 ? [one[0], this.lists.length === 1 && many].filter(Boolean).join(", ") : many;
  }
}

/** The app that a file for the simulator names. */
const appOf = ({ main }) => nodeAt(main.tree, ["Simulator Target Bundle"])?.value;

const endOf = (token) => token.length > 12 ? "…" + token.slice(-8) : token;
