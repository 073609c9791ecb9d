// Command lines that repeat a push. They hold no secret: a provider token is made when they run.

import { appOf, answerKind, callOf } from "./push.js";

const quoted = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text
  : "'" + String(text).replaceAll("'", "'\\''") + "'";

/** One word or pair of words on each line. */
const lines = (words) => words.join(" \\\n  ");

/** The payload as JSON, or the text that came in its place; undefined for bytes that are no text. */
const payloadText = (push) => push.payload !== undefined
  ? JSON.stringify(push.payload) : push.payloadText ?? (push.payloadHex ? undefined : "");

/** Header fields as the client sent them, but for those that every command makes anew. */
const fields = (push) => Object.entries(push.headers ?? {})
  .filter(([name]) => name.startsWith("apns-") && name !== "apns-id" && name !== "apns-request-id")
  .flatMap(([name, value]) => [value].flat().map((one) => [name, one]));

/** `server` is what the emulator says of itself: its `url`, and `ca`, a file. */
export const curlLine = (push, server) => {
  const body = payloadText(push);
  const bytes = body === undefined
    ? ["--data-binary @-"] : body === "" ? [] : ["--data-raw " + quoted(body)];
  const source = body === undefined
    ? "printf %s " + quoted(push.payloadHex) + " | xxd -r -p | " : "";
  return source + lines([
    "curl -sS -i --http2 --cacert " + (server.ca ? quoted(server.ca) : "\"$FANFARE_CA\""),
    ...(push.method && push.method !== "POST" ? ["-X " + quoted(push.method)] : []),
    "-H \"authorization: bearer $(fanfare token)\"",
    ...fields(push).map(([name, value]) => "-H " + quoted(name + ": " + value)),
    ...bytes, quoted((server.url ?? "https://127.0.0.1:PORT") + (push.path ?? "/")),
  ]);
};

/** Headers that have an option; any other goes into --header. */
const options = {
  "apns-topic": "--topic", "apns-push-type": "--type", "apns-priority": "--priority",
  "apns-expiration": "--expiration", "apns-collapse-id": "--collapse-id",
  "apns-channel-id": "--channel",
};

/** A value that begins with a dash would be taken for an option. */
const option = (name, value) => name + (value.startsWith("-") ? "=" : " ") + quoted(value);

/** Undefined for what no command sends: a body that is no JSON, or neither a token nor a channel. */
export const fanfareLine = (push) => {
  if (push.request === "channel") return channelLine(push);
  if (push.payload === undefined || !(push.token ?? push.channel)) return undefined;
  const headers = fields(push).map(([name, value]) => options[name]
    ? option(options[name], value) : "--header " + quoted(name + ":" + value));
  const app = appOf(push);
  const hasTopic = headers.some((header) => header.startsWith("--topic"));
  const isNamed = push.token && hasTopic;
  return lines([
    "fanfare send --env inbox" + (push.token ? " --to " + quoted(push.token) : ""),
    ...headers, ...(isNamed || !app ? [] : [option(push.token ? "--topic" : "--bundle-id", app)]),
    // What came is no template any more.
    "--payload " + quoted(payloadText(push).replaceAll("{{", "{{{{")),
    // A broadcast must not have a topic, and an emulator takes it.
    ...(answerKind(push) === "refused" || (hasTopic && !push.token) ? ["--force"] : []),
  ]);
};

/** A request to manage channels, as the command that makes one. */
const channelLine = (push) => {
  const call = callOf(push);
  const isOfOne = call === "show" || call === "delete";
  if (!call || (isOfOne && !push.channel)) return undefined;
  return lines([
    "fanfare channel " + call + (isOfOne ? " " + quoted(push.channel) : ""),
    ...(push.payload?.["message-storage-policy"] === 1 ? ["--store"] : []),
    "--env inbox", option("--bundle-id", appOf(push)),
  ]);
};
