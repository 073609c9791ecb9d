// What was sent: runs, their pushes, a push with request and answer, and two compared.

import { call } from "./api.js";
import { sendLine } from "./command.js";
import { copyable } from "./copy.js";
import { find, isolated, make, momentOf, printable } from "./dom.js";
import { answerTable, kindOf, meaningOf, outcomeText, pushRow, table } from "./runs.js";

const portion = 50;
const isRun = (name) => /^\d+$/.test(name);

export class History {
  #chosen = new Set();
  #query = "";
  #count = 0;
  #list = make("div", { class: "rows-of-pushes" });

  /** `start(words)` sends, `edit(push, run)` makes a scenario of a push, `explain(reason)`, `announce`. */
  constructor(handlers) {
    Object.assign(this, handlers);
    const field = make("input", { type: "search", placeholder: "Run, scenario, token, apns-id, reason", "aria-label": "Search the history", autocomplete: "off", spellcheck: "false" });
    field.addEventListener("input", () => {
      this.#query = field.value.trim();
      this.list();
    });
    this.compare = make("button", { type: "button", disabled: true }, "Compare");
    this.compare.addEventListener("click", () => this.#compare());
    this.top = make("div", { class: "tools" }, field, this.compare);
  }

  async #ask(words) {
    const count = this.#count += 1;
    const result = await call(["history", ...words]);
    return count === this.#count ? result : null;
  }

