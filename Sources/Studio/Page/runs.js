// Sends: asks where it must, follows what is sent, and shows the answers.

import { follow, request } from "./api.js";
import { counted, find, isolated, make, printable } from "./dom.js";

const outcomes = ["accepted", "rejected", "skipped", "deferred", "unknown", "notAttempted"];
const mostRows = 200;
const left = ({ deferred = 0, unknown = 0, notAttempted = 0, unread }) => deferred + unknown + notAttempted > 0 || unread != null;

export class Runs {
  current = null;
  #parts = new Map();

  /** `ask(title, text, label)` resolves to whether to go on; `explain(reason)` to a reason's texts. */
  constructor(handlers) { Object.assign(this, handlers); }

  get isBusy() { return this.current?.state === "running"; }

  /** `expected` is the number of pushes, if that is known. */
  async start(words, { expected = null, isConfirmed = false } = {}) {
    if (this.isBusy) return this.announce("Something is being sent already.");
    this.current = { words, expected, state: "running", counts: {}, results: [], summaries: [], errors: "" };
    this.#draw();
    this.shows();
    try {
      const { id } = await request("/runs", "POST", { words, isConfirmed });
      this.current.id = id;
      await this.#follow(id);
    } catch (error) {
      this.#take({ state: "ended", exitCode: 2, errors: error.message });
    }
    await this.#end(words, expected);
  }

  async #end(words, expected) {
    const { question, exitCode } = this.current;
    if (question && await this.ask("Send?", question, "Send")) return this.start(words, { expected, isConfirmed: true });
    this.say(headline(this.current));
    this.ended(exitCode);
  }

  /** A stream that breaks off is taken up again, while the studio is there. */
  async #follow(id) {
    for (let attempt = 0; this.isBusy && attempt < 5; attempt += 1) {
      try {
        await follow(id, (event) => this.#take({ ...event, results: [...this.current.results, ...event.results].slice(-500) }));
      } catch (error) {
        if (attempt === 4 || !error.isLost) throw error;
      }
      if (this.isBusy) this.#take(await request("/runs/" + id));
    }
  }

  #take(event) {
    Object.assign(this.current, event);
    this.#draw();
  }

  // MARK: Drawing

  /** Draws again only the parts that differ: what has the focus, or is being read, stays. */
  #draw() {
    const { current: run } = this;
    const parts = {
      head: [[run.state, run.exitCode, headline(run)], () => this.#head(run)],
      progress: [[run.state, run.counts], () => progress(run)],
      actions: [[run.state, run.summaries.length], () => this.#actions(run)],
      push: [[pushOf(run)?.apnsID, run.state], () => this.#push(run)],
      steps: [run.summaries.length, () => steps(run)],
      rows: [[run.results.length, run.results.at(-1)?.apnsID], () => this.#rows(run)],
    };
    const box = find("answer");
    if (this.#parts.size === 0) {
      for (const name of Object.keys(parts)) this.#parts.set(name, { box: make("div", { class: "part-" + name }) });
      box.replaceChildren(...[...this.#parts.values()].map(({ box }) => box));
    }
    for (const [name, [stamp, draw]] of Object.entries(parts)) {
      const part = this.#parts.get(name);
      const text = JSON.stringify([run.words, run.id, stamp]);
      if (part.stamp !== text) part.box.replaceChildren(...[draw()].flat().filter(Boolean));
      part.stamp = text;
    }
  }

  #head(run) {
    const kind = run.state === "running" ? "unanswered" : run.exitCode === 0 ? "accepted" : "refused";
    const error = run.state === "ended" && run.summaries.every(({ run }) => run === undefined)
      ? run.summaries.find(({ error }) => error)?.error ?? run.errors : "";
    return make("div", { class: "verdict " + kind }, make("p", { class: "answer " + kind }, headline(run)),
      error.trim().split("\n").filter(Boolean).map((line) => make("p", {}, isolated(printable(line.replace(/^fanfare: error: /, ""))))));
  }

  #actions(run) {
    const act = (label, action) => {
      const button = make("button", { type: "button" }, label);
      button.addEventListener("click", action);
      return button;
    };
    if (run.state === "running") return make("div", { class: "row" }, act("Cancel", () => this.cancel()));
    const unfinished = run.summaries.find((summary) => summary.run && left(summary));
    const refused = run.summaries.find(({ run, rejected }) => run && rejected > 0);
    return make("div", { class: "row" },
      unfinished && act("Resume", () => this.start(["resume", String(unfinished.run)])),
      refused && act("Resend rejected", () => this.start(["history", "resend", String(refused.run), "--only=rejected"])),
      act("Again", () => this.again(run.words)), act("Edit and send again", () => this.edit()));
  }

  async cancel() {
    try {
      await request("/runs/" + this.current.id, "DELETE");
    } catch (error) {
      this.announce(error.message);
    }
  }

  /** One push: what its answer means. */
  #push(run) {
    const push = pushOf(run);
    if (!push || run.results.length > 1) return null;
    const box = make("div", { class: "meaning" });
    const cause = run.summaries.find(({ cause }) => cause)?.cause;
    if (push.reason) this.#explain(box, push.reason, cause);
    return [box, answerTable(push)];
  }

  async #explain(box, reason, cause) {
    const known = await this.explain(reason);
    box.replaceChildren(...meaningOf(known, cause));
  }

  #rows(run) {
    if (run.results.length < 2) return null;
    const rows = run.results.slice(-mostRows).reverse().map((push) => pushRow(push, () => this.showPush(push.apnsID)));
    return [make("h3", {}, "Results"), run.results.length > mostRows && make("p", { class: "soft" }, "The last " + mostRows + "."),
      make("div", { class: "rows-of-pushes" }, rows)];
  }
}

