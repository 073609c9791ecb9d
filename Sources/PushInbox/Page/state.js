// Tells how the page stands with the emulator: connected, lost, or without a key.

import { find, timeOfDay } from "./dom.js";
import { keepKey } from "./key.js";

const texts = {
  connecting: "Connecting…", live: "Live", lost: "Connection lost", refused: "Wrong key",
  locked: "No key",
};

const doors = {
  locked: ["This page needs a key", "It is part of the URL that 'fanfare emulator' printed beside"
    + " 'inbox'. Open that URL, or paste it here."],
  refused: ["The key is not valid any more", "The emulator was started again, with another key."
    + " Open the URL that it printed beside 'inbox', or paste it here."],
};

export class State {
  name = "connecting";
  #since = 0;

  constructor() {
    find("door").addEventListener("submit", (event) => {
      event.preventDefault();
      if (keepKey(find("key").value)) location.reload();
      else find("no-key").textContent = "No key found. In the URL it comes after '#key='.";
    });
  }

  get isLive() { return this.name === "live"; }

  /** The emulator has told what it has, now or before. */
  get isKnown() { return this.#since > 0; }

  set(name) {
    if (this.isLive || name === "live") this.#since = Date.now();
    this.name = name;
  }

  /** `paused` is undefined, or the number of pushes that are held back. */
  show(paused) {
    const isPaused = paused !== undefined && this.isLive;
    const waiting = paused > 0 ? ", " + paused.toLocaleString("en-US") + " new" : "";
    const text = isPaused ? "Paused" + waiting : texts[this.name];
    // Said again only when it changes: it is a live region.
    if (find("state").textContent !== text) find("state").textContent = text;
    find("state").dataset.state = isPaused ? "paused" : this.name;
    find("clear").disabled = !this.isLive;
    if (!this.isLive) find("clearing").close();
    this.#showLoss();
    this.#showDoor();
  }

  #showLoss() {
    const isStale = this.isKnown && !this.isLive;
    find("lost").hidden = !isStale;
    find("lost").textContent = "The connection was lost at " + timeOfDay(this.#since)
      + ": what you see is from before. The page keeps trying.";
    document.body.toggleAttribute("data-stale", isStale);
  }

  #showDoor() {
    const [title, text] = doors[this.name] ?? [];
    find("door").hidden = title === undefined;
    if (title !== undefined && find("door-title").textContent !== title) {
      find("door-title").textContent = title;
      find("door-text").textContent = text;
    }
  }
}
