// Ties the parts together: the open file, its checks and preview, and what is sent.

import { call, onState, request, filePath } from "./api.js";
import { commandLine } from "./command.js";
import { copyable } from "./copy.js";
import { announce, ask, createFile, importFile, newFile, renameFile, scenarioText } from "./dialogs.js";
import { differences } from "./difference.js";
import { Document } from "./document.js";
import { find, isolated, make, printable } from "./dom.js";
import { recall, remember } from "./drafts.js";
import { Editor } from "./editor.js";
import { Files } from "./files.js";
import { Form, problemLine } from "./form.js";
import { History } from "./history.js";
import { key, keepKey } from "./key.js";
import { Preview } from "./preview.js";
import { Problems, rangeOf } from "./problems.js";
import { Runs } from "./runs.js";
import { Sheet } from "./sheet.js";
import { Target } from "./target.js";
import { showPart, view, onSide } from "./view.js";

let studio;
let target;
let sheet = null;
/** The document that the text shows: the open file, or the one with its payload. */
let source = null;
const documents = new Map();
const hints = new Map();
const reasons = new Map();

const editor = new Editor();
const preview = new Preview();
const problems = new Problems();
const files = new Files({ choose: (path) => open(path), changed: () => refresh() });

// MARK: Files

const load = async (path) => {
  if (!documents.has(path)) documents.set(path, await Document.open(path, studio.path, heard));
  return documents.get(path);
};

const open = async (path, isShown = true) => {
  try {
    const main = await load(path);
    problems.clear();
    preview.steps = [];
    sheet = new Sheet(main, 0, null);
    source = main;
    files.open = path;
    remember("open " + studio.path, path);
    files.draw();
    if (isShown) view("edit");
    await follow();
    await target.show(sheet);
    redraw();
    look();
  } catch (error) {
    announce(error.message);
  }
};

/** Opens the file that the payload is in. */
const follow = async () => {
  const path = sheet.payloadPath;
  if (sheet.file?.path === path) return;
  sheet.file = null;
  if (path === undefined) return;
  const wanted = sheet;
  const document = await load(path).catch(() => null);
  if (wanted === sheet && sheet.payloadPath === path) sheet.file = document;
};

/** The files of the open sheet. */
const opened = () => [sheet?.main, sheet?.file].filter(Boolean);

/** Takes what changed on disk. */
const refresh = () => {
  if (!sheet) return;
  for (const document of documents.values()) {
    const file = files.list.find(({ path }) => path === document.path);
    if (opened().includes(document)) document.refresh(file?.version ?? null).catch(() => {});
    else if (file?.version !== document.version && document.state === "saved") documents.delete(document.path);
  }
};

const heard = (document, what) => {
  if (!opened().includes(document)) return;
  if (what === "text") {
    follow().then(redraw);
    if (sheet.steps && sheet.step >= sheet.steps.length) sheet.step = Math.max(0, sheet.steps.length - 1);
  }
  if (what === "saved") look();
  redraw();
};

// MARK: Looking

/** Checks the file and loads its preview, with the options that it would be sent with. */
const look = async () => {
  const wanted = sheet;
  if (!wanted) return;
  const { kind } = wanted.main;
  try {
    const checked = problems.check(kind === "list" ? ["check", "--json", wanted.main.path] : target.looking("check"), opened());
    const shown = kind === "scenario" || kind === "payload" ? preview.load(target.looking("preview")) : null;
    await Promise.all([checked, shown]);
  } catch (error) {
    announce(error.message);
  }
  if (wanted !== sheet) return;
  target.learn(problems.files);
  redraw();
};

const explain = async (reason) => {
  if (!reasons.has(reason)) reasons.set(reason, (await call(["explain", reason, "--json"])).values[0]?.[0]);
  return reasons.get(reason);
};

// MARK: Drawing

let isDue = false;
/** Draws once for everything that has changed since. */
const redraw = () => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    if (sheet) draw();
  });
};

const pushType = () => (sheet.isScenario ? sheet.node({ base: "notification", path: ["type"] })?.value : target.options.type)
  ?? preview.step(sheet.number)?.type ?? problems.files[0]?.type ?? /payloads\/(\w+)\//.exec(sheet.main.path)?.[1] ?? "alert";

const draw = () => {
  const { main } = sheet;
  if (!opened().includes(source)) source = main;
  const shown = problems.shown(opened());
  const isSent = main.kind === "scenario" || main.kind === "payload";
  drawTitle(main);
  drawConflict(opened().find(({ state }) => state === "conflict"));
  find("sender").hidden = find("command").hidden = !isSent;
  if (isSent) drawSender();
  form.draw({ sheet, type: pushType(), options: target.options, profiles: studio.profiles, problems: shown });
  drawSources();
  if (editor.document === source) editor.update();
  else editor.show(source);
  editor.mark(shown.filter(({ document }) => document === source).map((problem) => ({ ...rangeOf(problem), severity: problem.severity })));
  drawProblems(shown);
  if (isSent) preview.draw(sheet.number);
  else find("preview").replaceChildren(make("p", { class: "hint" }, "Nothing of this file is shown on a device."));
};

