// What a device would show, drawn as the inbox draws it.

import { call } from "./api.js";
import { button, fill } from "./controls.js";
import { find, make } from "./dom.js";
import { recall, remember } from "./drafts.js";
import { Latest } from "./latest.js";
import { Phone } from "./phone.js";
import { screenOf } from "./screen.js";

const kinds = { alert: "notification", liveActivity: "liveActivity", call: "call", nothing: "background" };

export class Preview {
  steps = [];
  #loaded = new Latest();
  #phone = new Phone({ choose: () => {}, redraw: () => this.draw(this.number) });
  get #isDark() { return recall("dark preview") ?? matchMedia("(prefers-color-scheme: dark)").matches; }

  /** Asks anew; what was shown stays, grayed, if the file cannot be shown. */
  async load(words) {
    const found = await this.#loaded.of(call(words));
    if (!found) return;
    const { values: [shown], errors } = found;
    this.error = shown ? null : errors.split("\n")[0];
    if (shown) this.steps = shown.steps ?? [{ step: 1, ...shown }];
  }

  /** Nothing is shown, nor what is on its way. */
  clear() {
    this.#loaded.drop();
    Object.assign(this, { steps: [], error: null });
  }

  /** What is shown of a step, by its number among the notifications. */
  step(number) { return this.steps.find(({ step }) => step === number) ?? this.steps[0]; }

  /** Draws the screen after a step and those before it. */
  draw(number) {
    this.number = number;
    const step = this.step(number);
    const box = find("preview");
    const hint = this.error ?? "There is nothing to show yet.";
    if (!step) return fill(box, make("p", { class: "hint" }, hint));
    const pushes = this.steps.filter((one) => one.step <= step.step && one.app === step.app).map(pushOf);
    const [phone, hidden] = this.#phone.draw(screenOf({ pushes }), pushes.at(-1), step.step);
    phone.classList.toggle("night", this.#isDark);
    box.classList.toggle("old", Boolean(this.error));
    const notes = [step.note, step.row && "Placeholders are filled from " + step.row + ".",
      this.error && "This is the preview from before the mistake."].filter(Boolean);
    const focused = document.activeElement?.dataset.look;
    fill(box, this.#switch(), phone, hidden, notes.map((note) => make("p", { class: "note" }, note)));
    if (focused) box.querySelector("[data-look=" + focused + "]").focus();
  }

  #switch() {
    const choose = (isDark) => {
      remember("dark preview", isDark);
      this.draw(this.number);
    };
    return make("div", { class: "switch small-switch", role: "group", "aria-label": "Appearance" },
      [["Light", false], ["Dark", true]].map(([name, isDark]) => button(name, () => choose(isDark),
        { "aria-pressed": String(isDark === this.#isDark), "data-look": name })));
  }
}

/** A step as the inbox would have received it. */
const pushOf = (step) => {
  const { banner, liveActivity: activity } = step;
  const kind = kinds[step.shows] ?? "none";
  const isHidden = kind === "background" || kind === "none";
  return {
    id: step.step, time: Date.now(), status: 200, bundleID: step.app ?? "App", pushType: step.type,
    payload: { aps: { "attributes-type": activity?.attributesType, attributes: activity?.attributes } },
    card: {
      ...step, ...banner, kind, app: step.app ?? "App", body: banner?.body?.join("\n"),
      event: activity?.event, state: activity?.contentState, staleDate: activity?.staleDate,
      why: isHidden ? step.note : undefined,
    },
  };
};
