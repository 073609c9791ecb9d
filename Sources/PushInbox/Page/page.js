// Ties the parts together: what arrives, what is chosen, what is drawn.

import { detailOf } from "./detail.js";
import { counted, find, isolated, make } from "./dom.js";
import { Feed, request } from "./feed.js";
import { Filters } from "./filters.js";
import { Inbox } from "./inbox.js";
import { WindowedList } from "./list.js";
import { announce, tell } from "./news.js";
import { Phone } from "./phone.js";
import { deviceOf } from "./push.js";
import { deviceRow, inboxRow, nameOf, pushRow } from "./rows.js";
import { screenOf } from "./screen.js";

/** The row of the list of devices that stands for all of them. */
const everyDevice = { key: null };

const inbox = new Inbox();
let chosen = null;
/** What came while the page is paused; null when it is not. */
let held = null;
/** What the emulator says of itself. */
let server = {};
let state = "connecting";

// MARK: Choosing

const filters = new Filters(() => {
  narrow();
  announce(counted(filters.count, "push matches", "pushes match") + ".");
});

const narrow = () => {
  filters.apply(inbox.pushes);
  find("pushes").scrollTop = 0;
  redraw();
};

const choose = (push, isOpened) => {
  chosen = push;
  pushList.mark(push);
  drawDetail();
  redraw();
  if (isOpened) view("detail");
};

const chooseDevice = (device, isOpened) => {
  filters.device = device.key;
  narrow();
  if (isOpened) view(device === everyDevice ? "pushes" : "screen");
};

const pushList = new WindowedList(find("pushes"), {
  height: 4.5, key: (push) => push.id, stamp: (push) => push.id, draw: pushRow, choose,
});

const deviceList = new WindowedList(find("devices"), {
  height: 3.25, key: (device) => device.key, choose: chooseDevice,
  stamp: (device) => device === everyDevice
    ? inbox.pushes.length + " " + inbox.deviceList.length
    : device.app + " " + device.pushes.length + " " + device.refused,
  draw: (device) => device === everyDevice ? inboxRow(inbox) : deviceRow(device),
});

const phone = new Phone({ choose: (push) => choose(push, true), redraw: () => redraw() });

// MARK: Drawing

let isDue = false;
let added = 0;

/** Draws once for everything that came since the last frame. */
const redraw = () => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    drawLists();
    drawScreen();
    drawCounts();
  });
};

const drawLists = () => {
  pushList.show(filters, added);
  added = 0;
  const { deviceList: devices } = inbox;
  deviceList.show({
    count: devices.length + 1,
    at: (index) => index === 0 ? everyDevice : devices[index - 1],
    indexOf: (key) => key === null ? 0 : (inbox.devices.get(key)?.index ?? -2) + 1,
  });
};

/** The chosen device's screen, or else that of the chosen push, or of the newest. */
const drawScreen = () => {
  const push = chosen ?? inbox.pushes.at(-1);
  const device = inbox.devices.get(filters.device ?? (push && deviceOf(push)));
  const box = find("screen");
  const focus = focusMark(box);
  find("screen-title").replaceChildren("Lock screen",
    ...(device ? [" ", make("span", {}, isolated(nameOf(device)))] : []));
  box.replaceChildren(...(device
    ? phone.draw(screenOf(device), device.pushes.at(-1), chosen?.id).filter(Boolean)
    : [make("p", { class: "hint" }, "A device appears with its first push.")]));
  if (focus) box.querySelector(focus)?.focus({ preventScroll: true });
};

/** Selects the element in a box that has the focus, which drawing anew would lose. */
const focusMark = (box) => {
  const { push, group } = box.contains(document.activeElement) ? document.activeElement.dataset : {};
  if (push) return "[data-push=\"" + CSS.escape(push) + "\"]";
  return group === undefined ? null : "[data-group=\"" + CSS.escape(group) + "\"]";
};

const drawCounts = () => {
  const [some, all] = [filters.count, inbox.pushes.length]
    .map((count) => count.toLocaleString("en-US"));
  find("shown").textContent = some === all ? all : some + " of " + all;
  const hint = find("hint");
  hint.hidden = filters.count > 0;
  hint.textContent = inbox.pushes.length > 0 ? "No push matches." : "No pushes yet. Send one:"
    + " fanfare send --env inbox --bundle-id com.example.app --title Hello --to TOKEN";
  filters.offer(inbox.choices);
};

const drawDetail = () => {
  const hint = make("p", { class: "hint" },
    "Select a push to see its request, its answer and how to repeat it.");
  find("detail").replaceChildren(...(chosen
    ? detailOf(chosen, server, announce).flat().filter(Boolean) : [hint]));
  find("detail").scrollTop = 0;
};

// MARK: What arrives

/** The ID of the newest push that is here, on the page or held back. */
const last = () => Math.max(inbox.last, held?.at(-1)?.id ?? 0);

/** Events and lists can bring the same pushes: those that are here already are left out. */
const add = (pushes) => {
  const known = last();
  const news = pushes.filter((push) => push.id > known);
  if (held === null) return take(news);
  held = held.concat(news).slice(-inbox.keep);
  showState();
};

const take = (pushes) => {
  const isShortened = inbox.add(pushes);
  added += filters.add(pushes);
  if (isShortened) filters.apply(inbox.pushes);
  if (state === "live") tell(pushes);
  redraw();
};

const empty = () => {
  inbox.empty();
  if (held) held = [];
  chosen = null;
  filters.device = null;
  pushList.mark(null);
  deviceList.mark(everyDevice);
  drawDetail();
  showState();
  narrow();
};

const begin = (hello) => {
  inbox.keep = hello.keep ?? inbox.keep;
  find("where").textContent = [hello.environment, hello.version].filter(Boolean).join(" · ");
  empty();
  request("health").then((health) => { server = health; }, () => {});
};

// MARK: State

const states = {
  connecting: "Connecting…", live: "Live",
  lost: "Connection lost. Trying again…",
  refused: "This page's key is no longer valid. Open the address that the emulator printed.",
};

const showState = () => {
  const isPaused = held !== null && state === "live";
  const waiting = isPaused && held.length > 0 ? ", " + held.length + " new" : "";
  const [text, name] = isPaused ? ["Paused" + waiting, "paused"] : [states[state], state];
  // Said again only when it changes: it is a live region.
  if (find("state").textContent !== text) find("state").textContent = text;
  find("state").dataset.state = name;
};

const pause = () => {
  const waiting = held;
  held = waiting ? null : [];
  find("pause").setAttribute("aria-pressed", held !== null);
  if (waiting) take(waiting);
  showState();
};

const clear = async () => {
  find("clearing").close();
  try {
    await request("pushes", "DELETE");
    announce("The inbox is empty.");
  } catch (error) {
    announce("The inbox could not be cleared. " + error.message);
  }
};

/** Narrow windows show one part at a time. */
const view = (name) => {
  document.body.dataset.view = name;
  for (const button of document.querySelectorAll("[data-shows]")) {
    if (button.dataset.shows === name) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
};

for (const button of document.querySelectorAll("[data-shows]")) {
  button.addEventListener("click", () => view(button.dataset.shows));
}
find("pause").addEventListener("click", pause);
find("clear").addEventListener("click", () => find("clearing").showModal());
find("keep-all").addEventListener("click", () => find("clearing").close());
find("clear-all").addEventListener("click", clear);

view("pushes");
deviceList.mark(everyDevice);
redraw();
new Feed({
  state: (name) => { state = name; showState(); },
  begin, add, clear: empty, last,
}).connect();
