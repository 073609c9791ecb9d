// Asks the studio's server, and reads what the program printed.

import { eventsOf } from "./events.js";
import { key } from "./key.js";

/** Told "live", "lost" or "refused" after each request. */
let stateChanged = () => {};
export const onState = (handler) => { stateChanged = handler; };

/** Asks `api/v1/studio…`. Throws what it answers when that is an error, with `status` and `answer`. */
export const request = async (path, method = "GET", body = undefined) => {
  const answer = await ask(path, method, body);
  const text = await answer.text().catch(lost);
  return text ? JSON.parse(text) : {};
};

const ask = async (path, method, body, signal) => {
  const headers = { authorization: "Bearer " + key() };
  if (method !== "GET") headers["content-type"] = "application/json";
  const answer = await reach("api/v1/studio" + path, { method, headers, signal, cache: "no-store",
    body: body === undefined ? undefined : JSON.stringify(body) });
  if (answer.ok) return answer;
  const text = await answer.text();
  throw Object.assign(new Error(), messageOf(text, answer.status));
};

const reach = async (url, options) => {
  try {
    const answer = await fetch(url, options);
    stateChanged(answer.status === 401 ? "refused" : "live");
    return answer;
  } catch (error) {
    return lost(error);
  }
};

const lost = (cause) => {
  stateChanged("lost");
  throw new Error("The studio does not answer.", { cause });
};

const messageOf = (text, status) => {
  const answer = parsed(text) ?? {};
  const message = [answer.message, answer.fix].filter(Boolean).join(" ");
  return { message: message || "The studio answered " + status + ".", status, answer };
};

/** What a text is as JSON; undefined if it is none. */
const parsed = (text) => {
  try { return JSON.parse(text); } catch { return undefined; }
};

/** Runs a command that sends nothing: `exitCode`, `output`, `values`, its JSON, and `errors`. */
export const call = async (words, input = undefined) => {
  const result = await request("/calls", "POST", { words, input });
  return { ...result, values: valuesOf(result.output), errors: withoutName(result.errors) };
};

/** What the program says on standard error, without its own name. */
export const withoutName = (errors) => errors.trim().replace(/^fanfare: error: /, "");

const valuesOf = (output) => {
  const whole = parsed(output);
  if (whole !== undefined) return [whole];
  return output.split("\n").map(parsed).filter((value) => value !== undefined);
};

/** Hands on each event of a run until it ends. */
export const follow = async (id, handle) => {
  const { body } = await ask("/runs/" + id + "/events", "GET");
  for await (const events of eventsOf(body)) {
    for (const { data } of events) if (data) handle(JSON.parse(data));
  }
};

export const filePath = (path) => "/files/" + encodeURIComponent(path);
