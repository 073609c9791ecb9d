// Ties the parts together: the open file, its checks and preview, and what is sent.

import { connectActions } from "./actions.js";
import { call, onState, request } from "./api.js";
import { clearBench, drawProblems, drawSender, drawSources, drawTitle, limitOf } from "./bench.js";
import { drawConflict } from "./conflict.js";
import { fill, say } from "./controls.js";
import { announce, ask, createFile, scenarioText, slug } from "./dialogs.js";
import { Document } from "./document.js";
import { find, make } from "./dom.js";
import { recall, remember, takeMemory } from "./drafts.js";
import { Editor } from "./editor.js";
import { Files } from "./files.js";
import { Form } from "./form.js";
import { History } from "./history.js";
import { key, keepKey } from "./key.js";
import { Latest } from "./latest.js";
import { Preview } from "./preview.js";
import { Problems, rangeOf } from "./problems.js";
import { Recipients } from "./recipients.js";
import { Runs } from "./runs.js";
import { Sheet } from "./sheet.js";
import { Target } from "./target.js";
import { onSide, showPart, showSide, view } from "./view.js";

let studio;
let target;
let recipients;
let sheet = null;
/** The document that the text shows: the open file, or the one with its payload. */
let source = null;
const documents = new Map();
/** The documents that are being opened, so that none is opened twice. */
const opening = new Map();
const [opened, followed] = [new Latest(), new Latest()];
const hints = new Map();
let learned;

const editor = new Editor();
const preview = new Preview();
const problems = new Problems();
const files = new Files({ choose: (path) => open(path), changed: () => refresh() });

// MARK: Files

const load = async (path) => {
  const known = documents.get(path);
  if (known && known.state !== "closed") return known;
  if (!opening.has(path)) opening.set(path, read(path).finally(() => opening.delete(path)));
  return opening.get(path);
};

const read = async (path) => {
  const document = await Document.open(path, studio.path, heard);
  documents.set(path, document);
  return document;
};

const open = async (path, isShown = true) => {
  const main = await opened.of(load(path)).catch((error) => announce(error.message));
  if (!main) return;
  sheet = new Sheet(main);
  source = main;
  files.open = path;
  preview.clear();
  problems.clear();
  remember("open", path);
  files.draw();
  find("files").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  if (isShown) view("edit");
  target.show(sheet);
  await follow();
  look();
};

/** Opens the file that the payload is in. */
const follow = async () => {
  const wanted = sheet;
  const path = wanted.payloadPath;
  if (wanted.file?.path !== path) {
    wanted.file = null;
    const file = await followed.of(path ? load(path).catch(() => null) : null);
    if (file && wanted.payloadPath === path) wanted.file = file;
  }
  redraw();
};

/** Takes what has changed on disk. */
const refresh = () => {
  if (!sheet) return;
  const versions = new Map(files.list.map(({ path, version }) => [path, version]));
  for (const document of documents.values()) {
    const version = versions.get(document.path) ?? null;
    if (sheet.documents.includes(document)) document.refresh(version).catch(() => {});
    else if (version !== document.version && document.state === "saved") documents.delete(document.path);
  }
};

const heard = (document, what) => {
  if (!sheet?.documents.includes(document)) return;
  if (what === "text") {
    sheet.step = Math.min(sheet.step, Math.max(0, (sheet.steps?.length ?? 1) - 1));
    follow();
  }
  if (what === "saved") look();
  redraw();
};

const close = (document) => {
  document.close();
  documents.delete(document.path);
  if (sheet.main !== document) return open(sheet.main.path);
  const others = files.list.filter(({ path }) => path !== document.path);
  const next = others.find(({ kind }) => kind === "scenario") ?? others[0];
  if (next) return open(next.path, false);
  opened.drop();
  sheet = source = files.open = null;
  preview.clear();
  problems.clear();
  editor.clear();
  clearBench();
};

// MARK: Looking

/** Checks the file and loads its preview, with the options that it would be sent with. */
const look = async () => {
  const { main, isSent, documents: open } = sheet;
  const words = isSent ? target.looking("check") : ["check", "--json", main.path];
  await Promise.all([problems.check(words, open), isSent && preview.load(target.looking("preview")),
    isSent && target.look()]).catch((error) => announce(error.message));
  redraw();
};

/** What a reason means. */
const explain = (reason) => learned.then(() => hints.get(reason.toLowerCase()));

/** The push type: as the file or an option says, or else as the program infers it. */
const pushType = () => (sheet.isScenario ? sheet.node({ base: "notification", path: ["type"] })?.value
  : target.options.type) ?? preview.step(sheet.number)?.type ?? problems.files[0]?.type ?? "alert";

// MARK: Drawing

let isDue = false;

/** Draws once for everything that has changed since. */
const redraw = () => {
  if (isDue || !sheet) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    if (sheet) draw();
  });
};

