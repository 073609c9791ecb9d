// What a row of each list shows.

import { counted, isolated, make, printable, timeOfDay } from "./dom.js";
import {
  answerKind, answerText, appOf, deviceName, deviceOf, endOf, headline, seen, whyHidden,
} from "./push.js";

/** The most characters of a text in a row. */
const longest = 200;

const cut = (text) => printable(String(text).slice(0, longest));
const line = (kind, ...children) => make("span", { class: "line " + kind, dir: "auto" }, children);

/** The row of a push. */
export const pushRow = (push) => [
  line("", make("span", { class: "answer " + answerKind(push) }, answerText(push)),
    make("time", {}, timeOfDay(push.time))),
  line("strong", cut(headline(push))),
  line("soft", [push.pushType ?? push.method ?? "", ...about(push)].filter(Boolean)
    .flatMap((text, index) => [index > 0 && " · ", isolated(cut(text))])),
];

/** Each text is isolated from the next: one may run from right to left. */
const about = (push) => {
  if (answerKind(push) === "refused") return [push.fix ?? push.cause ?? push.note];
  if (push.request === "channel") return [appOf(push)];
  const why = whyHidden(push);
  if (why !== undefined) return [why];
  const { title, body } = push.card ?? {};
  return [deviceName(deviceOf(push)), title && body && seen(push.card, "body")];
};

/** The row for all devices and channels. */
export const inboxRow = (inbox) => {
  const all = inbox.devices.size;
  const channels = [...inbox.devices.values()].filter((device) => device.isChannel).length;
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
  deviceName(device.key) !== endOf(device.key) && [isolated(endOf(device.key)), " · "],
  isolated(cut(device.app))),
];

const tally = ({ length }) => make("span", { class: "tally" }, length.toLocaleString("en-US"),
  make("span", { class: "unseen" }, length === 1 ? " push: " : " pushes: "));

/** What finds a device when it is typed, in lower case: its name, its token or the end of that. */
export const namesOf = ({ key }) =>
  [deviceName(key), key, key.slice(-8)].map((name) => name.toLowerCase());

/** What a device is called. */
export const nameOf = (device) => (device.isChannel ? "Channel " : "")
  + (cut(deviceName(device.key)) || "No device token");
