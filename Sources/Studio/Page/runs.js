// Sends: asks where it must, follows what is sent, and shows the answers.

import { head, headline, progress, pushOf, restOf, stepNote, steps, subjectOf, tallyOf } from "./answer.js";
import { follow, request } from "./api.js";
import { button, fill, redrawn, row } from "./controls.js";
import { find, isolated, make } from "./dom.js";
import { isAsked, planOf, questionOf } from "./plan.js";
import { answerTable, isUnfinished, meaningOf, pushRow, resendWords } from "./results.js";

const mostRows = 200;
const mostKept = 500;
/** After so many milliseconds an event stream that was cut is asked for again. */
const retryDelay = 1000;

/** A run of which nothing has come yet. */
const begun = (pushes) => ({ state: "running", pushes, counts: {}, results: [], summaries: [], errors: "" });

export class Runs {
  current = null;
  #boxes = null;
  /** Those that are planned or under way, also of other tabs. */
  #open = [];

  /**
   * `ask(title, text, label, isGrave)` resolves to whether to go on, `explain(reason)` to what it means;
   * `shows()`, `announce(text)`, `say(text)`, `ended()`, `edit(words)` and `showPush(id)` are told.
   */
  constructor(handlers) { Object.assign(this, handlers); }

  /** Sends what the plan of a command shows. `rest` is the command for the steps that are left then. */
  async start(words, rest = null) {
    const name = JSON.stringify(words);
    if (this.#open.some((run) => JSON.stringify(run.words) === name)) {
      return this.announce("This is being sent already. Wait until it has ended, or cancel it.");
    }
    await this.#watch({ words, rest, state: "planned" }, (run) => this.#send(run));
  }

  /** Shows what the studio has sent, and follows what is under way: a run does not end with its tab. */
  async takeUp() {
    const { runs } = await request("/runs");
    const own = runs.map((run) => ({ ...run, wasRunning: run.state === "running" }));
    const shown = own.findLast(({ wasRunning }) => wasRunning) ?? own.at(-1);
    for (const run of own.filter((one) => one.wasRunning || one === shown)) {
      this.#watch(Object.assign(run, begun(run.pushes)), (run) => this.#follow(run));
    }
    if (!shown) return;
    this.current = shown;
    if (shown.wasRunning) this.shows();
  }

  /** Keeps a run among those that are open until its work is done. */
  async #watch(run, work) {
    this.#open.push(run);
    try {
      await work(run);
    } catch (error) {
      if (run.state === "planned") this.#show(Object.assign(run, begun(0)));
      this.#take(run, { state: "ended", exitCode: 2, errors: error.message });
    }
    this.#open.splice(this.#open.indexOf(run), 1);
    if (this.current) this.#draw();
    if (run.state !== "ended" || run.wasRunning === false) return;
    this.say(headline(run));
    this.ended();
  }

  /** What comes back with another plan has sent nothing, and is asked about again. */
  async #send(run) {
    let { plan, values, errors } = await planOf(run.words);
    if (!plan) {
      this.#show(Object.assign(run, begun(0)));
      this.#take(run, { state: "ended", exitCode: 2, errors, summaries: values });
    }
    while (plan && await this.#isAgreed(plan)) {
      this.#show(Object.assign(run, begun(plan.pushes), { plan }));
      const { id } = await request("/runs", "POST", { words: run.words, plan: plan.id, pushes: plan.pushes });
      run.id = id;
      await this.#follow(run);
      plan = run.summaries.find(({ plan }) => plan)?.plan;
    }
  }

  async #isAgreed(plan) {
    const { production } = plan;
    return !isAsked(plan) || this.ask(production ? "Send to production?" : "Send?", questionOf(plan),
      production ? "Send to production" : "Send", true);
  }

  /** A stream that breaks off is followed again, as long as the studio knows the run. */
  async #follow(run) {
    while (run.state === "running") {
      let old = [];
      try {
        await follow(run.id, (event) => {
          old = [...old, ...event.results].slice(-mostKept);
          this.#take(run, { ...event, results: old });
        });
      } catch (error) {
        if (error.status === 401 || error.status === 404) throw error;
      }
      if (run.state === "running") await new Promise((resolve) => { setTimeout(resolve, retryDelay); });
    }
  }

  #show(run) {
    this.current = run;
    this.#draw();
    this.shows();
  }

  #take(run, event) {
    Object.assign(run, event);
    if (this.current) this.#draw();
  }

  // MARK: Drawing

  #draw() {
    const { current: run } = this;
    const others = this.#open.filter((one) => one !== run && one.state === "running");
    const parts = [
      [others.map((one) => [one.id, headline(one)]), () => this.#others(others)],
      [[run.exitCode, headline(run)], () => head(run)],
      [tallyOf(run), () => progress(run)],
      [run.summaries.length, () => this.#actions(run)],
      [pushOf(run)?.apnsID, () => this.#push(run)],
      [run.summaries.length, () => steps(run)],
      [[run.results.length, run.results.at(-1)?.apnsID], () => this.#rows(run)],
    ];
    if (!this.#boxes) fill(find("answer"), this.#boxes = parts.map(() => make("div")));
    parts.forEach(([stamp, draw], index) => redrawn(this.#boxes[index],
      [run.words, run.id, run.state, stamp], draw));
  }

  /** What else is under way. */
  #others(runs) {
    return runs.map((run) => button([make("span", {}, isolated(subjectOf(run.words))),
      make("span", { class: "soft" }, headline(run))], () => this.#show(run), { class: "line-row" }));
  }

  #actions(run) {
    // The first time, pushes in flight are waited for; the second time it ends at once.
    const cancel = () => request("/runs/" + run.id, "DELETE").catch(() => {});
    if (run.state === "running") return row(button("Cancel", cancel));
    const unfinished = run.summaries.find((summary) => summary.run && isUnfinished(summary));
    const refused = run.summaries.find(({ run, rejected }) => run && rejected > 0);
    const rest = restOf(run);
    return [!unfinished && stepNote(run), row(
      unfinished && button("Resume", () => this.start(["resume", String(unfinished.run)], rest)),
      rest && !unfinished && button("Go on with " + rest.at(-1).replace("--from=", "step "),
        () => this.start(rest)),
      refused && button("Resend rejected", () => this.start(resendWords(refused.run))),
      button("Again", () => this.start(run.words)),
      button("Edit and send again", () => this.edit(run.words)))];
  }

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
