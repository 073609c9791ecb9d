// Sends: asks where it must, follows what is sent, and shows the answers.

import { follow, request } from "./api.js";
import { button, fill, redrawn, row } from "./controls.js";
import { counted, find, isolated, make, printable } from "./dom.js";

const outcomes = ["accepted", "rejected", "skipped", "deferred", "unknown", "notAttempted"];
const mostRows = 200;
const mostKept = 500;
const parts = ["head", "progress", "actions", "push", "steps", "rows"];

export class Runs {
  current = null;
  #boxes = null;

  /**
   * `ask(title, text, label, isGrave)` resolves to whether to go on, `explain(reason)` to what it means;
   * `shows()`, `say(text)`, `ended()`, `again(words)`, `edit(words)` and `showPush(id)` are told.
   */
  constructor(handlers) { Object.assign(this, handlers); }

  get isBusy() { return this.current?.state === "running"; }

  /** `expected` is the number of pushes, if that is known. */
  async start(words, { expected = null, isConfirmed = false } = {}) {
    if (this.isBusy) return this.shows();
    const run = this.current = { words, expected, state: "running", counts: {}, results: [],
      summaries: [], errors: "" };
    this.#draw();
    this.shows();
    try {
      run.id = (await request("/runs", "POST", { words, isConfirmed })).id;
      await this.#follow(run);
    } catch (error) {
      this.#take({ state: "ended", exitCode: 2, errors: error.message });
    }
    if (run.question && await this.ask("Send?", run.question, "Send", true)) {
      return this.start(words, { expected, isConfirmed: true });
    }
    this.say(headline(run));
    this.ended();
  }

  /** A stream that breaks off is taken up again, while the studio is there. */
  async #follow(run) {
    while (this.isBusy) {
      await follow(run.id, (event) => this.#take({ ...event,
        results: [...run.results, ...event.results].slice(-mostKept) }));
      if (this.isBusy) this.#take(await request("/runs/" + run.id));
    }
  }

  #take(event) {
    Object.assign(this.current, event);
    this.#draw();
  }

  // MARK: Drawing

  #draw() {
    const { current: run } = this;
    const stamps = {
      head: [run.exitCode, headline(run)], progress: run.counts, actions: run.summaries.length,
      push: pushOf(run)?.apnsID, steps: run.summaries.length,
      rows: [run.results.length, run.results.at(-1)?.apnsID],
    };
    if (this.#boxes === null) {
      this.#boxes = parts.map(() => make("div"));
      fill(find("answer"), this.#boxes);
    }
    const draw = { head, progress, actions: () => this.#actions(run), push: () => this.#push(run),
      steps, rows: () => this.#rows(run) };
    parts.forEach((name, index) => redrawn(this.#boxes[index],
      [run.words, run.id, run.state, stamps[name]], () => draw[name](run)));
  }

  #actions(run) {
    if (run.state === "running") return row(button("Cancel", () => this.cancel()));
    const unfinished = run.summaries.find((summary) => summary.run && isUnfinished(summary));
    const refused = run.summaries.find(({ run, rejected }) => run && rejected > 0);
    return row(
      unfinished && button("Resume", () => this.start(["resume", String(unfinished.run)],
        { expected: Math.max(0, run.expected - settled(run)) })),
      refused && button("Resend rejected", () => this.start(resendWords(refused.run))),
      button("Again", () => this.again(run.words)),
      button("Edit and send again", () => this.edit(run.words)));
  }

  /** The first time, pushes in flight are waited for; the second time it ends at once. */
  async cancel() { await request("/runs/" + this.current.id, "DELETE").catch(() => {}); }

  /** One push: what its answer means. */
  #push(run) {
    const push = pushOf(run);
    if (!push || run.results.length > 1) return null;
    const meaning = make("div");
    const cause = run.summaries.find(({ cause }) => cause)?.cause;
    if (push.outcome === "accepted") fill(meaning, make("p", { class: "soft" },
      "APNs accepted the push. That does not mean that the device showed it."));
    if (push.reason) this.explain(push.reason).then((known) => fill(meaning, meaningOf(known, cause)));
    return [meaning, answerTable(push)];
  }

  #rows(run) {
    if (run.results.length < 2) return null;
    const rows = run.results.slice(-mostRows).reverse()
      .map((push) => pushRow(push, () => this.showPush(push.apnsID)));
    return [make("h3", {}, "Results", run.results.length > mostRows && ", the last " + mostRows), rows];
  }
}

export const resendWords = (run) => ["history", "resend", String(run), "--only=rejected"];

/** Whether a run has something left to do. */
export const isUnfinished = ({ deferred = 0, unknown = 0, notAttempted = 0, unread }) =>
  deferred + unknown + notAttempted > 0 || unread != null;

/** The only push of a run. */
const pushOf = (run) => run.results.length === 1
  ? run.results[0] : run.summaries.find(({ push }) => push)?.push;

const answered = ({ counts }, names = outcomes) => names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);

/** How many pushes have an outcome that resuming leaves as it is. */
const settled = (run) => answered(run, ["accepted", "rejected", "skipped"]);

