// The dialogs: a new file, an import, another name, a question.

import { call, filePath, request } from "./api.js";
import { find, isolated, make } from "./dom.js";
import { written } from "./edit.js";

const field = (label, control) => make("p", { class: "field" }, make("label", { for: control.id }, label), control);

/** Shows a dialog; resolves to what `done` gives, or null. Errors stay in the dialog. */
const show = (title, label, children, done = () => true) => new Promise((resolve) => {
  const dialog = find("dialog");
  const error = make("p", { class: "wrong", role: "alert" });
  const cancel = make("button", { type: "button" }, "Cancel");
  const go = make("button", { type: "submit", class: "main" }, label);
  const form = make("form", { novalidate: true }, make("h2", { id: "dialog-title" }, title), children, error, make("div", { class: "row end" }, cancel, go));
  const close = (value) => {
    dialog.close();
    resolve(value);
  };
  cancel.addEventListener("click", () => close(null));
  dialog.oncancel = () => resolve(null);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      close(await done());
    } catch (problem) {
      error.textContent = problem.message;
    }
  });
  dialog.replaceChildren(form);
  dialog.showModal();
  (form.querySelector("[autofocus]") ?? go).focus();
});

export const ask = (title, text, label) => show(title, label, make("p", {}, text));

/** Writes a file that must not be there yet. */
export const createFile = async (path, text) => {
  await request(filePath(path), "PUT", { text, version: null });
  return path;
};

const slug = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "new";

/** Asks for a new scenario or payload, made from an example; resolves to its path. */
export const newFile = async (files) => {
  const { values: [examples = []] } = await call(["example", "--json"]);
  const groups = Map.groupBy(examples, ({ pushType }) => pushType);
  const example = make("select", { id: "new-example" }, [...groups].map(([type, list]) => make("optgroup", { label: type },
    list.map(({ name, summary }) => make("option", { value: name }, name.replace(/^.*\//, "") + " – " + summary)))));
  const kind = make("select", { id: "new-kind" }, make("option", { value: "scenario" }, "Scenario"), make("option", { value: "payload" }, "Payload alone"));
  const name = make("input", { id: "new-name", autocomplete: "off", autofocus: true, placeholder: "Order on its way" });
  const app = make("input", { id: "new-app", autocomplete: "off", spellcheck: "false", value: files.list.find(({ app }) => app)?.app ?? "com.example.shop" });
  return show("New", "Create", [field("Name", name), field("From", example), field("As", kind), field("App", app)], async () => {
    const { values: [{ payload, pushType }] } = await call(["example", example.value, "--json"]);
    const title = name.value.trim() || "New";
    if (kind.value === "payload") {
      return createFile(files.free("payloads/" + pushType + "/" + slug(title) + ".json"), written(payload, { isJSON5: false }) + "\n");
    }
    return createFile(files.free("scenarios/" + slug(title) + ".json5"), scenarioText(title, app.value.trim(), { type: pushType, payload }));
  });
};

const exampleToken = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9";

/** A scenario for the emulator, or for where a push went before. */
export const scenarioText = (name, bundleID, notification, environment = "emulator", recipient = exampleToken) =>
  written({ name, bundleID, environment, recipients: [recipient], notification }, { isJSON5: true }) + "\n";

const folderOf = { json5: "scenarios/", json: "payloads/", apns: "payloads/" };

/** Asks for files or a `curl` line; resolves to the path of the last one. */
export const importFile = (files) => {
  const chosen = make("input", { id: "import-file", type: "file", multiple: true, accept: ".json5,.json,.apns,.txt,.csv,.tsv,.jsonl" });
  const line = make("textarea", { id: "import-curl", rows: 5, class: "json", spellcheck: "false", placeholder: "curl -v --header 'apns-topic: …'" });
  return show("Import", "Import", [field("Files", chosen), field("Or a curl line", line),
    make("p", { class: "soft" }, "Of a curl line the authorization header and other secrets are left out.")], async () => {
    let path = null;
    for (const file of chosen.files) {
      const ending = file.name.split(".").pop().toLowerCase();
      path = await createFile(files.free((folderOf[ending] ?? "lists/") + file.name), await file.text());
    }
    if (line.value.trim()) path = await importCurl(line.value, files.free("scenarios/curl.json5"));
    if (path === null) throw new Error("Choose a file, or paste a curl line.");
    return path;
  });
};

const importCurl = async (line, path) => {
  const { exitCode, errors } = await call(["init", "--from-curl", "--output=" + path], line);
  if (exitCode !== 0) throw new Error(errors.replace(/^fanfare: error: /, "").trim());
  return path;
};

/** Asks for a file's new path, and moves it. */
export const renameFile = ({ path, version }) => {
  const name = make("input", { id: "rename-path", autocomplete: "off", spellcheck: "false", value: path, autofocus: true });
  return show("Rename", "Rename", field("Path", name), async () =>
    request("/moves", "POST", { from: path, to: name.value.trim(), version }));
};

/** Says something at the edge of the page; with an action, such as Undo, for a while longer. */
export const announce = (text, label, action) => {
  clearTimeout(announce.timer);
  const button = label && make("button", { type: "button", class: "small" }, label);
  const hide = () => find("news").replaceChildren();
  if (button) button.addEventListener("click", () => { hide(); action(); });
  find("news").replaceChildren(...(text ? [make("p", {}, isolated(text)), button].filter(Boolean) : []));
  announce.timer = setTimeout(hide, label ? 20000 : 5000);
};
