// Ties the parts together: what arrives, what is chosen, what is drawn.

import { detailOf } from "./detail.js";
import { counted, find, isolated, make } from "./dom.js";
import { Feed, request } from "./feed.js";
import { Filters } from "./filters.js";
import { Inbox } from "./inbox.js";
import { WindowedList } from "./list.js";
import { announce, tell } from "./news.js";
import { key } from "./key.js";
import { Phone } from "./phone.js";
import { deviceOf, learnNames } from "./push.js";
import { deviceRow, inboxRow, nameOf, namesOf, pushRow } from "./rows.js";
import { screenOf } from "./screen.js";
import { State } from "./state.js";
import { view } from "./view.js";
import { welcome } from "./welcome.js";

/** The row of the list of devices that stands for all of them. */
const everyDevice = { key: null };
/** The most devices among which one is found without typing. */
const mostAtSight = 12;

const inbox = new Inbox();
const state = new State();
/** The push that somebody chose; null while the page follows what arrives. */
let chosen = null;
/** What came while the page is paused; null when it is not. */
let held = null;
/** What the emulator says of itself. */
let server = {};

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
  redraw();
  if (isOpened && !find("detail").checkVisibility()) view("detail");
};

const chooseDevice = (device, isOpened) => {
  filters.device = device.key;
  choose(null);
  narrow();
  if (isOpened) view(device === everyDevice ? "pushes" : "screen");
};

const pushList = new WindowedList(find("pushes"), {
  height: 4.5, key: (push) => push.id, stamp: (push) => push.id, draw: pushRow, choose,
});

const deviceList = new WindowedList(find("devices"), {
  height: 3.25, key: (device) => device.key, choose: chooseDevice,
  names: (device) => device === everyDevice ? ["all"] : namesOf(device),
  stamp: (device) => device === everyDevice
    ? inbox.pushes.length + " " + inbox.devices.size
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
    drawDetail();
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

/** The chosen device's screen, or else that of the chosen push, or of the last delivered. */
const drawScreen = () => {
  const push = chosen ?? inbox.delivered;
  const device = inbox.devices.get(filters.device ?? (push && deviceOf(push)));
  const box = find("screen");
  const focus = focusMark(box);
  find("screen-title").replaceChildren("Lock screen",
    ...(device ? [" ", make("span", {}, isolated(nameOf(device)),
      filters.device === null && !chosen && " · last delivered")] : []));
  box.replaceChildren(...(device
    ? phone.draw(screenOf(device), device.pushes.at(-1), chosen?.id).filter(Boolean)
    : [make("p", { class: "hint" }, "No push has reached a device.")]));
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
  find("known").textContent = inbox.devices.size.toLocaleString("en-US");
  find("jump").hidden = inbox.devices.size <= mostAtSight;
  find("hint").hidden = filters.count > 0;
  find("gone").hidden = inbox.gone === 0;
  find("gone").textContent = counted(inbox.gone, "older one") + " gone: the emulator keeps "
    + inbox.keep.toLocaleString("en-US") + ".";
  const isEmpty = inbox.pushes.length === 0;
  document.body.toggleAttribute("data-empty", isEmpty);
  find("welcome").hidden = !isEmpty || !state.isKnown;
  filters.offer(inbox.choices);
};

/** The push that the detail shows; undefined when it has to be drawn anew. */
let detailed;

/** The chosen push, or else the newest that is listed. */
const drawDetail = () => {
  const push = chosen ?? filters.at(0) ?? null;
  find("newest").hidden = chosen !== null || push === null;
  if (push === detailed) return;
  detailed = push;
  find("detail").replaceChildren(...(push
    ? detailOf(push, server, announce).flat().filter(Boolean)
    : [make("p", { class: "hint" }, "There is no push to show.")]));
  find("detail").scrollTop = 0;
};

// MARK: What arrives

/** The ID of the newest push that is here, on the page or held back. */
const last = () => Math.max(inbox.last, held?.at(-1)?.id ?? 0);

/** Events and lists can bring the same pushes: those that are here already are left out. */
const add = (pushes) => {
  const known = last();
  const news = pushes.filter((push) => push.id > known);
  if (news.length === 0) return;
  if (held === null) return take(news);
  held = held.concat(news).slice(-inbox.keep);
  showState();
};

const take = (pushes) => {
  if (pushes.length === 0) return;
  const missed = pushes.at(-1).id - inbox.last - pushes.length;
  inbox.add(pushes);
  added += filters.add(pushes, inbox.pushes[0].id);
  if (state.isKnown) tell(pushes, missed);
  redraw();
};

/** `last` is the ID of the last push that was there. */
const empty = (last) => {
  inbox.empty(last);
  if (held) held = [];
  chosen = null;
  filters.device = null;
  pushList.mark(null);
  deviceList.mark(everyDevice);
  showState();
  narrow();
  greet();
};

const begin = (hello) => {
  inbox.keep = hello.keep ?? inbox.keep;
  learnNames(hello.names);
  find("where").textContent = [hello.environment, hello.version].filter(Boolean).join(" · ");
  empty(0);
};

/** Asks what the commands to copy need to know. */
const greet = async () => {
  try {
    const [health, { devices }] = await Promise.all([request("health"), request("devices")]);
    server = health;
    welcome(server, devices, announce);
    detailed = undefined;
    redraw();
  } catch {
    // The connection is lost, which the feed notices.
  }
};

// MARK: State

const showState = (name = state.name) => {
  state.set(name);
  state.show(held === null ? undefined : last() - inbox.last);
  redraw();
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

find("pause").addEventListener("click", pause);
find("clear").addEventListener("click", () => find("clearing").showModal());
find("keep-all").addEventListener("click", () => find("clearing").close());
find("clear-all").addEventListener("click", clear);
// What somebody reads or copies stays.
find("detail").addEventListener("focusin", () => { if (detailed) choose(detailed); });

deviceList.mark(everyDevice);
if (key() === null) showState("locked");
else new Feed({ state: showState, begin, add, clear: empty, last }).connect();