/** The only push of a run. */
const pushOf = (run) => run.results.length === 1 ? run.results[0] : run.summaries.find(({ push }) => push)?.push;

const headline = (run) => {
  const answered = outcomes.reduce((sum, name) => sum + (run.counts[name] ?? 0), 0);
  if (run.state === "running") {
    return answered === 0 ? "Sending…" : "Sending: " + answered.toLocaleString("en-US")
      + (run.expected > 1 ? " of " + run.expected.toLocaleString("en-US") : "");
  }
  if (run.question) return "Not sent: it has to be confirmed";
  if (answered === 0) return run.exitCode === 130 ? "Cancelled" : "Nothing was sent";
  const push = answered === 1 ? pushOf(run) : undefined;
  const missed = run.summaries.some(({ passed }) => passed === false) ? ", not as expected" : "";
  if (push) return outcomeText(push) + missed;
  return (run.exitCode === 130 ? "Cancelled: " : "") + counted(run.counts.accepted ?? 0, "push", "pushes").replace(/ push/, " of "
    + answered.toLocaleString("en-US") + " push").replace(/push$/, answered === 1 ? "push" : "pushes") + " accepted" + missed;
};

export const outcomeText = ({ outcome, status, reason }) =>
  [outcome.replace("notAttempted", "not attempted"), status, reason].filter(Boolean).join(" ");

const progress = (run) => {
  const answered = outcomes.reduce((sum, name) => sum + (run.counts[name] ?? 0), 0);
  const bar = run.state === "running" && make("progress", { "aria-label": "Pushes answered",
    ...(run.expected > 1 && answered > 0 ? { max: Math.max(run.expected, answered), value: answered } : {}) });
  const total = answered > 1 && make("p", { class: "tallies" }, outcomes.filter((name) => run.counts[name]).map((name) =>
    make("span", { class: "answer " + kindOf(name) }, run.counts[name].toLocaleString("en-US") + " " + name.replace("notAttempted", "not attempted"))));
  return [bar, total];
};

export const kindOf = (outcome) => ({ accepted: "accepted", rejected: "refused", skipped: "refused" })[outcome] ?? "unanswered";

/** Each step with what came of it. */
const steps = ({ summaries }) => {
  const rows = summaries.filter(({ step, passed }) => step != null && passed !== undefined);
  if (rows.length < 2 && rows.every(({ passed }) => passed)) return null;
  return make("ol", { class: "outcomes" }, rows.map((row) => make("li", {},
    make("span", { class: "answer " + (row.notRun ? "unanswered" : row.passed ? "accepted" : "refused") }, row.step + " " + (row.stepName ?? row.scenario)),
    make("span", { class: "soft" }, row.notRun ?? (row.total === undefined ? row.error : row.accepted + " of " + row.total + " accepted")),
    (row.why ?? []).map((why) => make("p", {}, isolated(printable(why)))))));
};

/** What a reason means, the likeliest cause first. */
export const meaningOf = (known, cause) => [
  known?.summary && make("p", {}, known.summary),
  cause ? [make("p", {}, make("strong", {}, "Cause: "), cause.message), make("p", {}, make("strong", {}, "Fix: "), cause.fix)]
    : (known?.causes ?? []).length > 0 ? make("ul", { class: "findings" }, known.causes.map(({ text, fix }) => make("li", {}, text, " ", make("span", { class: "soft" }, fix))))
      : known?.fix && make("p", {}, make("strong", {}, "Fix: "), known.fix),
].flat().filter(Boolean);

/** Names and values; rows without a value are left out. */
export const table = (rows) => make("dl", {}, rows.filter(([, value]) => value != null && value !== "").map(([name, value]) =>
  make("div", {}, make("dt", {}, isolated(printable(name))), make("dd", {}, isolated(printable(value))))));

export const answerTable = (push) => table([
  ["status", push.status], ["reason", push.reason], ["apns-id", push.apnsID], ["apns-unique-id", push.uniqueID],
  ["latency", push.latencyMilliseconds != null && push.latencyMilliseconds + " ms"], ["attempts", push.attempts > 1 ? push.attempts : ""],
  ["device token", push.token], ["channel", push.channel], ["skipped", push.skippedFor?.join(" ")],
].filter(([, value]) => value !== false));

/** A push as a button that opens it. */
export const pushRow = (push, open) => {
  const row = make("button", { type: "button", class: "line-row" },
    make("span", { class: "answer " + kindOf(push.outcome) }, outcomeText(push)),
    make("span", { class: "soft" }, push.token ? "…" + push.token.slice(-8) : push.channel,
      push.latencyMilliseconds != null && " · " + push.latencyMilliseconds + " ms"));
  row.addEventListener("click", open);
  return row;
};

