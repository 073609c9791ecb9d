// Made by Scripts/embed of the folder Web; change that, and run it again.
// swift-format-ignore-file

extension PageFile {
  /// Every file of the page.
  static let all: [PageFile] = [
    PageFile(
      "/commands.js", "text/javascript; charset=utf-8",
      ##"""
// Command lines that repeat a push. They hold no secret: a provider token is made when they run.

import { appOf, answerKind, callOf } from "./push.js";

const quoted = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text
  : "'" + String(text).replaceAll("'", "'\\''") + "'";

/** One word or pair of words on each line. */
const lines = (words) => words.join(" \\\n  ");

/** The payload as JSON, or the text that came in its place; undefined for bytes that are no text. */
const payloadText = (push) => push.payload !== undefined
  ? JSON.stringify(push.payload) : push.payloadText ?? (push.payloadHex ? undefined : "");

/** Header fields as the client sent them, but for those that every command makes anew. */
const fields = (push) => Object.entries(push.headers ?? {})
  .filter(([name]) => name.startsWith("apns-") && name !== "apns-id" && name !== "apns-request-id")
  .flatMap(([name, value]) => [value].flat().map((one) => [name, one]));

/** `server` is what the emulator says of itself: its `url`, and `ca`, a file. */
export const curlLine = (push, server) => {
  const body = payloadText(push);
  const bytes = body === undefined
    ? ["--data-binary @-"] : body === "" ? [] : ["--data-raw " + quoted(body)];
  const source = body === undefined
    ? "printf %s " + quoted(push.payloadHex) + " | xxd -r -p | " : "";
  return source + lines([
    "curl -sS -i --http2 --cacert " + (server.ca ? quoted(server.ca) : "\"$FANFARE_CA\""),
    ...(push.method && push.method !== "POST" ? ["-X " + quoted(push.method)] : []),
    "-H \"authorization: bearer $(fanfare token)\"",
    ...fields(push).map(([name, value]) => "-H " + quoted(name + ": " + value)),
    ...bytes, quoted((server.url ?? "https://127.0.0.1:PORT") + (push.path ?? "/")),
  ]);
};

/** Headers that have an option; any other goes into --header. */
const options = {
  "apns-topic": "--topic", "apns-push-type": "--type", "apns-priority": "--priority",
  "apns-expiration": "--expiration", "apns-collapse-id": "--collapse-id",
  "apns-channel-id": "--channel",
};

/** A value that begins with a dash would be taken for an option. */
const option = (name, value) => name + (value.startsWith("-") ? "=" : " ") + quoted(value);

/** Undefined for what no command sends: a body that is no JSON, or neither a token nor a channel. */
export const fanfareLine = (push) => {
  if (push.request === "channel") return channelLine(push);
  if (push.payload === undefined || !(push.token ?? push.channel)) return undefined;
  const headers = fields(push).map(([name, value]) => options[name]
    ? option(options[name], value) : "--header " + quoted(name + ":" + value));
  const app = appOf(push);
  const hasTopic = headers.some((header) => header.startsWith("--topic"));
  const isNamed = push.token && hasTopic;
  return lines([
    "fanfare send --env inbox" + (push.token ? " --to " + quoted(push.token) : ""),
    ...headers, ...(isNamed || !app ? [] : [option(push.token ? "--topic" : "--bundle-id", app)]),
    // What came is no template any more.
    "--payload " + quoted(payloadText(push).replaceAll("{{", "{{{{")),
    // A broadcast must not have a topic, and an emulator takes it.
    ...(answerKind(push) === "refused" || (hasTopic && !push.token) ? ["--force"] : []),
  ]);
};

/** A request to manage channels, as the command that makes one. */
const channelLine = (push) => {
  const call = callOf(push);
  const isOfOne = call === "show" || call === "delete";
  if (!call || (isOfOne && !push.channel)) return undefined;
  return lines([
    "fanfare channel " + call + (isOfOne ? " " + quoted(push.channel) : ""),
    ...(push.payload?.["message-storage-policy"] === 1 ? ["--store"] : []),
    "--env inbox", option("--bundle-id", appOf(push)),
  ]);
};

"""##),
    PageFile(
      "/detail.js", "text/javascript; charset=utf-8",
      ##"""
// One push: what came of it and why, the request, the answer, and how to repeat it.

import { fanfareLine, curlLine } from "./commands.js";
import { counted, icon, isolated, make, momentOf, printable } from "./dom.js";
import { answerKind, answerText, headline, shortToken, whyHidden } from "./push.js";

/** The most characters of a payload that are shown as they are. */
const longest = 100000;

/** `server` is what the emulator says of itself; `copied(text)` is told. */
export const detailOf = (push, server, copied) => [
  verdict(push), findings(push), requestOf(push), answerOf(push), repeats(push, server, copied),
];

const part = (title, ...children) => make("section", {}, make("h3", {}, title), ...children);

/** Name and value; rows without a value are left out. */
const table = (rows) => make("dl", {}, rows.filter(([, value]) => value != null && value !== "")
  .map(([name, value]) => make("div", {}, make("dt", {}, isolated(printable(name))),
    make("dd", {}, isolated(printable(value))))));

const sentence = (label, text) => text && make("p", {}, make("strong", {}, label + " "),
  isolated(printable(text)));

const verdict = (push) => {
  const why = whyHidden(push);
  return make("div", { class: "verdict " + answerKind(push) },
    make("p", { class: "answer" }, answerText(push)),
    make("p", { class: "headline", dir: "auto" }, printable(headline(push))),
    sentence("Cause:", push.cause), sentence("Fix:", push.fix),
    push.note !== push.cause && sentence("Note:", push.note),
    answerKind(push) !== "refused" && push.request !== "channel" && sentence("Not shown:", why));
};

/** What the rules found, but for what is told as the cause. */
const findings = (push) => {
  const others = (push.findings ?? []).filter((finding) => finding.message !== push.cause);
  return others.length > 0 && part("Findings", make("ul", { class: "findings" },
    others.map((finding) => make("li", {},
      make("p", {}, make("strong", {}, finding.severity ?? "finding"), " ",
        finding.path && make("code", {}, isolated(printable(finding.path))), " ",
        isolated(printable(finding.message ?? ""))),
      finding.fix && make("p", {}, isolated(printable(finding.fix)))))));
};

const requestOf = (push) => {
  const headers = Object.entries(push.headers ?? {})
    .map(([name, value]) => [name, [value].flat().map(shownField).join(", ")]);
  return part("Request", table([
    [push.method ?? "POST", push.path], ["received", momentOf(push.time)],
    ["connection", push.connection && push.connection + ", stream " + push.stream],
    ["certificate", push.certificate], ...headers,
  ]), payloadOf(push));
};

/** Facts of an authorization field come as an object. */
const shownField = (value) => value !== null && typeof value === "object"
  ? Object.entries(value).map(([name, fact]) => name + " " + fact).join(", ") : value;

const payloadOf = (push) => {
  const text = push.payload !== undefined ? JSON.stringify(push.payload, null, 2)
    : push.payloadText ?? push.payloadHex ?? "";
  const size = push.payloadSize ?? new TextEncoder().encode(text).length;
  return [make("h4", {}, "Payload, " + counted(size, "byte")), text && make("pre", {},
    text.slice(0, longest).split("\n").map((line) => printable(line)).join("\n"))];
};

const answerOf = (push) => part("Answer", table([
  ["status", push.status ?? answerText(push)], ["reason", push.reason], ["apns-id", push.apnsID],
  ["apns-request-id", push.requestID], ["apns-unique-id", push.uniqueID],
  ["timestamp", push.timestamp && push.timestamp + " (" + momentOf(push.timestamp) + ")"],
  ["delivered", push.processed == null ? "" : push.processed ? "yes" : "no"],
  ["device", push.token && shortToken(push.token)], ["channel", push.channel],
]));

const repeats = (push, server, copied) => {
  const fanfare = fanfareLine(push);
  return part("Send it again",
    fanfare ? command("fanfare", fanfare, copied)
      : make("p", { class: "soft" }, "fanfare send cannot repeat this: it needs a device token"
        + " or a channel, and a payload in JSON."),
    command("curl", curlLine(push, server), copied));
};

/** A command with a button that copies it. */
const command = (name, text, copied) => {
  const line = make("pre", {}, printableLines(text));
  const button = make("button", { type: "button", class: "copy" }, icon("copy"), " Copy",
    make("span", { class: "unseen" }, " the " + name + " command"));
  button.addEventListener("click", () => copy(text, line, copied));
  return make("div", { class: "command" }, make("h4", {}, name), button, line);
};

const printableLines = (text) => text.split("\n").map((line) => printable(line)).join("\n");

/** Pages of other hosts than loopback have no clipboard; there the text is selected. */
const copy = async (text, line, copied) => {
  try {
    await navigator.clipboard.writeText(text);
    copied("Copied.");
  } catch {
    getSelection().selectAllChildren(line);
    copied("Selected. Copy it with your keyboard.");
  }
};

"""##),
    PageFile(
      "/dom.js", "text/javascript; charset=utf-8",
      ##"""
// The only place that makes elements. Texts become text nodes: nothing in a push can be markup.

const drawn = new Set(["svg", "path"]);

/** An element with attributes and children; children that are null or false are left out. */
export const make = (tag, attributes = {}, ...children) => {
  const element = drawn.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
};

export const find = (id) => document.getElementById(id);

/** Text of a push within a line. Its direction cannot affect the text around it. */
export const isolated = (text, kind) => make("bdi", { class: kind, dir: "auto" }, text);

// Controls, and the invisible characters that reorder text or hide in it. Joiners remain: emoji
// and several scripts need them.
const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Spells out what cannot be seen. */
export const printable = (text) => String(text).replace(unprintable,
  (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"));

const icons = {
  bell: "M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4zM6.5 13.5a1.5 1.5 0 0 0 3 0",
  phone: "M4 2l2.5 1L7 6 5.5 7.5a8 8 0 0 0 3 3L10 9l3 .5 1 2.5-1.5 2C7 14 2 9 2 3.500z",
  wake: "M9 1L3 9h4l-1 6 6-8H8z",
  copy: "M6 6h7v8H6zM3 11V2h7",
};

/** An icon, which says nothing that the text beside it does not. */
export const icon = (name) => make("svg",
  { class: "icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
  make("path", { d: icons[name] }));

const clock = new Intl.DateTimeFormat("en-GB",
  { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

const formatted = (format, time) => {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "–" : format.format(date);
};

/** The time of day, the date, and both; in the browser's time zone. */
export const timeOfDay = (time) => formatted(clock, time);
export const dateOf = (time) => formatted(day, time);
export const momentOf = (time) => formatted(moment, time);

/** A number with its noun. */
export const counted = (count, noun, plural = noun + "s") =>
  count.toLocaleString("en-US") + " " + (count === 1 ? noun : plural);

"""##),
    PageFile(
      "/feed.js", "text/javascript; charset=utf-8",
      ##"""
// The connection to the emulator: what is already there, then what arrives, again and again.

const firstDelay = 500;
const longestDelay = 5000;
const portion = 1000;

export class Feed {
  #source = null;
  #delay = firstDelay;
  #started = undefined;
  #clears = 0;
  /** What arrives while earlier pushes are still being fetched; null when nothing is fetched. */
  #early = null;

  /**
   * `handlers`: `state(name)`, `begin(hello)` for an emulator that was not known, `add(pushes)`,
   * `clear()`, and `last()` for the ID of the newest push that is here.
   */
  constructor(handlers) { this.handlers = handlers; }

  connect() {
    // With what is here already, the emulator tells whether that was cleared meanwhile.
    const last = this.handlers.last();
    const query = last > 0 ? "?after=" + last : "";
    const source = this.#source = new EventSource("api/v1/events" + query);
    const on = (name, body) => source.addEventListener(name, (event) => {
      if (source === this.#source) body(event);
    });
    on("hello", (event) => this.#greet(JSON.parse(event.data)));
    on("push", (event) => this.#receive(JSON.parse(event.data)));
    on("clear", () => this.#clear());
    on("missed", () => this.#catchUp());
    on("error", () => this.#lose());
  }

  #greet(hello) {
    this.#delay = firstDelay;
    if (hello.started !== this.#started) this.handlers.begin(hello);
    this.#started = hello.started;
    this.#catchUp();
  }

  #receive(push) {
    if (this.#early) this.#early.push(push);
    else this.handlers.add([push]);
  }

  #clear() {
    if (this.#early) this.#early = [];
    this.#clears += 1;
    this.handlers.clear();
  }

  /** Fetches in portions, so that the page stays responsive. One catching up is enough. */
  async #catchUp() {
    const source = this.#source;
    if (this.#early) return;
    this.#early = [];
    try {
      while (await this.#fetchPortion(source)) {}
      if (source !== this.#source) return;
      this.handlers.add(this.#early);
      this.#early = null;
      this.handlers.state("live");
    } catch (error) {
      if (source === this.#source) this.#lose(error);
    }
  }

  /** Returns whether there is more. What was cleared meanwhile does not come back. */
  async #fetchPortion(source) {
    const clears = this.#clears;
    const path = "pushes?after=" + this.handlers.last() + "&limit=" + portion;
    const { pushes } = await request(path);
    if (source !== this.#source) return false;
    if (clears !== this.#clears) return true;
    this.handlers.add(pushes);
    return pushes.length === portion;
  }

  /** The browser gives up on some errors, so trying again is not left to it. */
  async #lose() {
    this.#source.close();
    this.#source = this.#early = null;
    this.handlers.state("lost");
    setTimeout(() => this.#retry(), this.#delay);
    this.#delay = Math.min(2 * this.#delay, longestDelay);
  }

  async #retry() {
    try {
      await request("health");
      this.connect();
    } catch (error) {
      this.handlers.state(error.isRefusal ? "refused" : "lost");
      setTimeout(() => this.#retry(), this.#delay);
      this.#delay = Math.min(2 * this.#delay, longestDelay);
    }
  }
}

/** Asks the API. Throws what it answers when that is an error. */
export const request = async (path, method = "GET") => {
  const headers = method === "GET" ? {} : { "content-type": "application/json" };
  const answer = await fetch("api/v1/" + path, { method, headers, cache: "no-store" });
  const text = await answer.text();
  if (answer.ok) return text ? JSON.parse(text) : {};
  const error = new Error(messageOf(text) ?? "The emulator answered " + answer.status + ".");
  error.isRefusal = answer.status === 401 || answer.status === 403;
  throw error;
};

const messageOf = (text) => {
  try {
    const { message, fix } = JSON.parse(text);
    return [message, fix].filter(Boolean).join(" ") || undefined;
  } catch {
    return undefined;
  }
};

"""##),
    PageFile(
      "/filters.js", "text/javascript; charset=utf-8",
      ##"""
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

  /** Adds new pushes, and returns how many of them match. */
  add(pushes) {
    const fitting = pushes.filter(this.#test);
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

"""##),
    PageFile(
      "/icon.svg", "image/svg+xml",
      ##"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#2864b4"/><path d="M3 6.5v3h2l5 3v-9l-5 3zM12 6a3 3 0 0 1 0 4" fill="none" stroke="#fff" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/></svg>

"""##),
    PageFile(
      "/inbox.js", "text/javascript; charset=utf-8",
      ##"""
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

"""##),
    PageFile(
      "/", "text/html; charset=utf-8",
      ##"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>fanfare inbox</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="page.css">
<link rel="stylesheet" href="phone.css">
<script type="module" src="page.js"></script>
</head>
<body data-view="pushes">
<header>
<h1>fanfare <span>inbox</span></h1>
<p id="where"></p>
<p id="state" role="status" data-state="connecting">Connecting…</p>
<div class="actions">
<button type="button" id="pause" aria-pressed="false">Pause</button>
<button type="button" id="clear">Clear…</button>
</div>
</header>
<noscript><p class="hint">This page needs JavaScript. Without it, use the API: GET api/v1/pushes.</p></noscript>
<search aria-label="Pushes">
<label class="find">Search <input id="find" type="search" autocomplete="off" spellcheck="false" placeholder="text, token, topic, apns-id …"></label>
<label>Push type <select id="type"><option value="">any</option></select></label>
<label>App <select id="app"><option value="">any</option></select></label>
<label>Answer <select id="answer"><option value="">any</option></select></label>
</search>
<nav aria-label="View">
<button type="button" data-shows="devices">Devices</button>
<button type="button" data-shows="screen">Lock screen</button>
<button type="button" data-shows="pushes">Pushes</button>
<button type="button" data-shows="detail">Request</button>
</nav>
<main>
<section class="pane" data-pane="devices" aria-labelledby="devices-title">
<h2 id="devices-title">Devices</h2>
<div class="list" id="devices" role="listbox" tabindex="0" aria-labelledby="devices-title"></div>
</section>
<section class="pane" data-pane="screen" aria-labelledby="screen-title">
<h2 id="screen-title">Lock screen</h2>
<div class="scroll" id="screen" tabindex="0" role="region" aria-labelledby="screen-title"></div>
</section>
<section class="pane" data-pane="pushes" aria-labelledby="pushes-title">
<h2 id="pushes-title">Pushes <span id="shown"></span></h2>
<div class="list" id="pushes" role="listbox" tabindex="0" aria-labelledby="pushes-title"></div>
<div class="hint" id="hint" hidden></div>
</section>
<section class="pane" data-pane="detail" aria-labelledby="detail-title">
<h2 id="detail-title">Request and answer</h2>
<div class="scroll" id="detail" tabindex="0" role="region" aria-labelledby="detail-title">
<p class="hint">Select a push to see its request, its answer and how to repeat it.</p>
</div>
</section>
</main>
<p class="unseen" id="news" role="status"></p>
<dialog id="clearing" aria-labelledby="clearing-title">
<h2 id="clearing-title">Clear the inbox?</h2>
<p>The emulator forgets every push it has received. Its journal stays as it is.</p>
<div class="actions">
<button type="button" id="keep-all">Cancel</button>
<button type="button" id="clear-all" class="serious">Clear all pushes</button>
</div>
</dialog>
</body>
</html>

"""##),
    PageFile(
      "/list.js", "text/javascript; charset=utf-8",
      ##"""
// A list box that draws only the rows in view, so that ten thousand cost what twenty do.

import { make } from "./dom.js";

const margin = 5;

export class WindowedList {
  #items = { count: 0, at: () => undefined, indexOf: () => -1 };
  #rows = new Map();
  #made = 0;
  #chosen = null;

  /**
   * `box` scrolls. `height` of a row in rem; `key(item)`; `draw(item)` gives its children and
   * `stamp(item)` changes when they do; `choose(item, isOpened)` is told: arrow keys only go past it.
   */
  constructor(box, { height, key, stamp, draw, choose }) {
    Object.assign(this, { box, height, key, stamp, draw, choose });
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
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.#pixels) - 1);
    const now = this.#items.indexOf(this.#chosen);
    const target = {
      ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: count - 1,
      PageDown: now + page, PageUp: now - page,
    }[event.key];
    if (target === undefined || count === 0) return;
    event.preventDefault();
    const index = Math.min(Math.max(target, 0), count - 1);
    this.#reveal(index);
    this.#select(this.#items.at(index), false);
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

"""##),
    PageFile(
      "/news.js", "text/javascript; charset=utf-8",
      ##"""
// Tells screen readers what arrives: at most once in a while, and not of what was there before.

import { counted, find } from "./dom.js";
import { answerKind } from "./push.js";

/** How long news is gathered, in milliseconds. */
const pause = 4000;

let unheard = { pushes: 0, refused: 0 };

/** Says something at once. */
export const announce = (text) => { find("news").textContent = text; };

/** Says soon how many pushes have come. */
export const tell = (pushes) => {
  if (pushes.length === 0) return;
  if (unheard.pushes === 0) setTimeout(tellAll, pause);
  unheard.pushes += pushes.length;
  unheard.refused += pushes.filter((push) => answerKind(push) === "refused").length;
};

const tellAll = () => {
  const { pushes, refused } = unheard;
  unheard = { pushes: 0, refused: 0 };
  announce(counted(pushes, "new push", "new pushes")
    + (refused > 0 ? ", " + refused + " refused." : "."));
};

"""##),
    PageFile(
      "/page.css", "text/css; charset=utf-8",
      ##"""
:root {
  --paper: #fff; --raised: #f5f6f8; --chosen: #e3ecf8; --ink: #1b1f24; --soft: #545d68;
  --line: #d0d6dd; --border: #7a838e; --good: #17734a; --bad: #b3261e; --unsure: #8a5000;
  --accent: #2864b4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --raised: #1f242a; --chosen: #25354a; --ink: #e7eaee; --soft: #a5afba;
    --line: #3a424c; --border: #7d8793; --good: #5cc492; --bad: #ff8a80; --unsure: #e0a343;
    --accent: #7db0f2;
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; }
body {
  display: flex; flex-direction: column; margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.4 system-ui, sans-serif;
}
h1 { margin: 0; font-size: 1.2rem; }
h1 span { font-weight: 400; }
h2 { margin: 0; padding: .6rem .9rem .4rem; font-size: 1rem; }
h2 span { color: var(--soft); font-weight: 400; }
h3 { margin: 1.2rem 0 .3rem; font-size: .95rem; }
h4 { margin: .6rem 0 .2rem; color: var(--soft); font-size: .85rem; font-weight: 600; }
p { margin: .2rem 0; }
time { font-variant-numeric: tabular-nums; white-space: nowrap; }
bdi, pre, .title, .subtitle, .body, .headline { overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: -3px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.icon {
  flex: none; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linejoin: round;
  vertical-align: -2px;
}

button, input, select {
  min-height: 2.25rem; padding: .3rem .7rem; color: var(--ink); font: inherit;
  background: var(--paper); border: 1px solid var(--border); border-radius: .4rem;
}
::placeholder { color: var(--soft); opacity: 1; }
button { cursor: pointer; }
button[aria-pressed=true], button[aria-current=true] {
  background: var(--chosen); border-color: var(--accent); font-weight: 600;
}
.serious { color: var(--paper); background: var(--bad); border-color: var(--bad); }

header { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem 1rem; padding: .6rem .9rem; }
header p { margin: 0; font-size: .9rem; }
#where { color: var(--soft); }
#state { display: flex; align-items: baseline; gap: .45rem; margin-left: auto; }
#state::before {
  flex: none; width: .6rem; height: .6rem; border-radius: 50%; background: var(--unsure);
  content: "";
}
#state[data-state=live]::before { background: var(--good); }
#state[data-state=lost]::before, #state[data-state=refused]::before {
  border-radius: 0; background: var(--bad);
}
#state[data-state=lost], #state[data-state=refused] { color: var(--bad); font-weight: 600; }
.actions { display: flex; gap: .5rem; }

search { display: flex; flex-wrap: wrap; gap: .5rem .75rem; padding: 0 .9rem .6rem; }
search label { flex: 1 1 8rem; min-width: 0; color: var(--soft); font-size: .8rem; }
search .find { flex: 3 1 16rem; }
search input, search select { display: block; width: 100%; font-size: 1rem; }
nav { display: none; }

main {
  display: grid; flex: 1 1 0; grid-template-rows: minmax(0, 1fr);
  grid-template-columns: minmax(12rem, 1fr) minmax(18rem, 21rem) minmax(16rem, 1.4fr) minmax(22rem, 2.2fr);
  min-height: 18rem; border-top: 1px solid var(--line);
}
.pane { display: flex; flex-direction: column; min-width: 0; min-height: 0; }
.pane + .pane { border-left: 1px solid var(--line); }
.scroll, .list { flex: 1 1 0; min-height: 0; overflow-y: auto; overscroll-behavior: contain; }
.hint { padding: .5rem .9rem; color: var(--soft); overflow-wrap: anywhere; }
#hint { position: absolute; padding-top: 2.6rem; }
[data-pane=pushes] { position: relative; }

.list { overflow-anchor: none; }
.space { position: relative; }
.row {
  position: absolute; inset-inline: 0; padding: .35rem .9rem; overflow: hidden; cursor: pointer;
  border-bottom: 1px solid var(--line);
}
.row:hover { background: var(--raised); }
.row[aria-selected=true] { background: var(--chosen); box-shadow: inset 3px 0 var(--accent); }
.line {
  display: flow-root; overflow: hidden; font-size: .9rem; line-height: 1.25rem;
  text-overflow: ellipsis; white-space: nowrap;
}
.line time, .tally { float: right; color: var(--soft); font-size: .8rem; font-weight: 400; }
.line time, .tally { margin-left: .5rem; }
.strong { font-weight: 600; }
.soft { color: var(--soft); font-size: .8rem; }
.answer { font-size: .8rem; font-weight: 600; }
.answer::before { margin-right: .35rem; }
.accepted .answer, .answer.accepted { color: var(--good); }
.refused .answer, .answer.refused { color: var(--bad); }
.unanswered .answer, .answer.unanswered { color: var(--unsure); }
.accepted .answer::before, .answer.accepted::before { content: "✓"; content: "✓" / ""; }
.refused .answer::before, .answer.refused::before { content: "✕"; content: "✕" / ""; }
.unanswered .answer::before, .answer.unanswered::before { content: "?"; content: "?" / ""; }

#detail { padding: 0 .9rem 1.5rem; font-size: .9rem; }
#detail > .hint { padding-inline: 0; }
.verdict {
  padding: .6rem .8rem; background: var(--raised); border: 1px solid var(--line);
  border-left: .3rem solid var(--good); border-radius: .4rem;
}
.verdict.refused { border-left-color: var(--bad); }
.verdict.unanswered { border-left-color: var(--unsure); }
.verdict .answer { font-size: 1rem; }
.headline {
  display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 4;
}
.findings { margin: 0; padding-left: 1.1rem; }
dl { margin: 0; }
dl div { display: flex; gap: .75rem; padding: .15rem 0; border-bottom: 1px solid var(--line); }
dt { flex: 0 0 8.5rem; color: var(--soft); }
dd { min-width: 0; margin: 0; font-family: ui-monospace, monospace; }
pre {
  margin: 0; padding: .6rem .8rem; background: var(--raised); border: 1px solid var(--line);
  border-radius: .4rem; font: .85em/1.45 ui-monospace, monospace; white-space: pre-wrap;
}
.command { position: relative; }
.command h4 { line-height: 2rem; }
.copy { position: absolute; top: 0; right: 0; min-height: 2rem; padding: .1rem .6rem; font-size: .85rem; }

dialog {
  max-width: 26rem; padding: 1rem; color: var(--ink); background: var(--paper);
  border: 1px solid var(--border); border-radius: .6rem;
}
dialog h2 { padding: 0; }
dialog .actions { justify-content: flex-end; margin-top: 1rem; }
::backdrop { background: #0009; }

@media (max-width: 70rem) {
  nav { display: flex; padding: 0 .9rem .6rem; }
  nav button { flex: 1 1 auto; padding-inline: .3rem; border-radius: 0; font-size: .9rem; }
  nav button:first-child { border-radius: .4rem 0 0 .4rem; }
  nav button:last-child { border-radius: 0 .4rem .4rem 0; }
  nav button + button { margin-left: -1px; }
  main { grid-template-columns: minmax(0, 1fr); }
  .pane { display: none; }
  .pane + .pane { border-left: 0; }
  [data-view=devices] [data-pane=devices], [data-view=screen] [data-pane=screen],
  [data-view=pushes] [data-pane=pushes], [data-view=detail] [data-pane=detail] { display: flex; }
}
@media (max-width: 40rem) {
  #where { display: none; }
  h1 { font-size: 1.05rem; }
  header { gap: .3rem .6rem; }
  header button { padding-inline: .55rem; }
  #state { flex: 1 0 auto; max-width: 100%; margin: 0; }
  search .find { flex-basis: 100%; }
  search label { flex-basis: 5rem; }
  dl div { flex-direction: column; gap: 0; }
  dt { flex-basis: auto; }
}
@media (prefers-reduced-motion: no-preference) {
  .phone .card { animation: arrive .2s ease-out; }
  @keyframes arrive { from { opacity: .4; } }
}

"""##),
    PageFile(
      "/page.js", "text/javascript; charset=utf-8",
      ##"""
// Ties the parts together: what arrives, what is chosen, what is drawn.

import { detailOf } from "./detail.js";
import { counted, find, isolated, make } from "./dom.js";
import { Feed, request } from "./feed.js";
import { Filters } from "./filters.js";
import { Inbox } from "./inbox.js";
import { WindowedList } from "./list.js";
import { announce, tell } from "./news.js";
import { Phone } from "./phone.js";
import { deviceOf } from "./push.js";
import { deviceRow, inboxRow, nameOf, pushRow } from "./rows.js";
import { screenOf } from "./screen.js";

/** The row of the list of devices that stands for all of them. */
const everyDevice = { key: null };

const inbox = new Inbox();
let chosen = null;
/** What came while the page is paused; null when it is not. */
let held = null;
/** What the emulator says of itself. */
let server = {};
let state = "connecting";

// MARK: Choosing

const filters = new Filters(() => {
  narrow();
  announce(counted(filters.count, "push matches", "pushes match") + ".");
});

const narrow = () => {
  filters.apply(inbox.pushes);
  find("pushes").scrollTop = 0;
  redraw();
};

const choose = (push, isOpened) => {
  chosen = push;
  pushList.mark(push);
  drawDetail();
  redraw();
  if (isOpened) view("detail");
};

const chooseDevice = (device, isOpened) => {
  filters.device = device.key;
  narrow();
  if (isOpened) view(device === everyDevice ? "pushes" : "screen");
};

const pushList = new WindowedList(find("pushes"), {
  height: 4.5, key: (push) => push.id, stamp: (push) => push.id, draw: pushRow, choose,
});

const deviceList = new WindowedList(find("devices"), {
  height: 3.25, key: (device) => device.key, choose: chooseDevice,
  stamp: (device) => device === everyDevice
    ? inbox.pushes.length + " " + inbox.deviceList.length
    : device.app + " " + device.pushes.length + " " + device.refused,
  draw: (device) => device === everyDevice ? inboxRow(inbox) : deviceRow(device),
});

const phone = new Phone({ choose: (push) => choose(push, true), redraw: () => redraw() });

// MARK: Drawing

let isDue = false;
let added = 0;

/** Draws once for everything that came since the last frame. */
const redraw = () => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    drawLists();
    drawScreen();
    drawCounts();
  });
};

const drawLists = () => {
  pushList.show(filters, added);
  added = 0;
  const { deviceList: devices } = inbox;
  deviceList.show({
    count: devices.length + 1,
    at: (index) => index === 0 ? everyDevice : devices[index - 1],
    indexOf: (key) => key === null ? 0 : (inbox.devices.get(key)?.index ?? -2) + 1,
  });
};

/** The chosen device's screen, or else that of the chosen push, or of the newest. */
const drawScreen = () => {
  const push = chosen ?? inbox.pushes.at(-1);
  const device = inbox.devices.get(filters.device ?? (push && deviceOf(push)));
  const box = find("screen");
  const focus = focusMark(box);
  find("screen-title").replaceChildren("Lock screen",
    ...(device ? [" ", make("span", {}, isolated(nameOf(device)))] : []));
  box.replaceChildren(...(device
    ? phone.draw(screenOf(device), device.pushes.at(-1), chosen?.id).filter(Boolean)
    : [make("p", { class: "hint" }, "A device appears with its first push.")]));
  if (focus) box.querySelector(focus)?.focus({ preventScroll: true });
};

/** Selects the element in a box that has the focus, which drawing anew would lose. */
const focusMark = (box) => {
  const { push, group } = box.contains(document.activeElement) ? document.activeElement.dataset : {};
  if (push) return "[data-push=\"" + CSS.escape(push) + "\"]";
  return group === undefined ? null : "[data-group=\"" + CSS.escape(group) + "\"]";
};

const drawCounts = () => {
  const [some, all] = [filters.count, inbox.pushes.length]
    .map((count) => count.toLocaleString("en-US"));
  find("shown").textContent = some === all ? all : some + " of " + all;
  const hint = find("hint");
  hint.hidden = filters.count > 0;
  hint.textContent = inbox.pushes.length > 0 ? "No push matches." : "No pushes yet. Send one:"
    + " fanfare send --env inbox --bundle-id com.example.app --title Hello --to TOKEN";
  filters.offer(inbox.choices);
};

const drawDetail = () => {
  const hint = make("p", { class: "hint" },
    "Select a push to see its request, its answer and how to repeat it.");
  find("detail").replaceChildren(...(chosen
    ? detailOf(chosen, server, announce).flat().filter(Boolean) : [hint]));
  find("detail").scrollTop = 0;
};

// MARK: What arrives

/** The ID of the newest push that is here, on the page or held back. */
const last = () => Math.max(inbox.last, held?.at(-1)?.id ?? 0);

/** Events and lists can bring the same pushes: those that are here already are left out. */
const add = (pushes) => {
  const known = last();
  const news = pushes.filter((push) => push.id > known);
  if (held === null) return take(news);
  held = held.concat(news).slice(-inbox.keep);
  showState();
};

const take = (pushes) => {
  const isShortened = inbox.add(pushes);
  added += filters.add(pushes);
  if (isShortened) filters.apply(inbox.pushes);
  if (state === "live") tell(pushes);
  redraw();
};

const empty = () => {
  inbox.empty();
  if (held) held = [];
  chosen = null;
  filters.device = null;
  pushList.mark(null);
  deviceList.mark(everyDevice);
  drawDetail();
  showState();
  narrow();
};

const begin = (hello) => {
  inbox.keep = hello.keep ?? inbox.keep;
  find("where").textContent = [hello.environment, hello.version].filter(Boolean).join(" · ");
  empty();
  request("health").then((health) => { server = health; }, () => {});
};

// MARK: State

const states = {
  connecting: "Connecting…", live: "Live",
  lost: "Connection lost. Trying again…",
  refused: "This page's key is no longer valid. Open the address that the emulator printed.",
};

const showState = () => {
  const isPaused = held !== null && state === "live";
  const waiting = isPaused && held.length > 0 ? ", " + held.length + " new" : "";
  const [text, name] = isPaused ? ["Paused" + waiting, "paused"] : [states[state], state];
  // Said again only when it changes: it is a live region.
  if (find("state").textContent !== text) find("state").textContent = text;
  find("state").dataset.state = name;
};

const pause = () => {
  const waiting = held;
  held = waiting ? null : [];
  find("pause").setAttribute("aria-pressed", held !== null);
  if (waiting) take(waiting);
  showState();
};

const clear = async () => {
  find("clearing").close();
  try {
    await request("pushes", "DELETE");
    announce("The inbox is empty.");
  } catch (error) {
    announce("The inbox could not be cleared. " + error.message);
  }
};

/** Narrow windows show one part at a time. */
const view = (name) => {
  document.body.dataset.view = name;
  for (const button of document.querySelectorAll("[data-shows]")) {
    if (button.dataset.shows === name) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
};

for (const button of document.querySelectorAll("[data-shows]")) {
  button.addEventListener("click", () => view(button.dataset.shows));
}
find("pause").addEventListener("click", pause);
find("clear").addEventListener("click", () => find("clearing").showModal());
find("keep-all").addEventListener("click", () => find("clearing").close());
find("clear-all").addEventListener("click", clear);

view("pushes");
deviceList.mark(everyDevice);
redraw();
new Feed({
  state: (name) => { state = name; showState(); },
  begin, add, clear: empty, last,
}).connect();

"""##),
    PageFile(
      "/phone.css", "text/css; charset=utf-8",
      ##"""
#screen { padding: 0 .9rem 1rem; }
.phone {
  max-width: 22rem; min-height: 24rem; margin: .3rem auto; padding: 1.4rem .75rem 1rem;
  display: flex; flex-direction: column; color: #fff; background: #2b3a63;
  border: .35rem solid #0c0f14; border-radius: 2.4rem;
  --card: #eef0f5; --card-ink: #15181d; --card-soft: #4c5460;
}
.day, .clock { margin: 0; text-align: center; }
.clock { margin-bottom: 1rem; font-size: 3.6rem; font-weight: 600; line-height: 1.1; }
.phone ul, .hidden ul { margin: 0; padding: 0; list-style: none; }
.cards { flex: 1; }
.blank { padding: 2rem; text-align: center; }
.group { margin-bottom: .6rem; }

.card {
  display: block; width: 100%; min-height: 0; padding: .6rem .8rem; color: var(--card-ink);
  text-align: start; background: var(--card); border: 0; border-radius: 1.1rem;
}
.group .card + .facts + .card { margin-top: .3rem; }
.card[aria-pressed=true] { font-weight: inherit; background: var(--card); box-shadow: 0 0 0 3px #8db8ff; }
.card > span { display: block; font-size: .9rem; line-height: 1.25; }
.card .head { display: flex; align-items: center; gap: .4rem; margin-bottom: .25rem; }
.head .app { flex: 1; overflow: hidden; color: var(--card-soft); white-space: nowrap; text-overflow: ellipsis; }
.head time { color: var(--card-soft); font-size: .8rem; }
.card .title, .card .subtitle, .card .body {
  display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2;
}
.card .title { font-weight: 650; }
.card .subtitle { font-weight: 550; }
.card .body { -webkit-line-clamp: 4; white-space: pre-line; }
.card .mark { color: var(--card-soft); font-size: .7rem; font-weight: 600; text-transform: uppercase; letter-spacing: .03em; }
.mark bdi { text-transform: none; }
.passive { --card: #d5dae6; }
.stacked .card { box-shadow: 0 .35rem 0 -.1rem #b9c1d4, 0 .65rem 0 -.25rem #8f9bb8; }
.stacked .card + * { margin-top: .9rem; }
.facts { margin: .3rem .5rem 0; color: #d8e0f2; font-size: .75rem; overflow-wrap: anywhere; }
.toggle {
  min-height: 1.9rem; margin: .35rem .3rem 0; padding: .1rem .7rem; color: #fff; font-size: .8rem;
  background: #3d4f80; border-color: #8794b8; border-radius: 1rem; overflow-wrap: anywhere;
}

.activity { --card: #16181d; --card-ink: #f4f6fa; --card-soft: #b3bccb; }
.state > span { display: flex; justify-content: space-between; gap: .8rem; }
.state .name { color: var(--card-soft); }
.state { margin-top: .3rem; }
ol.states { margin: .4rem .5rem 0; padding: 0; font-size: .8rem; list-style: none; }
.states li { padding: .1rem 0; }
.call { --card: #0f5a33; --card-ink: #fff; --card-soft: #d5f0e1; }

.app-icon {
  flex: none; display: inline-grid; place-items: center; width: 1.5rem; height: 1.5rem;
  color: #fff; font-size: .85rem; font-weight: 700; border-radius: .35rem;
}
.tint-0 { background: #2864b4; } .tint-1 { background: #17734a; } .tint-2 { background: #8a4b00; }
.tint-3 { background: #7d3cb3; } .tint-4 { background: #b3261e; } .tint-5 { background: #33566b; }
.dock { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: center; padding-top: .8rem; }
.dock li { position: relative; }
.dock .app-icon { width: 2.8rem; height: 2.8rem; font-size: 1.3rem; border-radius: .7rem; }
.badge {
  position: absolute; top: -.5rem; right: -.6rem; min-width: 1.35rem; padding: 0 .35rem;
  color: #fff; font-size: .8rem; line-height: 1.35rem; text-align: center; background: #c2261d;
  border-radius: .7rem;
}

.hidden { max-width: 22rem; margin: 0 auto; }
.hidden h3 { margin-top: .8rem; }
.plain {
  display: flex; align-items: baseline; gap: .5rem; margin-bottom: .3rem; padding: .4rem .7rem;
  color: var(--ink); font-size: .85rem; background: var(--raised); border: 1px dashed var(--border);
  border-radius: .6rem;
}
.plain span { flex: 1; }
.plain time { color: var(--soft); font-size: .8rem; }
.plain[aria-pressed=true] { background: var(--chosen); box-shadow: none; border-style: solid; }

"""##),
    PageFile(
      "/phone.js", "text/javascript; charset=utf-8",
      ##"""
// Draws a lock screen as iOS lays it out, and beside it what iOS does not tell.

import { counted, dateOf, icon, isolated, make, printable, timeOfDay } from "./dom.js";
import { appOf } from "./push.js";

/** The most cards of an opened group, of groups and of activities. */
const mostCards = 30;
const tints = 6;

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
      "data-push": push.id, "aria-pressed": push.id === this.chosen }, ...children);
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
      { type: "button", class: "toggle", "aria-expanded": isOpen, "data-group": key }, text);
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
      .map((name) => make("span", { class: name, dir: "auto" }, String(card[name])));
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
      badge > 0 && make("span", { class: "badge", "aria-hidden": "true" }, String(badge)),
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

"""##),
    PageFile(
      "/push.js", "text/javascript; charset=utf-8",
      ##"""
// What a push of the API says, in the words of the page.

/** Whether the client was told 200, was refused, or got no answer. */
export const answerKind = (push) => {
  if (push.refusedBy || push.status >= 400) return "refused";
  return push.status in done ? "accepted" : "unanswered";
};

/** What the statuses of requests that were carried out are called. */
const done = { 200: "accepted", 201: "created", 204: "deleted" };

/** The answer in a few words. */
export const answerText = (push) => {
  if (push.status in done) return push.status + " " + done[push.status];
  if (push.status) return [push.status, push.reason].filter(Boolean).join(" ");
  return push.refusedBy ? "refused by " + push.refusedBy : "no answer";
};

/** Whether the device got it: a script can deliver a push and lose its answer. */
export const isDelivered = (push) => push.processed ?? push.status === 200;

/** The app's bundle ID, or what is known of it. */
export const appOf = (push) => push.card?.app ?? push.bundleID ?? push.topic ?? "";

/** What a request to manage channels asks for; undefined for a push. */
export const callOf = (push) => {
  if (push.request !== "channel") return undefined;
  const one = { POST: "create", GET: "show", DELETE: "delete" };
  return push.path?.endsWith("/all-channels") ? { GET: "list" }[push.method] : one[push.method];
};

const calls = {
  create: "Create a channel", list: "List the channels", show: "Show a channel",
  delete: "Delete a channel",
};

/** What identifies the device, or the channel, that a push is for. */
export const deviceOf = (push) => push.token ?? push.channel ?? "";

/** The end of a token, which tells devices apart. */
export const shortToken = (token) => token.length > 12 ? "…" + token.slice(-8) : token;

const kinds = {
  liveActivity: (card) => "Live Activity" + (card.event ? ": " + card.event : ""),
  call: () => "Incoming call",
  background: () => "Woke the app",
};

/** What a card is about, in one line. */
export const headline = (push) => {
  if (callOf(push)) return calls[callOf(push)];
  const card = push.card ?? {};
  const text = card.title || card.body || card.subtitle;
  if (text) return String(text);
  return kinds[card.kind]?.(card) ?? (push.pushType ? push.pushType + " push" : push.path ?? "");
};

/** Whether a notification has a text to show. */
export const hasText = (card) => Boolean(card.title || card.subtitle || card.body);

/** Why a push is on no lock screen; undefined when it is on one. */
export const whyHidden = (push) => {
  if (push.request === "channel") return "Not a push: " + headline(push);
  const card = push.card ?? { kind: "none" };
  if (!isDelivered(push)) return "Not delivered: " + answerText(push);
  if (card.kind === "background") return card.why ?? "Woke the app in the background";
  if (card.kind === "none") return card.why ?? "Nothing is shown";
  if (card.shown === false) return card.why ?? "Not shown";
  if (card.kind === "notification" && !hasText(card)) return card.why ?? "No text to show";
  return undefined;
};

/** Whether a push matches: each filter that is set, and every word of the search. */
export const matches = (push, filters) =>
  (filters.device === null || deviceOf(push) === filters.device)
  && (!filters.type || push.pushType === filters.type)
  && (!filters.app || appOf(push) === filters.app)
  && (!filters.answer || answerKind(push) === filters.answer || push.reason === filters.answer)
  && filters.words.every((word) => searched(push).includes(word));

const texts = new WeakMap();

/** Everything a search looks in. Made when first needed: a page without a search saves it. */
const searched = (push) => {
  let text = texts.get(push);
  if (text === undefined) {
    text = JSON.stringify([push.path, push.apnsID, push.requestID, push.uniqueID, push.channel,
      push.pushType, push.status, push.reason, push.note, push.headers, push.payload,
      push.payloadText, push.certificate]).toLowerCase();
    texts.set(push, text);
  }
  return text;
};

"""##),
    PageFile(
      "/rows.js", "text/javascript; charset=utf-8",
      ##"""
// What a row of each list shows.

import { counted, isolated, make, printable, timeOfDay } from "./dom.js";
import { answerKind, answerText, appOf, deviceOf, headline, shortToken, whyHidden } from "./push.js";

/** The most characters of a text in a row. */
const longest = 200;

const cut = (text) => printable(String(text).slice(0, longest));
const line = (kind, ...children) => make("span", { class: "line " + kind, dir: "auto" }, children);

/** The row of a push. */
export const pushRow = (push) => [
  line("", make("span", { class: "answer " + answerKind(push) }, answerText(push)),
    make("time", {}, timeOfDay(push.time))),
  line("strong", cut(headline(push))),
  line("soft", isolated(cut(push.pushType ?? push.method ?? "")), " · ", isolated(cut(about(push)))),
];

const about = (push) => {
  if (answerKind(push) === "refused") return push.fix ?? push.cause ?? push.note ?? "";
  if (push.request === "channel") return appOf(push);
  const { title, body } = push.card ?? {};
  return whyHidden(push)
    ?? [shortToken(deviceOf(push)), title && body].filter(Boolean).join(" · ");
};

/** The row for all devices and channels. */
export const inboxRow = (inbox) => {
  const all = inbox.deviceList.length;
  const channels = inbox.deviceList.filter((device) => device.isChannel).length;
  return [
    line("strong", tally(inbox.pushes), "All"),
    line("soft", counted(all - channels, "device"), channels > 0
      && ", " + counted(channels, "channel")),
  ];
};

/** The row of a device. */
export const deviceRow = (device) => [
  line("strong", tally(device.pushes), isolated(nameOf(device))),
  line("soft", device.refused > 0
    && make("span", { class: "answer refused" }, device.refused + " refused "),
  isolated(cut(device.app))),
];

const tally = ({ length }) => make("span", { class: "tally" }, length.toLocaleString("en-US"),
  make("span", { class: "unseen" }, length === 1 ? " push: " : " pushes: "));

/** What a device is called. */
export const nameOf = (device) => (device.isChannel ? "Channel " : "")
  + (cut(shortToken(device.key)) || "No device token");

"""##),
    PageFile(
      "/screen.js", "text/javascript; charset=utf-8",
      ##"""
// What is on a device's lock screen after its pushes, as a value.

import { appOf, hasText, isDelivered, whyHidden } from "./push.js";

/** The most pushes without a place on the screen that are told of, and states of an activity. */
const mostHidden = 5;
const mostStates = 20;

const known = new WeakMap();

/**
 * The screen after a device's pushes: `groups` of notifications, `activities` and `calls`, each
 * newest first; `badges` by app; `hidden` pushes with the reason. Only what is new is worked out.
 */
export const screenOf = (device) => {
  const state = known.get(device) ?? { screen: new Screen(), count: 0 };
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

"""##),
  ]
}
