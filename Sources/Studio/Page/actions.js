// What the buttons for files do.

import { filePath, request } from "./api.js";
import { announce, chooseDeleted, createFile, importFile, newFile, renameFile } from "./dialogs.js";
import { find, make } from "./dom.js";
import { setValue } from "./edit.js";
import { nodeAt } from "./json5.js";

/**
 * `main()` is the open document, `added(path)` opens a new file, `close(document)` gives one up, and
 * `moved(from, to)` is told.
 */
export const connectActions = ({ files, added, send, main, close, moved: keepOptions }) => {
  const busy = new Set();
  const act = (id, action) => find(id).addEventListener("click", async () => {
    if (find("actions").matches(":popover-open")) find("actions").hidePopover();
    if (busy.has(id)) return;
    busy.add(id);
    await action(main()).catch((error) => announce(error.message));
    busy.delete(id);
  });
  find("send").addEventListener("click", send);
  act("new", async () => added(await newFile(files)));
  act("import", async () => added(await importFile(files)));
  act("duplicate", async (document) => {
    const path = files.free(document.path);
    await added(await createFile(path, renamed(document, path)));
  });
  act("download", async ({ path, written }) => download(path.split("/").pop(), written));
  act("rename", async (document) => {
    await document.save();
    const moved = await renameFile(document);
    if (!moved) return;
    document.close();
    keepOptions(document.path, moved.path);
    await added(moved.path);
  });
  act("delete", async (document) => {
    await document.save();
    const { path, version } = document;
    const { bin } = await request(filePath(path), "DELETE", { version });
    document.close();
    await files.load();
    close(document);
    announce(path + " was deleted.", "Undo", () => restore(bin).catch((error) => announce(error.message)));
  });
  const restore = async (id) => added((await request("/bin/" + id, "POST", {})).path);
  act("bin", async () => {
    const id = await chooseDeleted((await request("/bin")).files);
    if (id) await restore(id);
  });
};

/** A scenario that has a name gets the number of its new file. */
const renamed = (document, path) => {
  const name = document.kind === "scenario" && nodeAt(document.tree, ["name"])?.value;
  if (typeof name !== "string") return document.written;
  const number = / \d+(?=\.\w+$)/.exec(path)?.[0] ?? "";
  return document.ends.written(setValue(document.text, ["name"], name.replace(/ \d+$/, "") + number, document.style));
};

const download = (name, text) => {
  const url = URL.createObjectURL(new Blob([text]));
  make("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
};
