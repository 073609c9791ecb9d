// Ties the parts together: the open file, its checks and preview, and what is sent.

import { connectActions } from "./actions.js";
import { call, onState, request } from "./api.js";
import { drawProblems, drawSender, drawSources, drawTitle, limitOf } from "./bench.js";
import { drawConflict } from "./conflict.js";
import { fill, say } from "./controls.js";
import { announce, ask, createFile, scenarioText, slug } from "./dialogs.js";
import { Document } from "./document.js";
import { counted, find, make } from "./dom.js";
import { recall, remember, takeMemory } from "./drafts.js";
import { Editor } from "./editor.js";
import { Files } from "./files.js";
import { Form } from "./form.js";
import { History } from "./history.js";
import { key, keepKey } from "./key.js";
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
/** The path of the file that is wanted last. */
let wantedPath = null;
const hints = new Map();
const reasons = new Map();

const editor = new Editor();
const preview = new Preview();
const problems = new Problems();
const files = new Files({ choose: (path) => open(path), changed: () => refresh() });

// MARK: Files

const load = async (path) => {
  const known = documents.get(path);
  if (known && known.state !== "closed") return known;
  if (!opening.has(path)) opening.set(path, opened(path).finally(() => opening.delete(path)));
  return opening.get(path);
};

const opened = async (path) => {
  const document = await Document.open(path, studio.path, heard);
  documents.set(path, document);
  return document;
};

const open = async (path, isShown = true) => {
  wantedPath = path;
  const main = await load(path).catch((error) => announce(error.message));
  if (!main || wantedPath !== path) return;
  sheet = new Sheet(main);
  source = main;
  files.open = path;
  preview.steps = [];
  problems.clear();
  remember("open " + studio.path, path);
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
    const file = path ? await load(path).catch(() => null) : null;
    if (wanted.payloadPath === path) wanted.file = file;
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
  const next = files.list.find(({ kind }) => kind === "scenario") ?? files.list[0];
  if (next) return open(next.path, false);
  location.reload();
};

// MARK: Looking

/** Checks the file and loads its preview, with the options that it would be sent with. */
const look = async () => {
  const wanted = sheet;
  const { main, isSent } = wanted;
  const words = isSent ? target.looking("check") : ["check", "--json", main.path];
  await Promise.all([problems.check(words, wanted.documents), isSent && preview.load(target.looking("preview"))])
    .catch((error) => announce(error.message));
  if (wanted !== sheet) return;
  target.learn(problems.files);
  redraw();
};

const explain = async (reason) => {
  if (!reasons.has(reason)) reasons.set(reason, (await call(["explain", reason, "--json"])).values[0]?.[0]);
  return reasons.get(reason);
};

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
    draw();
  });
};

const draw = () => {
  const { main, isSent, documents: open } = sheet;
  if (!open.includes(source)) source = main;
  const shown = problems.shown(open);
  drawTitle(sheet);
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
  hints, setHeader, setOption: (name, value) => target.set(name, value), focused: show,
  chooseStep: (index) => {
    sheet.step = index;
    follow();
  },
});

const runs = new Runs({
  ask, explain, say: (text) => say("said", text), again: (words) => again(words),
  shows: () => { showSide("answer"); view("side"); },
  ended: () => history.list(),
  edit: (words) => editFile(words),
  showPush: (id) => { showSide("history"); history.push(id); },
});

const history = new History({
  explain, announce, start: (words) => runs.start(words), edit: (push, run) => editAgain(push, run),
});

/** Sends what is shown, once it is saved. */
const send = async () => {
  if (!sheet?.isSent || find("send").disabled || find("dialog").open) return;
  find("recipients").hidePopover();
  await Promise.all(sheet.documents.map((document) => document.save()));
  if (sheet.documents.some(({ text, saved }) => text !== saved)) return announce("Not sent: the file is not saved.");
  await confirmed(target.words);
};

const places = { emulator: "the emulator", inbox: "the inbox", sandbox: "the sandbox" };

/** Asks before production and before lists, with the count. */
const confirmed = async (words) => {
  const { environment, total } = target;
  const isProduction = environment === "production";
  const isAsked = isProduction || target.hasList;
  const place = isProduction ? environment : places[environment] ?? "the profile\u2019s environment";
  const many = counted(total, "device");
  if (isAsked && !await ask("Send to " + (isProduction ? place : many) + "?",
    sheet.main.path + " goes to " + many + " in " + place + ".",
    isProduction ? "Send to production" : "Send", isProduction)) return;
  await runs.start(words, { expected: total, isConfirmed: isAsked });
};

/** Leads back to the file that was sent. */
const editFile = async (words) => {
  const file = files.list.find(({ path }) => words.some((word) => [path, "--payload=" + path].includes(word)));
  if (file && file.path !== sheet.main.path) await open(file.path);
  view("edit");
  showPart("form");
  find("field-title")?.focus();
};

/** Sends the same once more. The page asks for the open file alone; for another, the program does. */
const again = (words) => {
  const isOpen = sheet.isSent && JSON.stringify(words) === JSON.stringify(target.words);
  return isOpen ? confirmed(words) : runs.start(words);
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

connectActions({ files, added, send, main: () => sheet?.main, close });

addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
  event.preventDefault();
  send();
});
onSide((side) => { if (side === "history") history.list(); });

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

const begin = async () => {
  studio = await request("");
  takeMemory(studio.memory);
  find("where").textContent = studio.path;
  studio.choices.profile = studio.profiles.map(({ name }) => name);
  target = new Target({ profiles: studio.profiles, environments: studio.choices["--env"],
    folder: studio.path, changed: () => { if (sheet) { redraw(); look(); } } });
  recipients = new Recipients(target, () => files.list.filter(({ kind }) => kind === "list"));
  await files.load();
  const last = recall("open " + studio.path);
  const first = files.list.find(({ path }) => path === last) ?? files.list.find(({ kind }) => kind === "scenario");
  if (first) await open(first.path, false);
  const { values: [all = []] } = await call(["explain", "--json"]);
  for (const hint of all) hints.set(hint.kind === "push type" ? "type " + hint.name : hint.name, hint);
  target.learnDevices();
  redraw();
};

// What nobody waits for tells of its failure here.
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  announce(event.reason.message);
});
onState(connected);
if (key() === null) connected("locked");
else begin().catch((error) => announce(error.message));