  /** Lists runs, or the pushes that a token, an ID or a reason is found in. */
  async list() {
    const query = this.#query;
    const filter = /^[\da-f]{8}-[\da-f-]{27}$/i.test(query) ? ["--apns-id=" + query]
      : /^…?[\da-f]{6,}$/i.test(query) && !/^\d{1,7}$/.test(query) ? ["--token=" + query.replace("…", "")]
        : /^[A-Z][A-Za-z]{5,}$/.test(query) ? ["--reason=" + query] : null;
    const result = await this.#ask(["list", "--json", "--limit=" + portion, ...(filter ?? [])]);
    if (!result) return;
    const isPushes = filter !== null && result.values.length > 0;
    const runs = isPushes || filter === null ? result.values : (await call(["history", "list", "--json", "--limit=" + portion])).values;
    const rows = isPushes ? runs.map((push) => pushRow(push, () => this.push(push.apnsID))) : runs.filter((run) => matches(run, query)).map((run) => this.#run(run));
    this.#list.replaceChildren(...(rows.length > 0 ? rows : [make("p", { class: "hint" }, query ? "Nothing matches." : "Nothing has been sent yet.")]));
    if (this.#list.parentElement !== find("history")) find("history").replaceChildren(this.top, this.#list);
  }

  #run(run) {
    const box = make("input", { type: "checkbox", "aria-label": "Compare run " + run.run, checked: this.#chosen.has(run.run) });
    box.addEventListener("change", () => {
      if (!this.#chosen.delete(run.run)) this.#chosen.add(run.run);
      this.compare.disabled = this.#chosen.size !== 2;
    });
    const row = make("button", { type: "button", class: "line-row" },
      make("span", { class: "line strong" }, isolated(printable(nameOf(run))), make("time", {}, momentOf(run.began))),
      make("span", { class: "line" }, make("span", { class: "answer " + kindOfRun(run) }, tally(run)),
        make("span", { class: "soft" }, [run.environment, run.pushType, run.state !== "finished" && run.state].filter(Boolean).join(" · "))));
    row.addEventListener("click", () => this.run(run.run));
    return make("div", { class: "with-box" }, box, row);
  }

  /** Shows a part of the history in the place of the list. */
  #open(title, ...children) {
    const back = make("button", { type: "button", class: "small" }, "‹ History");
    back.addEventListener("click", () => this.list());
    find("history").replaceChildren(...[make("div", { class: "tools" }, back, make("h3", {}, title)), children].flat(9).filter(Boolean));
    find("history").scrollTop = 0;
    back.focus({ focusVisible: false });
  }

  #actions(actions) {
    return make("div", { class: "row" }, actions.filter(Boolean).map(([label, action]) => {
      const button = make("button", { type: "button" }, label);
      button.addEventListener("click", action);
      return button;
    }));
  }

  async run(number) {
    const shown = await this.#ask(["show", String(number), "--json"]);
    const run = shown?.values[0];
    if (!run) return;
    const pushes = make("div", { class: "rows-of-pushes" });
    this.#open("Run " + number, make("div", { class: "verdict " + kindOfRun(run) }, make("p", { class: "answer " + kindOfRun(run) }, tally(run)), make("p", {}, nameOf(run))),
      this.#actions([
        run.rejected > 0 && ["Resend rejected", () => this.start(["history", "resend", String(number), "--only=rejected"])],
        (run.deferred + run.unknown + run.notAttempted > 0 || run.unread) && ["Resume", () => this.start(["resume", String(number)])],
      ]),
      table([["began", momentOf(run.began)], ["environment", run.environment], ["push type", run.pushType], ["topic", run.topic], ["channel", run.channel],
        ["latency p50", run.summary?.latency?.p50 && run.summary.latency.p50 + " ms"], ["latency p99", run.summary?.latency?.p99 && run.summary.latency.p99 + " ms"],
        ...Object.entries(run.summary?.reasons ?? {})].map(([name, value]) => [name, value ?? ""])),
      make("h3", {}, "Pushes"), pushes);
    await this.#more(number, pushes, 0);
  }

  async #more(number, box, skip) {
    const { values } = await call(["history", "list", String(number), "--json", "--limit=" + portion, "--skip=" + skip]);
    box.append(...values.map((push) => pushRow(push, () => this.push(push.apnsID))));
    if (values.length < portion) return;
    const more = make("button", { type: "button", class: "small" }, "More");
    more.addEventListener("click", () => {
      more.remove();
      this.#more(number, box, skip + portion);
    });
    box.append(more);
  }

  /** A push with its request and its answer. */
  async push(id) {
    const shown = await this.#ask(["show", id, "--json"]);
    const push = shown?.values[0];
    if (!push) return this.announce(shown?.errors.split("\n")[0] ?? "");
    const { values: [run] } = await call(["history", "show", String(push.run), "--json"]);
    const meaning = make("div", { class: "meaning" });
    const { request } = push;
    const copies = make("div", {});
    this.#open("Push of run " + push.run, make("div", { class: "verdict " + kindOf(push.outcome) }, make("p", { class: "answer " + kindOf(push.outcome) }, outcomeText(push)), meaning),
      this.#actions([["Send again", () => this.start(["history", "resend", id])], request?.payload && ["Edit and send again", () => this.edit(push, run)],
        ["All of run " + push.run, () => this.run(push.run)]]),
      make("h3", {}, "Answer"), answerTable(push),
      request && [make("h3", {}, "Request"), table([[request.method, request.url], ...Object.entries(request.headers)]),
        make("pre", {}, JSON.stringify(request.payload ?? request.template, null, 2).split("\n").map(printable).join("\n")), copies]);
    if (push.reason) meaning.replaceChildren(...meaningOf(await this.explain(push.reason)));
    if (!request?.payload) return;
    const { output } = await call(["history", "export", id, "--format=curl"]);
    copies.replaceChildren(make("h3", {}, "Copy"), copyable("fanfare", sendLine(push, run?.environment ?? "emulator"), this.announce),
      output ? copyable("curl", output.trim(), this.announce) : "");
  }

  async #compare() {
    const [old, new_] = [...this.#chosen].sort((a, b) => a - b);
    const shown = await this.#ask(["diff", String(old), String(new_), "--json"]);
    const diff = shown?.values[0];
    if (!diff) return this.announce(shown?.errors.split("\n")[0] ?? "");
    const text = (value) => value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);
    this.#open("Runs " + old + " and " + new_, diff.same ? make("p", { class: "hint" }, "Both sent the same, and got the same answers.")
      : make("table", { class: "compared" }, make("thead", {}, make("tr", {}, ["", "Run " + old, "Run " + new_].map((name) => make("th", { scope: "col" }, name)))),
        make("tbody", {}, diff.differences.map((row) => make("tr", {}, make("th", { scope: "row" }, row.name ?? row.part),
          make("td", {}, isolated(printable(text(row.old)))), make("td", {}, isolated(printable(text(row.new)))))))));
  }
}

const nameOf = (run) => run.run + " " + (run.scenario ? run.scenario + (run.step ? ", step " + run.step : "") : run.topic ?? run.kind);
const matches = (run, query) => query.toLowerCase().split(/\s+/).every((word) =>
  isRun(query) ? String(run.run) === query : JSON.stringify([nameOf(run), run.environment, run.topic, run.pushType, run.state]).toLowerCase().includes(word));
const kindOfRun = (run) => run.total > 0 && run.accepted === run.total ? "accepted" : run.rejected > 0 ? "refused" : "unanswered";
const tally = (run) => run.total === 1 && run.accepted === 1 ? "accepted"
  : run.accepted.toLocaleString("en-US") + " of " + run.total.toLocaleString("en-US") + " accepted";