const headline = (run) => {
  const all = answered(run);
  const of = (count) => " of " + count.toLocaleString("en-US");
  if (run.state === "running") {
    return all === 0 ? "Sending…" : "Sending: " + all.toLocaleString("en-US")
      + (run.expected > 1 ? of(run.expected) : "");
  }
  if (run.question) return "Not sent: it has to be confirmed";
  if (all === 0) return run.exitCode === 130 ? "Cancelled" : "Nothing was sent";
  const accepted = (run.counts.accepted ?? 0).toLocaleString("en-US");
  if (run.exitCode === 130) return "Cancelled: " + accepted + of(Math.max(all, run.expected)) + " pushes accepted";
  const missed = run.summaries.some(({ passed }) => passed === false) ? ", not as expected" : "";
  return (all === 1 ? outcomeText(pushOf(run)) : accepted + of(all) + " pushes accepted") + missed;
};

/** An outcome with its answer, in a few words. */
export const outcomeText = ({ outcome, status, reason }) =>
  [named(outcome), status, reason].filter(Boolean).join(" ");

const named = (outcome) => outcome.replace("notAttempted", "not attempted");

export const kindOf = (outcome) => ({ accepted: "accepted", rejected: "refused", skipped: "refused" })[outcome]
  ?? "unanswered";

export const verdict = (kind, text, ...more) => make("div", { class: "verdict " + kind },
  make("p", { class: "answer " + kind }, text), more);

const head = (run) => {
  const kind = run.state === "running" ? "unanswered" : run.exitCode === 0 ? "accepted" : "refused";
  const isSent = run.state === "running" || run.summaries.some(({ run }) => run !== undefined);
  const failed = run.summaries.find(({ error }) => error);
  const problems = failed?.problems?.map(({ message, fix }) => message + " " + fix);
  const lines = isSent ? [] : problems ?? (failed?.error ?? run.errors).trim().split("\n");
  return verdict(kind, headline(run), lines.filter(Boolean).map((line) =>
    make("p", {}, isolated(printable(line.replace(/^fanfare: error: /, ""))))),
  make("p", { class: "soft" }, isolated(subjectOf(run.words))));
};

/** What a command sends, without its options: `run scenarios/hello.json5`. */
const subjectOf = (words) => words.map((word) => word.replace("--payload=", ""))
  .filter((word) => !word.startsWith("--")).join(" ");

const progress = (run) => {
  const all = answered(run);
  const isMeasured = run.expected > 1 && all > 0;
  const bar = make("progress", { "aria-label": "Pushes answered",
    max: isMeasured && Math.max(run.expected, all), value: isMeasured && all });
  const counts = outcomes.filter((name) => run.counts[name]).map((name) =>
    make("span", { class: "answer " + kindOf(name) },
      run.counts[name].toLocaleString("en-US") + " " + named(name)));
  // The headline says it already where all were accepted.
  const isMixed = all > 1 && all !== run.counts.accepted;
  return [run.state === "running" && bar, isMixed && make("p", { class: "tallies" }, counts)];
};

/** Each step with what came of it. */
const steps = ({ summaries }) => {
  const rows = summaries.filter(({ step, passed }) => step != null && passed !== undefined);
  if (rows.length < 2 && rows.every(({ passed }) => passed)) return null;
  return make("ol", { class: "outcomes" }, rows.map((step) => {
    const kind = step.notRun ? "unanswered" : step.passed ? "accepted" : "refused";
    const text = step.notRun ?? step.error ?? step.accepted + " of " + step.total + " accepted";
    return make("li", {},
      make("span", { class: "answer " + kind }, step.step + " " + (step.stepName ?? step.scenario)),
      make("span", { class: "soft" }, text),
      (step.why ?? []).map((why) => make("p", {}, isolated(printable(why)))));
  }));
};

const labeled = (label, text) => make("p", {}, make("strong", {}, label + " "), text);

/** What a reason means, with the likeliest cause if that is known. */
export const meaningOf = (known, cause) => {
  const causes = (known?.causes ?? []).map(({ text, fix }) =>
    make("li", {}, text, " ", make("span", { class: "soft" }, fix)));
  return [known?.summary && make("p", {}, known.summary),
    cause ? [labeled("Cause:", cause.message), labeled("Fix:", cause.fix)]
      : causes.length > 0 ? make("ul", { class: "findings" }, causes)
        : known?.fix && labeled("Fix:", known.fix)];
};

/** Names and values; rows without a value are left out. */
export const table = (rows) => make("dl", {}, rows.filter(([, value]) => value != null && value !== "")
  .map(([name, value]) => make("div", {}, make("dt", {}, isolated(printable(name))),
    make("dd", {}, isolated(printable(value))))));

export const answerTable = (push) => table([
  ["status", push.status], ["reason", push.reason], ["apns-id", push.apnsID],
  ["apns-unique-id", push.uniqueID],
  ["latency", push.latencyMilliseconds == null ? "" : push.latencyMilliseconds + " ms"],
  ["attempts", push.attempts > 1 ? push.attempts : ""], ["device token", push.token],
  ["channel", push.channel], ["skipped", push.skippedFor?.join(" ")],
]);

/** A push as a button that opens it. */
export const pushRow = (push, open) => button([
  make("span", { class: "answer " + kindOf(push.outcome) }, outcomeText(push)),
  make("span", { class: "soft" }, push.token ? "…" + push.token.slice(-8) : push.channel,
    push.latencyMilliseconds != null && " · " + push.latencyMilliseconds + " ms"),
], open, { class: "line-row" });
