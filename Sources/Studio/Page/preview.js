// What a device would show, drawn as the inbox draws it.

import { call } from "./api.js";
import { find, make } from "./dom.js";
import { recall, remember } from "./drafts.js";
import { Phone } from "./phone.js";
import { screenOf } from "./screen.js";

const kinds = { alert: "notification", liveActivity: "liveActivity", call: "call", nothing: "background" };

export class Preview {
  steps = [];
  #count = 0;
  #phone = new Phone({ choose: () => {}, redraw: () => this.draw() });
  #isDark = recall("dark preview") ?? matchMedia("(prefers-color-scheme: dark)").matches;

  /** Asks anew; what was shown stays, greyed, if the file cannot be shown. */
  async load(words) {
    const count = this.#count += 1;
    const { values: [shown], errors } = await call(words);
    if (count !== this.#count) return false;
    this.error = shown ? null : errors.trim().split("\n")[0];
    if (shown) this.steps = shown.steps ?? [{ step: 1, ...shown }];
    return true;
  }

  /** What is shown of a step, by its number among the notifications. */
  step(number) { return this.steps.find(({ step }) => step === number) ?? this.steps[0]; }

  draw(number = this.number) {
    this.number = number;
    const step = this.step(number);
    const box = find("preview");
    if (!step) return box.replaceChildren(make("p", { class: "hint" }, this.error ?? "There is nothing to preview yet."));
    const pushes = this.steps.filter((one) => one.step <= step.step && one.app === step.app).map(pushOf);
    const [phone, hidden] = this.#phone.draw(screenOf({ pushes }), pushes.at(-1), step.step);
    phone.classList.toggle("night", this.#isDark);
    box.classList.toggle("old", Boolean(this.error));
    box.replaceChildren(...[this.#switch(), phone, hidden, step.note && make("p", { class: "note" }, step.note),
      step.row && make("p", { class: "note" }, "Filled from ", make("bdi", {}, step.row), "."),
      this.error && make("p", { class: "note" }, "As it was before the mistake.")].filter(Boolean));
  }

  #switch() {
    const buttons = [["Light", false], ["Dark", true]].map(([name, isDark]) => {
      const button = make("button", { type: "button", "aria-pressed": isDark === this.#isDark }, name);
      button.addEventListener("click", () => {
        this.#isDark = isDark;
        remember("dark preview", isDark);
        this.draw();
        find("preview").querySelector("[aria-pressed=true]")?.focus();
      });
      return button;
    });
    return make("div", { class: "switch small-switch", role: "group", "aria-label": "Appearance" }, buttons);
  }
}

/** A step as the inbox would have received it. */
const pushOf = (step) => {
  const { banner, liveActivity: activity } = step;
  const kind = kinds[step.shows] ?? "none";
  return {
    id: step.step, time: Date.now(), status: 200, processed: true, bundleID: step.app ?? "App", pushType: step.type,
    payload: { aps: { "attributes-type": activity?.attributesType, attributes: activity?.attributes } },
    card: {
      kind, app: step.app ?? "App", title: banner?.title, subtitle: banner?.subtitle, body: banner?.body?.join("\n"),
      badge: step.badge, sound: step.sound, threadID: step.threadID, category: step.category, collapseID: step.collapseID,
      interruptionLevel: step.interruptionLevel, event: activity?.event, state: activity?.contentState,
      staleDate: activity?.staleDate, why: kind === "background" || kind === "none" ? step.note : undefined,
    },
  };
};