const states = { saved: "Saved", edited: "Edited", saving: "Saving…", failed: "Not saved yet", conflict: "Changed on disk" };

const drawTitle = ({ path }) => {
  if (find("name").textContent !== path) find("name").replaceChildren(isolated(path));
  document.title = path + " – fanfare studio";
  const worst = ["conflict", "failed", "saving", "edited"].find((state) => opened().some((document) => document.state === state));
  if (find("saved").textContent !== states[worst ?? "saved"]) find("saved").textContent = states[worst ?? "saved"];
};

const drawConflict = (document) => {
  const box = find("conflict");
  const stamp = document ? document.path + document.theirs?.version + document.text.length : "";
  if (box.dataset.stamp === stamp) return;
  box.dataset.stamp = stamp;
  box.hidden = !document;
  if (!document) return box.replaceChildren();
  const act = (label, action) => {
    const button = make("button", { type: "button" }, label);
    button.addEventListener("click", action);
    return button;
  };
  const { theirs } = document;
  const isGone = theirs.text === null;
  box.replaceChildren(make("div", { class: "row" }, make("strong", {}, isolated(document.path), isGone ? " was removed on disk." : " changed on disk."),
    act("Keep mine", () => document.keepMine()), act(isGone ? "Close it" : "Take theirs", () => isGone ? close(document) : document.takeTheirs())),
  !isGone && make("pre", { class: "lines" }, differences(document.text, theirs.text).slice(0, 40).map(({ sign, line }) =>
    make("span", { class: sign === "+" ? "theirs" : "mine" }, (sign === "+" ? "theirs  " : "mine    ") + printable(line) + "\n"))) || "");
};

const close = (document) => {
  document.close();
  documents.delete(document.path);
  if (sheet?.main !== document) return open(sheet.main.path);
  sheet = null;
  find("conflict").hidden = true;
  const next = files.list.find(({ kind }) => kind === "scenario") ?? files.list[0];
  if (next) open(next.path, false);
};

const drawSender = () => {
  const { step } = preview.step(sheet.number) ?? {};
  find("to-text").textContent = target.text;
  const line = commandLine(target.words);
  if (find("command").dataset.line !== line) find("command").replaceChildren(copyable("fanfare", line, announce));
  find("command").dataset.line = line;
  find("send").disabled = !sheet.isScenario && !target.isChosen;
  return step;
};

const drawSources = () => {
  const all = opened();
  const stamp = all.map(({ path }) => path).join("\n") + "\n" + source.path;
  if (find("sources").dataset.stamp === stamp) return;
  find("sources").dataset.stamp = stamp;
  find("sources").hidden = all.length < 2;
  find("sources").replaceChildren(...all.map((document) => {
    const button = make("button", { type: "button", "aria-pressed": document === source }, document.path.split("/").pop());
    button.addEventListener("click", () => {
      source = document;
      redraw();
    });
    return button;
  }));
};

/** Problems beneath the text, and the size of the payload against its limit. */
const drawProblems = (shown) => {
  const step = preview.step(sheet.number);
  const limit = Number(/at most (\d+)/.exec(hints.get("type " + pushType())?.payload)?.[1]);
  const bytes = step?.bytes ?? problems.files[0]?.bytes;
  const stamp = JSON.stringify([shown.map(({ message, fix, document, offset }) => [message, fix, document?.path, offset]), bytes, limit]);
  if (find("problems").dataset.stamp === stamp) return;
  find("problems").dataset.stamp = stamp;
  find("problems").replaceChildren(...[shown.map(problemRow), limit && bytes != null && make("label", { class: "size" },
    make("meter", { min: 0, max: limit, high: 0.9 * limit, value: bytes }), " ",
    bytes.toLocaleString("en-US") + " of " + limit.toLocaleString("en-US") + " bytes")].flat().filter(Boolean));
};

const problemRow = (problem) => {
  const { document, offset } = problem;
  const line = problemLine(problem, setHeader);
  if (!document) return line;
  const number = document.text.slice(0, offset).split("\n").length;
  const go = make("button", { type: "button", class: "small" }, (document === sheet.main ? "line " : document.path.split("/").pop() + " line ") + number);
  go.addEventListener("click", () => {
    source = document;
    draw();
    showPart("text");
    const { start, end } = rangeOf(problem);
    editor.reveal(start, end);
  });
  line.prepend(go, " ");
  return line;
};

// MARK: Sending

const setHeader = (header, value) => target.setHeader(header, value);

const form = new Form({
  hints, setHeader, setOption: (name, value) => target.set(name, value),
  focused: (document) => { if (document && document !== source) { source = document; redraw(); } },
  chooseStep: (index) => { sheet.step = index; follow().then(redraw); redraw(); },
});

