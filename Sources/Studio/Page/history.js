// What was sent: runs, their pushes, a push with request and answer, and two compared.

import { call } from "./api.js";
import { sendLine } from "./command.js";
import { button, fill, row, small } from "./controls.js";
import { copyable } from "./copy.js";
import { find, isolated, make, momentOf, printable } from "./dom.js";
import { Latest } from "./latest.js";
import {
  answerTable, isUnfinished, kindOf, meaningOf, outcomeText, pushRow, resendWords, table, verdict,
} from "./results.js";

const portion = 50;
/** How many runs are searched at a time. */
const searched = 1000;

export class History {
  #chosen = new Set();
  #query = "";
  #asked = new Latest();
  /** Runs by their number, which tell of a push where it is from. */
  #runs = new Map();
  #list = make("div");
  #pages = null;

  /**
   * `start(words)` sends, `edit(push, run)` makes a scenario of a push; `explain(reason)` resolves
   * to what it means, `isReason(text)` whether it is one, and `announce(text)` is told.
   */
  constructor(handlers) {
    Object.assign(this, handlers);
    const field = make("input", { type: "search", "aria-label": "Search the history",
      placeholder: "Search runs and pushes", autocomplete: "off", spellcheck: "false" });
    field.addEventListener("input", () => {
      this.#query = field.value.trim();
      this.list();
    });
    this.compare = button("Compare", () => this.#compare(), { disabled: true,
      title: "Choose two runs" });
    this.top = make("div", { class: "tools" }, field, this.compare);
  }

  /** The answer, or undefined if something else was asked meanwhile. */
  #ask(...words) { return this.#asked.of(call(["history", ...words, "--json"])); }

  /** Lists runs, or the pushes with the token, ID or reason that is looked for. */
  async list() {
    const pages = this.#pages = this.#pagesOf(this.#query);
    const rows = await this.#asked.of(this.#page(pages));
    if (!rows) return;
    const hint = this.#query ? "Nothing matches." : "Nothing has been sent yet.";
    fill(this.#list, rows, rows.length === 0 && make("p", { class: "hint" }, hint), this.#more(pages));
    if (!this.#list.isConnected) fill(find("history"), this.top, this.#list);
  }

  /** Lists anew, unless a run or a push is read. */
  refresh() { return this.#list.isConnected && this.list(); }

  /** A button for the next rows, if there may be any. */
  #more(pages) {
    const more = (pages.left.length > 0 || pages.found.length > 0) && small("More", async () => {
      const rows = await this.#asked.of(this.#page(pages));
      if (rows) more.replaceWith(...rows, this.#more(pages) || "");
    });
    return more;
  }

  /** What is asked for a search, one command after the other; rows that wait for their page are in `found`. */
  #pagesOf(query) {
    const filter = pushFilterOf(query, this.isReason);
    if (filter || !query) return pagesOf([listing(portion, ...filter ?? [])], filter !== null);
    const number = { words: ["history", "show", query, "--json"] };
    return pagesOf([/^\d{1,15}$/.test(query) && number, { ...listing(searched), isSearched: true },
      listing(portion, "--text=" + query)].filter(Boolean), false, query);
  }

  /** The next rows. */
  async #page(pages) {
    const { query, isOfPushes, found, seen, left } = pages;
    while (left.length > 0 && found.length < portion) {
      const [next] = left;
      const { values } = await call([...next.words, ...next.skip > 0 ? ["--skip=" + next.skip] : []]);
      next.skip += next.limit;
      if (!(values.length >= next.limit)) left.shift();
      const rows = next.isSearched ? values.filter((run) => matches(run, query)) : values;
      found.push(...rows.filter(({ run }) => isOfPushes || run && !seen.has(run) && seen.add(run)));
    }
    const page = found.splice(0, portion);
    if (isOfPushes) await this.#learn(page);
    const rows = page.map((row) => isOfPushes ? this.#pushRow(row) : this.#row(row));
    if (!isOfPushes) this.#tellReasons(pages, page, rows);
    return rows;
  }

  /** Adds to the rows of runs, one after the other, why pushes were refused, while they are listed. */
  async #tellReasons(pages, runs, rows) {
    for (const [index, run] of runs.entries()) {
      if (!run.rejected) continue;
      await this.#learn([run]);
      if (pages !== this.#pages) return;
      const reasons = Object.keys(this.#runs.get(run.run)?.summary?.reasons ?? {});
      rows[index].querySelector(".answer").append(" · " + reasons.join(", "));
    }
  }

  /** Learns of the runs that pushes belong to. */
  async #learn(pushes) {
    const unknown = [...new Set(pushes.map(({ run }) => run))].filter((run) => !this.#runs.has(run));
    await Promise.all(unknown.map(async (number) => {
      const { values: [run] } = await call(["history", "show", String(number), "--json"]);
      if (run) this.#runs.set(number, run);
    }));
  }

  #pushRow(push) {
    const run = this.#runs.get(push.run);
    return pushRow(push, () => this.push(push.apnsID),
      momentOf(push.answeredAt ?? run?.began) + " · " + push.run + " " + (run ? nameOf(run) : ""));
  }

  #row(run) {
    const box = make("input", { type: "checkbox", "aria-label": "Compare run " + run.run,
      checked: this.#chosen.has(run.run) });
    box.addEventListener("change", () => {
      if (!this.#chosen.delete(run.run)) this.#chosen.add(run.run);
      this.compare.disabled = this.#chosen.size !== 2;
    });
    const facts = [run.environment, run.pushType, run.state !== "finished" && run.state];
    return make("div", { class: "with-box" }, box, button([
      make("span", { class: "line strong" }, isolated(printable(run.run + " " + nameOf(run))),
        make("time", {}, momentOf(run.began))),
      make("span", { class: "line" }, make("span", { class: "answer " + kindOfRun(run) }, tally(run)),
        make("span", { class: "soft" }, facts.filter(Boolean).join(" · "))),
    ], () => this.run(run.run), { class: "line-row" }));
  }

  /** Shows a part of the history in the place of the list. */
  #open(title, ...children) {
    const back = small("‹ History", () => this.list());
    fill(find("history"), make("div", { class: "tools" }, back, make("h3", {}, title)), children);
    find("history").scrollTop = 0;
    back.focus({ focusVisible: false });
  }

  async run(number) {
    const found = await this.#ask("show", String(number));
    const run = found?.values[0];
    if (!run) return;
    this.#runs.set(number, run);
    const pages = pagesOf([listing(portion, String(number))], true);
    const pushes = make("div");
    const { p50, p99 } = run.summary?.latency ?? {};
    this.#open("Run " + number, verdict(kindOfRun(run), tally(run), make("p", {}, isolated(printable(nameOf(run))))),
      row(run.rejected > 0 && button("Resend rejected", () => this.start(resendWords(number))),
        isUnfinished(run) && button("Resume", () => this.start(["resume", String(number)]))),
      table([["began", momentOf(run.began)], ["environment", run.environment],
        ["push type", run.pushType], ["topic", run.topic], ["channel", run.channel],
        ["latency", p50 && "p50 " + p50 + " ms, p99 " + p99 + " ms"],
        ...Object.entries(run.summary?.reasons ?? {})]),
      make("h3", {}, "Pushes"), pushes);
    fill(pushes, await this.#page(pages), this.#more(pages));
  }

  /** A push with its request and its answer. */
  async push(id) {
    const found = await this.#ask("show", id);
    const push = found?.values[0];
    if (!push) return found && this.announce(found.errors.split("\n")[0]);
    const whole = await this.#ask("show", String(push.run));
    if (!whole) return;
    const { values: [run] } = whole;
    const { request } = push;
    const [meaning, copies] = [make("div"), make("div")];
    this.#open("Push of run " + push.run, verdict(kindOf(push.outcome), outcomeText(push), meaning),
      row(button("Send again", () => this.start(["history", "resend", id])),
        request?.payload && button("Edit and send again", () => this.edit(push, run)),
        button("All of run " + push.run, () => this.run(push.run))),
      make("h3", {}, "Answer"), answerTable(push), request && requestOf(request), copies);
    if (push.reason) fill(meaning, meaningOf(await this.explain(push.reason)));
    if (!request?.payload) return;
    const { output } = await call(["history", "export", id, "--format=curl"]);
    fill(copies, make("h3", {}, "Copy"),
      copyable("fanfare", sendLine(push, run?.environment ?? "emulator"), this.announce),
      output && copyable("curl", output.trim(), this.announce));
  }

  async #compare() {
    const [old, new_] = [...this.#chosen].sort((a, b) => a - b).map(String);
    const found = await this.#ask("diff", old, new_);
    const diff = found?.values[0];
    if (!diff) return found && this.announce(found.errors.split("\n")[0]);
    const cell = (value) => make("td", {}, isolated(printable(value === undefined ? "–"
      : typeof value === "string" ? value : JSON.stringify(value))));
    const head = ["", "Run " + old, "Run " + new_].map((name) => make("th", { scope: "col" }, name));
    const rows = diff.differences.map((row) => make("tr", {},
      make("th", { scope: "row" }, row.name ?? row.part), cell(row.old), cell(row.new)));
    this.#open("Runs " + old + " and " + new_, diff.same
      ? make("p", { class: "hint" }, "Both sent the same, and got the same answers.")
      : make("table", {}, make("thead", {}, make("tr", {}, head)), make("tbody", {}, rows)));
  }
}

