// The connection to the emulator: what is already there, then what arrives, again and again.

const firstDelay = 500;
const longestDelay = 5000;
const portion = 1000;

export class Feed {
  #source = null;
  #delay = firstDelay;
  #started = undefined;
  #clears = 0;
  /** What arrives while earlier pushes are still being fetched; null when nothing is fetched. */
  #early = null;

  /**
   * `handlers`: `state(name)`, `begin(hello)` for an emulator that was not known, `add(pushes)`,
   * `clear()`, and `last()` for the ID of the newest push that is here.
   */
  constructor(handlers) { this.handlers = handlers; }

  connect() {
    // With what is here already, the emulator tells whether that was cleared meanwhile.
    const last = this.handlers.last();
    const query = last > 0 ? "?after=" + last : "";
    const source = this.#source = new EventSource("api/v1/events" + query);
    const on = (name, body) => source.addEventListener(name, (event) => {
      if (source === this.#source) body(event);
    });
    on("hello", (event) => this.#greet(JSON.parse(event.data)));
    on("push", (event) => this.#receive(JSON.parse(event.data)));
    on("clear", () => this.#clear());
    on("missed", () => this.#catchUp());
    on("error", () => this.#lose());
  }

  #greet(hello) {
    this.#delay = firstDelay;
    if (hello.started !== this.#started) this.handlers.begin(hello);
    this.#started = hello.started;
    this.#catchUp();
  }

  #receive(push) {
    if (this.#early) this.#early.push(push);
    else this.handlers.add([push]);
  }

  #clear() {
    if (this.#early) this.#early = [];
    this.#clears += 1;
    this.handlers.clear();
  }

  /** Fetches in portions, so that the page stays responsive. One catching up is enough. */
  async #catchUp() {
    const source = this.#source;
    if (this.#early) return;
    this.#early = [];
    try {
      while (await this.#fetchPortion(source)) {}
      if (source !== this.#source) return;
      this.handlers.add(this.#early);
      this.#early = null;
      this.handlers.state("live");
    } catch (error) {
      if (source === this.#source) this.#lose(error);
    }
  }

  /** Returns whether there is more. What was cleared meanwhile does not come back. */
  async #fetchPortion(source) {
    const clears = this.#clears;
    const path = "pushes?after=" + this.handlers.last() + "&limit=" + portion;
    const { pushes } = await request(path);
    if (source !== this.#source) return false;
    if (clears !== this.#clears) return true;
    this.handlers.add(pushes);
    return pushes.length === portion;
  }

  /** The browser gives up on some errors, so trying again is not left to it. */
  async #lose() {
    this.#source.close();
    this.#source = this.#early = null;
    this.handlers.state("lost");
    setTimeout(() => this.#retry(), this.#delay);
    this.#delay = Math.min(2 * this.#delay, longestDelay);
  }

  async #retry() {
    try {
      await request("health");
      this.connect();
    } catch (error) {
      this.handlers.state(error.isRefusal ? "refused" : "lost");
      setTimeout(() => this.#retry(), this.#delay);
      this.#delay = Math.min(2 * this.#delay, longestDelay);
    }
  }
}

/** Asks the API. Throws what it answers when that is an error. */
export const request = async (path, method = "GET") => {
  const headers = method === "GET" ? {} : { "content-type": "application/json" };
  const answer = await fetch("api/v1/" + path, { method, headers, cache: "no-store" });
  const text = await answer.text();
  if (answer.ok) return text ? JSON.parse(text) : {};
  const error = new Error(messageOf(text) ?? "The emulator answered " + answer.status + ".");
  error.isRefusal = answer.status === 401 || answer.status === 403;
  throw error;
};

const messageOf = (text) => {
  try {
    const { message, fix } = JSON.parse(text);
    return [message, fix].filter(Boolean).join(" ") || undefined;
  } catch {
    return undefined;
  }
};