const runs = new Runs({
  ask, explain, announce, say: (text) => { find("said").textContent = text; },
  shows: () => { showSide("answer"); view("side"); },
  ended: () => history.list(),
  again: (words) => confirmed(words),
  edit: () => { view("edit"); showPart("form"); find("form").querySelector("#field-title, #field-body, input")?.focus(); },
  showPush: (id) => { showSide("history"); history.push(id); },
});

const history = new History({
  explain, announce, start: (words) => runs.start(words),
  edit: (push, run) => editAgain(push, run),
});

/** What is typed is saved before it is sent. */
const send = async () => {
  if (!sheet || find("send").disabled || find("sender").hidden || find("dialog").open) return;
  find("recipients").hidePopover();
  await Promise.all(opened().map((document) => document.save()));
  if (opened().some(({ state, text, saved }) => state !== "saved" && text !== saved)) return announce("Not sent: the file could not be saved.");
  await confirmed(target.words);
};

/** Asks before production and before lists, with the count. */
const confirmed = async (words) => {
  const isProduction = words.includes("--env=production") || (!words.some((word) => word.startsWith("--env=")) && target.environment === "production");
  const { count } = target;
  const place = target.environment || "the profile\u2019s environment";
  const isAsked = isProduction || target.hasList;
  const many = count === null ? "the whole list" : count === 1 ? "1 device" : count.toLocaleString("en-US") + " devices";
  if (isAsked && !await ask("Send to " + many + "?", "The notification goes to " + many + " in " + place + ".", "Send")) return;
  await runs.start(words, { expected: count, isConfirmed: isAsked });
};

/** A scenario made of a push that was sent. */
const editAgain = async ({ request: { headers, payload }, token }, run) => {
  const name = (run?.scenario ?? "Push") + " again";
  const options = { type: headers["apns-push-type"], priority: Number(headers["apns-priority"] ?? 10), collapseID: headers["apns-collapse-id"],
    topic: headers["apns-topic"], payload };
  const notification = JSON.parse(JSON.stringify(options));
  const app = files.list.find((file) => file.app && headers["apns-topic"]?.startsWith(file.app))?.app ?? headers["apns-topic"];
  const path = files.free("scenarios/" + name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-") + ".json5");
  await createFile(path, scenarioText(name, app, notification, run?.environment ?? "emulator", token ?? undefined));
  await files.load();
  await open(path);
};

const showSide = onSide((side) => { if (side === "history") history.list().catch((error) => announce(error.message)); });

// MARK: Actions

const act = (id, action) => find(id).addEventListener("click", async () => {
  if (find("actions").matches(":popover-open")) find("actions").hidePopover();
  try {
    await action();
  } catch (error) {
    announce(error.message);
  }
});

const added = async (path) => {
  if (!path) return;
  await files.load();
  await open(path);
};

act("new", async () => added(await newFile(files)));
act("import", async () => added(await importFile(files)));
act("send", send);
act("rename", async () => {
  const { main } = sheet;
  await main.save();
  const moved = await renameFile(main);
  if (!moved) return;
  main.close();
  documents.delete(main.path);
  await added(moved.path);
});
act("duplicate", async () => added(await createFile(files.free(sheet.main.path), sheet.main.text)));
act("download", () => {
  const url = URL.createObjectURL(new Blob([sheet.main.text]));
  make("a", { href: url, download: sheet.main.path.split("/").pop() }).click();
  URL.revokeObjectURL(url);
});
act("delete", async () => {
  const { main } = sheet;
  await main.save();
  const { bin } = await request(filePath(main.path), "DELETE", { version: main.version });
  await files.load();
  close(main);
  announce(main.path + " was deleted.", "Undo", async () => added((await request("/bin/" + bin, "POST", {})).path));
});

addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
  event.preventDefault();
  send();
});
// What is on its way to the disk is kept as a draft; the browser need not ask.
find("door").addEventListener("submit", (event) => {
  event.preventDefault();
  if (keepKey(find("key").value)) location.reload();
});

// MARK: Beginning

const connections = { live: "Live", lost: "The studio has stopped", refused: "Wrong key" };
onState((state) => {
  if (find("state").dataset.state === state) return;
  find("state").textContent = connections[state];
  find("state").dataset.state = state;
  find("door").hidden = state !== "refused";
});

const begin = async () => {
  studio = await request("");
  find("where").textContent = studio.path;
  target = new Target({ profiles: studio.profiles, folder: studio.path, lists: () => files.list.filter(({ kind }) => kind === "list"),
    changed: () => { if (!sheet) return; redraw(); look(); } });
  await files.load();
  const last = recall("open " + studio.path);
  const first = files.list.find(({ path }) => path === last) ?? files.list.find(({ kind }) => kind === "scenario") ?? files.list[0];
  if (first) await open(first.path, false);
  const { values: [all = []] } = await call(["explain", "--json"]);
  for (const hint of all) hints.set(hint.kind === "push type" ? "type " + hint.name : hint.name, hint);
  redraw();
};

if (key() === null) onStateMissing();
else begin().catch((error) => announce(error.message));

function onStateMissing() {
  find("state").textContent = "No key";
  find("state").dataset.state = "refused";
  find("door").hidden = false;
}