const draw = () => {
  const { main, isSent, documents: open } = sheet;
  if (!open.includes(source)) source = main;
  const shown = problems.shown(open);
  drawTitle(sheet, form.isUnwritten);
  drawConflict(open.find(({ state }) => state === "conflict"), close);
  drawSender(sheet, target);
  recipients.drawChoices();
  form.draw({ sheet, type: pushType(), options: target.options, choices: studio.choices, problems: shown });
  drawSources(open, source, show);
  editor.show(source, shown.filter(({ document }) => document === source)
    .map((problem) => ({ ...rangeOf(problem), severity: problem.severity })));
  const shownBytes = preview.error ? null : preview.step(sheet.number)?.bytes;
  const bytes = shownBytes ?? problems.files[0]?.bytes;
  drawProblems(main, shown, { bytes, limit: limitOf(hints.get("type " + pushType())) }, { go, setHeader });
  if (isSent) preview.draw(sheet.number);
  else fill(find("preview"), make("p", { class: "hint" }, "A device shows nothing of this file."));
};

const show = (document) => {
  if (!document || document === source) return;
  source = document;
  redraw();
};

const go = (problem) => {
  source = problem.document;
  showPart("text");
  draw();
  editor.reveal(rangeOf(problem));
};

// MARK: Sending

const setHeader = (header, value) => target.setHeader(header, value);

const form = new Form({
  hints, setHeader, setOption: (name, value) => target.set(name, value), focused: show, typed: () => redraw(),
  chooseStep: (index) => {
    sheet.step = index;
    follow();
  },
});

const runs = new Runs({
  ask, explain, announce, say: (text) => say("said", text),
  shows: () => { showSide("answer"); view("side"); },
  ended: () => history.refresh(),
  edit: (words) => editFile(words),
  showPush: (id) => { showSide("history"); history.push(id); },
});

const history = new History({
  explain, announce, isReason: (text) => hints.get(text.toLowerCase())?.kind === "reason",
  start: (words) => runs.start(words), edit: (push, run) => editAgain(push, run),
});

/** Sends what is shown, once it is saved. */
const send = async () => {
  if (!sheet?.isSent || find("send").disabled || find("dialog").open) return;
  find("recipients").hidePopover();
  await Promise.all(sheet.documents.map((document) => document.save()));
  if (sheet.documents.some(({ text, saved }) => text !== saved)) return announce("Not sent: the file is not saved.");
  await runs.start(target.words);
};

/** Leads back to the file that was sent. */
const editFile = async (words) => {
  const file = files.list.find(({ path }) => words.some((word) => [path, "--payload=" + path].includes(word)));
  if (file && file.path !== sheet?.main.path) await open(file.path);
  view("edit");
  showPart("form");
  find("field-title")?.focus();
};

/** As long after the sending as it was the first time. */
const expirationOf = (seconds, run) => seconds > 0 && run
  ? Math.max(1, seconds - Math.floor(run.began / 1000)) + "s" : seconds && Number(seconds);

/** Makes a scenario of a push that was sent. */
const editAgain = async ({ request: { headers, payload }, token }, run) => {
  const topic = headers["apns-topic"];
  const notification = JSON.parse(JSON.stringify({ type: headers["apns-push-type"], topic,
    priority: Number(headers["apns-priority"] ?? 10), collapseID: headers["apns-collapse-id"],
    expiration: expirationOf(headers["apns-expiration"], run), payload }));
  const name = (run?.scenario ?? "Push") + " again";
  const app = files.list.find(({ app }) => app && topic?.startsWith(app))?.app ?? topic;
  await added(await createFile(files.free("scenarios/" + slug(name) + ".json5"),
    scenarioText(name, app, notification, run?.environment, token)));
};

// MARK: Actions

const added = async (path) => {
  if (!path) return;
  await files.load();
  await open(path);
};

connectActions({ files, added, send, main: () => sheet?.main, close, moved: (from, to) => target.moved(from, to) });

addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
  event.preventDefault();
  send();
});
onSide((side) => { if (side === "history") history.list(); });
// Settings may have changed while one looked elsewhere.
addEventListener("focus", () => { if (sheet) look(); });

// MARK: Beginning

const connections = { live: "Live", lost: "The studio has stopped", refused: "Wrong key", locked: "No key" };

const connected = (state) => {
  find("state").dataset.state = state;
  say("state", connections[state]);
  find("door").hidden = state !== "refused" && state !== "locked";
};

find("door").addEventListener("submit", (event) => {
  event.preventDefault();
  if (keepKey(find("key").value)) location.reload();
});

const nameOfHint = ({ kind, name }) => kind === "push type" ? "type " + name : kind === "reason" ? name.toLowerCase() : name;

const learn = async () => {
  const { values: [all = []] } = await call(["explain", "--json"]);
  for (const hint of all) hints.set(nameOfHint(hint), hint);
  redraw();
};

const begin = async () => {
  studio = await request("");
  takeMemory(studio.memory);
  find("where").textContent = studio.path;
  studio.choices.profile = studio.profiles;
  target = new Target({ profiles: studio.profiles, environments: studio.choices["--env"],
    changed: () => { if (sheet) { redraw(); look(); } } });
  recipients = new Recipients(target, () => files.list.filter(({ kind }) => kind === "list"));
  learned = learn();
  await files.load();
  runs.takeUp().catch((error) => announce(error.message));
  const last = recall("open");
  const first = files.list.find(({ path }) => path === last) ?? files.list.find(({ kind }) => kind === "scenario");
  if (first) await open(first.path, false);
  target.learnDevices();
};

// What nobody waits for tells of its failure here.
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  announce(event.reason.message);
});
onState(connected);
if (key() === null) connected("locked");
else begin().catch((error) => announce(error.message));
