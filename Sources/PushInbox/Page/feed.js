// The connection to the emulator: what is already there, then what arrives, again and again.

import { eventsOf } from "./events.js";
import { key } from "./key.js";

const firstDelay = 500;
const longestDelay = 5000;
const portion = 1000;

export class Feed {
  /** Ends the stream that is read; null between two of them. */
  #stream = null;
  #delay = firstDelay;
  #started = undefined;
  #clears = 0;
  /** What arrives while earlier pushes are still being fetched; null when nothing is fetched. */
  #early = null;

  /**
   * `handlers`: `state(name)`, `begin(hello)` for an emulator that was not known, `add(pushes)`,
   * `clear(last)` with the ID of the last push that was there, and `last()` for the ID of the
   * newest push that is here.
   */
  constructor(handlers) { this.handlers = handlers; }

  async connect() {
    const stream = this.#stream = new AbortController();
    // With what is here already, the emulator tells whether that was cleared meanwhile.
    const last = this.handlers.last();
    const path = "events" + (last > 0 ? "?after=" + last : "");
    try {
      const { body } = await ask(path, "GET", stream.signal);
      for await (const events of eventsOf(body)) {
        if (stream !== this.#stream) return;
        this.#take(events);
      }
      throw new Error("The emulator has ended.");
    } catch (error) {
      if (stream === this.#stream) this.#lose(error);
    }
  }

  /** Hands on pushes that came together in one piece. */
  #take(events) {
    let pushes = [];
    for (const { event, id, data } of events) {
      if (event === "push") {
        pushes.push(JSON.parse(data));
        continue;
      }
      this.#receive(pushes);
      pushes = [];
      if (event === "hello") this.#greet(JSON.parse(data));
      if (event === "clear") this.#clear(Number(id));
    }
    this.#receive(pushes);
  }

  #greet(hello) {
    this.#delay = firstDelay;
    if (hello.started !== this.#started) this.handlers.begin(hello);
    this.#started = hello.started;
    this.#catchUp();
  }

  #receive(pushes) {
    if (this.#early) this.#early.push(...pushes);
    else this.handlers.add(pushes);
  }

  #clear(last) {
    if (this.#early) this.#early = [];
    this.#clears += 1;
    this.handlers.clear(last);
  }

  /** Fetches in portions, so that the page stays responsive. */
  async #catchUp() {
    const stream = this.#stream;
    this.#early = [];
    try {
      while (await this.#fetchPortion(stream)) {}
      if (stream !== this.#stream) return;
      this.handlers.add(this.#early);
      this.#early = null;
      this.handlers.state("live");
    } catch (error) {
      if (stream === this.#stream) this.#lose(error);
    }
  }

  /** Returns whether there is more. What was cleared meanwhile does not come back. */
  async #fetchPortion(stream) {
    const clears = this.#clears;
    const path = "pushes?after=" + this.handlers.last() + "&limit=" + portion;
    const { pushes } = await request(path);
    if (stream !== this.#stream) return false;
    if (clears !== this.#clears) return true;
    this.handlers.add(pushes);
    const last = this.handlers.last();
    this.#early = this.#early.filter((push) => push.id > last);
    return pushes.length === portion;
  }

  #lose(error) {
    this.#stream.abort();
    this.#stream = this.#early = null;
    this.handlers.state(error.isRefusal ? "refused" : "lost");
    setTimeout(() => this.connect(), this.#delay);
    this.#delay = Math.min(2 * this.#delay, longestDelay);
  }
}

/** Asks the API. Throws what it answers when that is an error. */
export const request = async (path, method = "GET") => {
  const text = await (await ask(path, method)).text();
  return text ? JSON.parse(text) : {};
};

const ask = async (path, method, signal) => {
  const headers = { authorization: "Bearer " + key() };
  if (method !== "GET") headers["content-type"] = "application/json";
  const answer = await fetch("api/v1/" + path, { method, headers, signal, cache: "no-store" });
  if (answer.ok) return answer;
  const text = messageOf(await answer.text());
  const error = new Error(text ?? "The emulator answered " + answer.status + ".");
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
