// What a push of the API says, in the words of the page.

/** Whether the client was told 200, was refused, or got no answer. */
export const answerKind = (push) => {
  if (push.refusedBy || push.status >= 400) return "refused";
  return push.status in done ? "accepted" : "unanswered";
};

/** What the statuses of requests that were carried out are called. */
const done = { 200: "accepted", 201: "created", 204: "deleted" };

/** The answer in a few words. */
export const answerText = (push) => {
  if (push.status in done) return push.status + " " + done[push.status];
  if (push.status) return [push.status, push.reason].filter(Boolean).join(" ");
  return push.refusedBy ? "refused by " + push.refusedBy : "no answer";
};

/** Whether the device got it: a script can deliver a push and lose its answer. */
export const isDelivered = (push) => push.processed ?? push.status === 200;

/** The app's bundle ID, or what is known of it. */
export const appOf = (push) => push.card?.app ?? push.bundleID ?? push.topic ?? "";

/** What a request to manage channels asks for; undefined for a push. */
export const callOf = (push) => {
  if (push.request !== "channel") return undefined;
  const one = { POST: "create", GET: "show", DELETE: "delete" };
  return push.path?.endsWith("/all-channels") ? { GET: "list" }[push.method] : one[push.method];
};

const calls = {
  create: "Create a channel", list: "List the channels", show: "Show a channel",
  delete: "Delete a channel",
};

/** The names that `fanfare device` has given, by device token. */
const names = new Map();

/** Takes the names of an emulator's greeting. */
export const learnNames = (given) => {
  names.clear();
  Object.entries(given ?? {}).forEach(([token, name]) => names.set(token, name));
};

/** What a device or channel is called: its name, or else the end of its token. */
export const deviceName = (key) => names.get(key.toLowerCase()) ?? endOf(key);

/** What identifies the device, or the channel, that a push is for. */
export const deviceOf = (push) => push.token ?? push.channel ?? "";

/** The end of a token, which tells devices apart. */
export const endOf = (token) => token.length > 12 ? "…" + token.slice(-8) : token;

const invisible = /^[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A text of a card, or what to say of one in which there is nothing to see. */
export const seen = (card, name) => invisible.test(card[name])
  ? "A " + name + " without a visible character" : String(card[name]);

const kinds = {
  liveActivity: (card) => "Live Activity" + (card.event ? ": " + card.event : ""),
  call: () => "Incoming call",
  background: () => "Woke the app",
};

/** What a card is about, in one line. */
export const headline = (push) => {
  if (callOf(push)) return calls[callOf(push)];
  const card = push.card ?? {};
  const name = ["title", "body", "subtitle"].find((name) => card[name]);
  if (name) return seen(card, name);
  return kinds[card.kind]?.(card) ?? (push.pushType ? push.pushType + " push" : push.path ?? "");
};

/** Whether a notification has a text to show. */
export const hasText = (card) => Boolean(card.title || card.subtitle || card.body);

/** Why a push is on no lock screen; undefined when it is on one. */
export const whyHidden = (push) => {
  if (push.request === "channel") return "Not a push: " + headline(push);
  const card = push.card ?? { kind: "none" };
  if (!isDelivered(push)) return "Not delivered: " + answerText(push);
  if (card.kind === "background") return card.why ?? "Woke the app in the background";
  if (card.kind === "none") return card.why ?? "Nothing is shown";
  if (card.shown === false) return card.why ?? "Not shown";
  if (card.kind === "notification" && !hasText(card)) return card.why ?? "No text to show";
  return undefined;
};

/** Whether a push matches: each filter that is set, and every word of the search. */
export const matches = (push, filters) =>
  (filters.device === null || deviceOf(push) === filters.device)
  && (!filters.type || push.pushType === filters.type)
  && (!filters.app || appOf(push) === filters.app)
  && (!filters.answer || answerKind(push) === filters.answer || push.reason === filters.answer)
  && filters.words.every((word) => searched(push).includes(word));

const texts = new WeakMap();

/** Everything a search looks in. Made when first needed: a page without a search saves it. */
const searched = (push) => {
  let text = texts.get(push);
  if (text === undefined) {
    text = JSON.stringify([push.path, push.apnsID, push.requestID, push.uniqueID, push.channel,
      push.pushType, push.status, push.reason, push.note, push.headers, push.payload,
      push.payloadText, push.certificate, deviceName(deviceOf(push))]).toLowerCase();
    texts.set(push, text);
  }
  return text;
};
