// The dialogs: a new file, an import, another name, a question; and what is said at the edge.

import { call, filePath, request } from "./api.js";
import { button, fill, small } from "./controls.js";
import { find, isolated, make, momentOf, printable } from "./dom.js";
import { written } from "./edit.js";

const field = (label, control) =>
  make("p", { class: "field" }, make("label", { for: control.id }, label), control);

const input = (id, attributes) =>
  make("input", { id, autocomplete: "off", spellcheck: "false", ...attributes });

let last = Promise.resolve();

/** Shows a dialog after those before it; resolves to what `done` gives, or null. Errors stay in the dialog. */
const show = (...parts) => (last = last.then(() => opened(...parts)));

const opened = (title, label, children, done = () => true, isGrave = false) => new Promise((resolve) => {
  const dialog = find("dialog");
  const error = make("p", { class: "wrong", role: "alert" });
  const go = make("button", { type: "submit", class: isGrave ? "main serious" : "main" }, label);
  const close = (value) => {
    // After Escape it may be the next one that is open.
    if (form.isConnected) dialog.close();
    resolve(value);
  };
  const cancel = button("Cancel", () => close(null));
  const form = make("form", {}, make("h2", { id: "dialog-title" }, title), children, error,
    make("div", { class: "row end" }, cancel, go));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      close(await done());
    } catch (problem) {
      error.textContent = problem.message;
    }
  });
  // Escape; but the end of the one before may be told late.
  dialog.onclose = () => { if (!dialog.open) resolve(null); };
  fill(dialog, form);
  dialog.showModal();
  (form.querySelector("[autofocus]") ?? (isGrave ? cancel : go)).focus();
});

/** Asks; Enter alone does not answer a grave question. */
export const ask = (title, text, label, isGrave = false) =>
  show(title, label, make("div", {}, text), () => true, isGrave);

/** Writes a file that must not be there yet. */
export const createFile = async (path, text) => {
  await request(filePath(path), "PUT", { text, version: null });
  return path;
};

/** A name as a file is called. */
export const slug = (name) =>
  name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "new";

/** Asks for a new scenario or payload, made from an example; resolves to its path. */
export const newFile = async (files) => {
  const { values: [examples = []] } = await call(["example", "--json"]);
  const groups = Map.groupBy(examples, ({ pushType }) => pushType);
  const option = ({ name, summary }) =>
    make("option", { value: name }, name.replace(/^.*\//, "") + ": " + summary);
  const example = make("select", { id: "new-example" }, [...groups].map(([type, list]) =>
    make("optgroup", { label: type }, list.map(option))));
  const kind = make("select", { id: "new-kind" }, make("option", { value: "scenario" }, "Scenario"),
    make("option", { value: "payload" }, "Payload"));
  const name = input("new-name", { autofocus: true, placeholder: "Order on its way" });
  const known = files.list.find(({ app }) => app)?.app;
  const app = input("new-app", { value: known ?? "com.example.shop" });
  const rows = [field("Name", name), field("Example", example), field("Kind", kind), field("App", app)];
  return show("New", "Create", rows, async () => {
    const { values: [{ payload, pushType: type }] } = await call(["example", example.value, "--json"]);
    const title = name.value.trim() || "New";
    const [path, text] = kind.value === "payload"
      ? ["payloads/" + type + "/" + slug(title) + ".json", written(payload, { width: 0 }) + "\n"]
      : ["scenarios/" + slug(title) + ".json5",
        scenarioText(title, app.value.trim(), { type, payload })];
    return createFile(files.free(path), text);
  });
};

const exampleToken = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9";

/** A scenario for the emulator, or for where a push went before. */
export const scenarioText = (name, bundleID, notification, environment = "emulator",
  recipient = exampleToken) => written(
  { name, bundleID, environment, recipients: [recipient], notification }, { isJSON5: true, width: 0 }) + "\n";

const folders = { json5: "scenarios/", json: "payloads/", apns: "payloads/" };

/** Asks for files or a `curl` line; resolves to the path of the last one. */
export const importFile = (files) => {
  const chosen = make("input", { id: "import-file", type: "file", multiple: true,
    accept: ".json5,.json,.apns,.txt,.csv,.tsv,.jsonl" });
  const line = make("textarea", { id: "import-curl", rows: 5, class: "json", spellcheck: "false",
    placeholder: "curl --header 'apns-topic: …'" });
  const note = "The authorization header and other secrets of a curl line are left out.";
  const rows = [field("Files", chosen), field("Or curl", line), make("p", { class: "soft" }, note)];
  return show("Import", "Import", rows, async () => {
    let path = null;
    for (const file of chosen.files) {
      const folder = folders[file.name.split(".").pop().toLowerCase()] ?? "lists/";
      path = await createFile(files.free(folder + file.name), await file.text());
    }
    if (line.value.trim()) path = await importCurl(line.value, files.free("scenarios/curl.json5"));
    if (path === null) throw new Error("Choose a file, or paste a curl line.");
    return path;
  });
};

const importCurl = async (line, path) => {
  const { exitCode, errors } = await call(["init", "--from-curl", "--output=" + path, "-"], line);
  if (exitCode !== 0) throw new Error(errors);
  return path;
};

/** Asks for a file's new path, and moves it. The ending may be left out. */
export const renameFile = ({ path, version }) => {
  const name = input("rename-path", { value: path, autofocus: true });
  const ending = /\.\w+$/.exec(path)?.[0] ?? "";
  return show("Rename", "Rename", field("Path", name), () => {
    const to = name.value.trim();
    return request("/moves", "POST", { from: path, to: /\.\w+$/.test(to) ? to : to + ending, version });
  });
};

/** Asks which deleted file to restore; resolves to its ID in the bin. */
export const chooseDeleted = (deleted) => {
  if (deleted.length === 0) return show("Deleted files", "Close", make("p", {}, "No file was deleted here."), () => null);
  const choice = make("select", { id: "deleted", size: Math.min(12, Math.max(2, deleted.length)), autofocus: true },
    deleted.map(({ id, path, removedAt }) => make("option", { value: id }, printable(path) + ", " + momentOf(removedAt))));
  choice.selectedIndex = 0;
  return show("Deleted files", "Restore", field("File", choice), () => choice.value);
};

let timer;

/** Says something at the edge of the page; with an action, such as Undo, for a while longer. */
export const announce = (text, label, action) => {
  clearTimeout(timer);
  const hide = () => fill(find("news"));
  const act = label && small(label, () => { hide(); action(); });
  fill(find("news"), text && make("p", {}, isolated(text)), act);
  timer = setTimeout(hide, label ? 20000 : 5000);
};