/** A command of which so many rows are asked for at a time. */
const listing = (limit, ...words) =>
  ({ words: ["history", "list", ...words, "--limit=" + limit, "--json"], limit, skip: 0 });

const pagesOf = (left, isOfPushes, query = "") => ({ left, isOfPushes, query, found: [], seen: new Set() });

/** What selects pushes; null for runs. */
const pushFilterOf = (query, isReason) => {
  if (/^[\da-f]{8}-[\da-f-]{27}$/i.test(query)) return ["--apns-id=" + query];
  if (/^…?[\da-f]{8,}$/i.test(query)) return ["--token=" + query.replace("…", "")];
  return isReason(query) || /^([A-Z][a-z]+){2,}$/.test(query) ? ["--reason=" + query] : null;
};

const requestOf = ({ method, url, headers, payload, template }) => [
  make("h3", {}, "Request"), table([[method, url], ...Object.entries(headers)]),
  make("pre", {}, JSON.stringify(payload ?? template, null, 2).split("\n").map(printable).join("\n")),
];

const nameOf = (run) => run.scenario
  ? run.scenario + (run.step ? ", step " + run.step : "") : run.topic ?? run.kind;

const matches = (run, query) => query.toLowerCase().split(/\s+/).every((word) =>
  [nameOf(run), run.environment, run.topic, run.pushType, run.state].join(" ").toLowerCase().includes(word));

const kindOfRun = (run) => run.total > 0 && run.accepted === run.total ? "accepted"
  : run.rejected > 0 ? "refused" : "unanswered";

const tally = (run) => run.total === 1 && run.accepted === 1 ? "accepted"
  : run.accepted.toLocaleString("en-US") + " of " + run.total.toLocaleString("en-US") + " accepted";
