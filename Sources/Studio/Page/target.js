// To whom, where and as whom: the options of a file's command line, kept by the studio.

import { call } from "./api.js";
import { find, make } from "./dom.js";
import { recall, remember } from "./drafts.js";
import { nodeAt } from "./json5.js";
import { Latest } from "./latest.js";
import { figuresOf, planOf } from "./plan.js";
import { endOf } from "./push.js";

/** Options that stand for fields of a scenario's notification. */
const headerOptions = ["type", "bundle-id", "priority", "expiration", "collapse-id"];
const headers = { "apns-topic": "bundle-id", "apns-push-type": "type" };

const placeOf = (path) => "options of " + path;

export class Target {
  options = {};
  devices = [];
  sheet = null;
  /** What the command would do; null while that is not known, and `problem` says why it does nothing. */
  plan = null;
  problem = null;
  #planned = new Latest();
  #known = new Latest();
  #place = null;

  /** `profiles` are the project's, `environments` those of `--env`; `changed()` is told. */
  constructor({ profiles, environments, changed }) {
    Object.assign(this, { environments, changed });
    find("profile").append(make("option", { value: "" }, "default profile"),
      ...profiles.map((name) => make("option", { value: name }, name)));
    for (const id of ["env", "profile"]) {
      find(id).addEventListener("change", () => this.set(id, find(id).value));
    }
  }

  async learnDevices() {
    const found = await this.#known.of(call(["device", "list", "--json"]));
    if (!found) return;
    this.devices = found.values.filter(({ name }) => name);
    this.changed();
  }

  /** Takes the options of a file. */
  show(sheet) {
    this.sheet = sheet;
    this.#place = placeOf(sheet.main.path);
    this.options = recall(this.#place) ?? (sheet.isScenario ? {} : { env: "emulator", "bundle-id": appOf(sheet) });
    const first = make("option", { value: "" }, sheet.isScenario ? "as in the file" : "default");
    find("env").replaceChildren(first, ...this.environments.map((name) => make("option", {}, name)));
    find("env").value = this.options.env ?? "";
    find("profile").value = this.options.profile ?? "";
    this.#forget();
  }

  /** A file that is called otherwise keeps its options. */
  moved(from, to) { remember(placeOf(to), recall(placeOf(from))); }

  set(name, value) {
    if (value === undefined || value.length === 0) delete this.options[name];
    else this.options[name] = value;
    remember(this.#place, this.options);
    this.#forget();
    this.changed();
  }

  /** Sets the option that a header comes from. */
  setHeader(header, value) {
    const name = headers[header] ?? header.replace("apns-", "");
    if (headerOptions.includes(name)) this.set(name, value);
  }

  get to() { return (this.options.to ?? "").split(/[\s,;]+/).filter(Boolean); }
  get names() { return this.options.names ?? []; }
  get lists() { return this.options.tokens ?? []; }
  get isChosen() { return this.#whom.length > 0; }
  /** A scenario has recipients of its own. */
  get isReady() { return this.sheet.isScenario || this.isChosen; }

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

  // MARK: The plan

  /** Asks what the command would do. */
  async look() {
    if (!this.isReady) return;
    const planned = await this.#planned.of(planOf(this.words));
    if (planned) Object.assign(this, planned);
  }

  #forget() {
    this.#planned.drop();
    this.plan = this.problem = null;
  }

  /** To whom, in a few words. */
  get text() {
    if (this.options.channel) return "channel " + this.options.channel;
    if (!this.isReady) return "Choose…";
    const figures = this.plan && figuresOf(this.plan);
    if (!this.isChosen) return (figures ?? "as") + " in the file";
    const all = [...this.names, ...this.to.map(endOf), ...this.lists];
    if (all.length > 1) return figures ?? all.slice(0, 3).join(", ");
    return [all[0], this.plan?.pushes > 1 && figures].filter(Boolean).join(", ");
  }
}

/** The app that a file for the simulator names. */
const appOf = ({ main }) => nodeAt(main.tree, ["Simulator Target Bundle"])?.value;
