// What the answer of a run shows: how far it is, what came of it, and of each of its steps.

import { withoutName } from "./api.js";
import { isolated, make, printable } from "./dom.js";
import { kindOf, named, outcomeText, table, verdict } from "./results.js";

/** The outcomes, in the order in which they are told. */
const outcomes = ["accepted", "rejected", "skipped", "deferred", "unknown", "notAttempted"];

/** The only push of a run. */
export const pushOf = (run) => run.results.length === 1
  ? run.results[0] : run.summaries.find(({ push }) => push)?.push;

/** The command for the steps that a scenario was ended before; null for none. */
export const restOf = ({ words, summaries, rest }) => {
  const next = summaries.find(({ notRun, step }) => notRun && step > 1);
  return next ? [...words.filter((word) => !word.startsWith("--from=")), "--from=" + next.step] : rest ?? null;
};

/** The pushes by outcome: while it runs of its results, then as the program sums them up. */
export const tallyOf = ({ state, counts, summaries }) => {
  const sums = summaries.filter(({ total }) => total !== undefined);
  if (state === "running" || sums.length === 0) return counts;
  return Object.fromEntries(outcomes.map((name) => [name, sums.reduce((sum, one) => sum + one[name], 0)]));
};

const answered = (run) => Object.values(tallyOf(run)).reduce((sum, count) => sum + count, 0);

/** How many recipients a stopped run has not read, as far as that is known. */
const unread = ({ summaries }) => summaries.reduce((sum, { unread }) => sum + (unread?.recipients ?? 0), 0);

const number = (count) => count.toLocaleString("en-US");

export const headline = (run) => {
  const [all, rest] = [answered(run), unread(run)];
  const isCancelled = run.exitCode === 130;
  if (run.state === "running") {
    return all === 0 ? "Sending…" : "Sending: " + number(all) + (run.pushes > 1 ? " of " + number(run.pushes) : "");
  }
  if (run.summaries.some(({ plan }) => plan)) return "Not sent: the plan has changed";
  if (all === 0) return isCancelled ? "Cancelled" : "Nothing was sent";
  if (all === 1 && !isCancelled) return outcomeText(pushOf(run)) + missed(run);
  const known = Math.max(all, run.pushes);
  return (isCancelled ? "Cancelled: " : "") + number(tallyOf(run).accepted) + " of "
    + (all + rest > known ? "about " : "") + number(Math.max(all + rest, known)) + " pushes accepted"
    + (isCancelled ? "" : missed(run));
};

const missed = ({ summaries }) => summaries.some(({ passed }) => passed === false) ? ", not as expected" : "";

/** What a command sends, without its options: `run scenarios/hello.json5`. */
export const subjectOf = (words) => words.map((word) => word.replace("--payload=", ""))
  .filter((word) => !word.startsWith("--")).join(" ");

export const head = (run) => {
  const kind = run.state === "running" ? "unanswered" : run.exitCode === 0 ? "accepted" : "refused";
  const isSent = run.state === "running" || run.summaries.some(({ run }) => run !== undefined);
  const failed = run.summaries.find(({ error }) => error);
  const problems = failed?.problems?.map(({ message, fix }) => message + " " + fix);
  const lines = isSent ? [] : problems ?? (failed?.error ?? withoutName(run.errors)).split("\n");
  return verdict(kind, headline(run), lines.filter(Boolean).map((line) =>
    make("p", {}, isolated(printable(line)))),
  make("p", { class: "soft" }, isolated(subjectOf(run.words))));
};

export const progress = (run) => {
  const [all, tally, rest] = [answered(run), tallyOf(run), unread(run)];
  const isMeasured = run.pushes > 1 && all > 0;
  const bar = make("progress", { "aria-label": "Pushes answered",
    max: isMeasured && Math.max(run.pushes, all), value: isMeasured && all });
  const counts = outcomes.filter((name) => tally[name]).map((name) =>
    make("span", { class: "answer " + kindOf(name) }, number(tally[name]) + " " + named(name)));
  if (rest > 0) counts.push(make("span", { class: "answer unanswered" }, "about " + number(rest) + " not read"));
  // The headline says it already where all were accepted.
  const isMixed = rest > 0 || all > 1 && all !== tally.accepted;
  return [run.state === "running" && bar, isMixed && make("p", { class: "tallies" }, counts)];
};

/** Each step with what came of it. */
export const steps = ({ summaries }) => {
  const rows = summaries.filter(({ step, passed }) => step != null && passed !== undefined);
  if (rows.length < 2 && rows.every(({ passed }) => passed)) return null;
  return make("ol", { class: "outcomes" }, rows.map((step) => {
    const kind = step.notRun ? "unanswered" : step.passed ? "accepted" : "refused";
    const text = step.notRun ?? step.error ?? step.accepted + " of " + step.total + " accepted";
    return make("li", {},
      make("span", { class: "answer " + kind }, step.step + " " + (step.stepName ?? step.scenario)),
      make("span", { class: "soft" }, text), whyOf(step));
  }));
};

/** Several reasons are a table: the sentence that has them all goes on and on. */
const whyOf = ({ why = [], reasons = {} }) => {
  const names = Object.keys(reasons);
  const others = why.filter((one) => names.length < 2 || !names.every((name) => one.includes(name)));
  return [others.length < why.length && table(Object.entries(reasons)),
    others.map((one) => make("p", {}, isolated(printable(one))))];
};

/** A resumed step is all that was sent of its scenario. */
export const stepNote = ({ plan, exitCode }) => {
  const [run] = plan?.runs ?? [];
  return exitCode === 0 && run?.resumes && run.step && make("p", { class: "note" },
    "This finished step " + run.step + " of ", isolated(printable(run.scenario)), ". Steps after it were not sent.");
};
