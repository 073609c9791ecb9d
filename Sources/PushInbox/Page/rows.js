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
