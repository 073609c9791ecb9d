// One push: what came of it and why, the request, the answer, and how to repeat it.

import { fanfareLine, curlLine } from "./commands.js";
import { copyable } from "./copy.js";
import { counted, isolated, make, momentOf, printable } from "./dom.js";
import { answerKind, answerText, deviceName, headline, whyHidden } from "./push.js";

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
  ["device", push.token && deviceName(push.token)], ["channel", push.channel],
]));

const repeats = (push, server, copied) => {
  const fanfare = fanfareLine(push);
  return part("Send it again",
    fanfare ? copyable("fanfare", fanfare, copied)
      : make("p", { class: "soft" }, "fanfare send cannot repeat this: it needs a device token"
        + " or a channel, and a payload in JSON."),
    copyable("curl", curlLine(push, server), copied));
};
