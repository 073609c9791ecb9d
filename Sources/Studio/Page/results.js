// A push and its answer, as the answer and the history show them.

import { button } from "./controls.js";
import { isolated, make, printable } from "./dom.js";
import { endOf } from "./push.js";

export const kindOf = (outcome) => ({ accepted: "accepted", rejected: "refused", skipped: "refused" })[outcome]
  ?? "unanswered";

export const named = (outcome) => outcome.replace("notAttempted", "not attempted");

/** An outcome with its answer, in a few words. */
export const outcomeText = ({ outcome, status, reason }) =>
  [named(outcome), status, reason].filter(Boolean).join(" ");

export const verdict = (kind, text, ...more) => make("div", { class: "verdict " + kind },
  make("p", { class: "answer " + kind }, text), more);

const labeled = (label, text) => make("p", {}, make("strong", {}, label + " "), text);

/** What a reason means, with the likeliest cause if that is known. */
export const meaningOf = (known, cause) => {
  const causes = (known?.causes ?? []).map(({ text, fix }) =>
    make("li", {}, text, " ", make("span", { class: "soft" }, fix)));
  return [known?.summary && known.summary !== cause?.message && make("p", {}, known.summary),
    cause ? [labeled("Cause:", cause.message), labeled("Fix:", cause.fix)]
      : causes.length > 0 ? make("ul", { class: "findings" }, causes)
        : known?.fix && labeled("Fix:", known.fix)];
};

/** Apple answers in a few milliseconds at best: more digits say nothing. */
const milliseconds = (push) => push.latencyMilliseconds?.toLocaleString("en-US", { maximumSignificantDigits: 2 }) + " ms";

/** Names and values; rows without a value are left out. */
export const table = (rows) => make("dl", {}, rows.filter(([, value]) => value != null && value !== "")
  .map(([name, value]) => make("div", {}, make("dt", {}, isolated(printable(name))),
    make("dd", {}, isolated(printable(value))))));

export const answerTable = (push) => table([
  ["status", push.status], ["reason", push.reason], ["apns-id", push.apnsID],
  ["apns-unique-id", push.uniqueID],
  ["latency", push.latencyMilliseconds == null ? "" : milliseconds(push)],
  ["attempts", push.attempts > 1 ? push.attempts : ""], ["device token", push.token],
  ["channel", push.channel], ["skipped", push.skippedFor?.join(" ")],
]);

/** A push as a button that opens it; `more` says where it is from. */
export const pushRow = (push, open, more) => button([
  make("span", { class: "answer " + kindOf(push.outcome) }, outcomeText(push)),
  make("span", { class: "soft" }, push.token ? endOf(push.token) : push.channel,
    push.latencyMilliseconds != null && " · " + milliseconds(push), more && " · " + more),
], open, { class: "line-row" });

export const resendWords = (run) => ["history", "resend", String(run), "--only=rejected"];

/** Whether a run has something left to do. */
export const isUnfinished = ({ deferred = 0, unknown = 0, notAttempted = 0, unread }) =>
  deferred + unknown + notAttempted > 0 || unread != null;
