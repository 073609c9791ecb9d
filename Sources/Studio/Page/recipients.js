// The sheet in which one chooses to whom: tokens, names, lists, a channel.

import { call } from "./api.js";
import { fill, redrawn, small } from "./controls.js";
import { find, isolated, make, printable } from "./dom.js";

export class Recipients {
  #rows = make("div", { class: "rows" });
  #choices = null;
  #wrong = make("p", { class: "wrong", id: "choose-wrong", role: "status" });

  /** `lists()` gives the project's lists. */
  constructor(target, lists) {
    Object.assign(this, { target, lists });
    find("recipients").addEventListener("toggle", ({ newState }) => {
      if (newState === "open") this.#draw();
    });
  }

  #draw() {
    const { target } = this;
    this.#choices = make("div");
    fill(find("recipients"),
      target.sheet.isScenario && make("p", { class: "soft" },
        "What you choose here takes the place of the scenario\u2019s recipients."),
      this.#text("to", "Device tokens", make("textarea", { rows: 2, class: "json",
        placeholder: "one per line", "aria-describedby": "choose-wrong" })),
      this.#wrong, this.#namer(),
      this.#choices, this.#rows,
      this.#text("channel", "Broadcast channel", make("input", { autocomplete: "off" })));
    this.drawChoices();
  }

  /** Draws what can be chosen by name, which may be learned only while the sheet is open. */
  drawChoices() {
    if (!this.#choices) return;
    const { target } = this;
    const known = target.devices.map(({ name, devices, environment }) => ({ value: name,
      note: devices ? devices.join(", ") : environment }));
    const gone = target.names.filter((name) => !known.some(({ value }) => value === name));
    const devices = [...known, ...gone.map((value) => ({ value, note: "unknown" }))];
    const lists = this.lists().map(({ path }) => path);
    const sample = target.plan?.runs[0]?.sample;
    fill(this.#rows, sample && make("p", {}, make("span", { class: "soft" }, sample.token),
      " ", isolated(printable(textOf(sample.payload)))));
    fill(this.#wrong, target.isChosen && target.problem);
    find("choose-to").setAttribute("aria-invalid", Boolean(target.isChosen && target.problem));
    redrawn(this.#choices, [devices, lists], () => [
      devices.length > 0 && this.#checks("names", "Devices and groups", devices),
      lists.length > 0 && this.#checks("tokens", "Lists", lists.map((value) => ({ value })))]);
  }

  #text(name, label, control) {
    control.id = "choose-" + name;
    control.spellcheck = false;
    control.value = this.target.options[name] ?? "";
    control.addEventListener("input", () => this.target.set(name, control.value.trim()));
    return [make("label", { for: control.id }, label), control];
  }

  #checks(name, title, rows) {
    const checks = rows.map(({ value, note }) => {
      const isChosen = this.target.options[name]?.includes(value);
      const box = make("input", { type: "checkbox", checked: isChosen });
      box.addEventListener("change", () => {
        const others = (this.target.options[name] ?? []).filter((one) => one !== value);
        this.target.set(name, box.checked ? [...others, value] : others);
      });
      return make("label", { class: "check" }, box, isolated(value),
        note != null && make("span", { class: "soft" }, note));
    });
    return make("fieldset", {}, make("legend", {}, title), checks);
  }

  /** Gives the token a name, as `fanfare device add` does. */
  #namer() {
    const { target } = this;
    const name = make("input", { placeholder: "my-phone", "aria-label": "Name for the token",
      autocomplete: "off", spellcheck: "false" });
    const said = make("p", { class: "wrong", role: "status" });
    const add = async () => {
      const words = ["device", "add", "--json", name.value.trim(), ...target.to.slice(0, 1)];
      const { exitCode, errors } = await call(words);
      if (exitCode !== 0) return fill(said, errors.split("\n")[0]);
      target.set("to", "");
      target.set("names", [...target.names, name.value.trim()]);
      await target.learnDevices();
      this.#draw();
    };
    return make("div", { class: "row" }, name, small("Save under this name", add), said);
  }
}

/** What a payload says, in one line. */
const textOf = (payload) => {
  const { alert, "content-state": state } = payload.aps ?? {};
  const texts = typeof alert === "string" ? [alert] : [alert?.title, alert?.subtitle, alert?.body];
  return texts.filter(Boolean).join(": ") || JSON.stringify(state ?? payload).slice(0, 80);
};
