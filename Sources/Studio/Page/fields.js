// The fields of the form: where each stands, how it is written, and for which push types it is.

const alert = ["alert", "liveactivity"];
const shown = ["alert"];
const activity = ["liveactivity"];

/**
 * Rows: `id`, `label`, `kind`, `path`, and where they apply: `types`. `explains` is the name that
 * `fanfare explain` knows it by, `example` a value. `base` is the part of the file that `path` begins
 * in: scenario, step, notification, or payload.
 */
const row = (base, types, id, label, kind, path, more = {}) =>
  ({ base, types, id, label, kind, path, explains: path.join("."), ...more });

const scenario = (...rest) => row("scenario", null, ...rest);
const request = (...rest) => row("notification", null, ...rest);
const payload = (types, ...rest) => row("payload", types, ...rest);
const aps = (...keys) => ["aps", ...keys];

export const environments = ["emulator", "inbox", "sandbox", "production"];
const types = ["alert", "background", "liveactivity", "voip", "widgets", "controls", "location",
  "pushtotalk", "complication", "fileprovider", "mdm"];

export const groups = [
  { name: "Push", rows: [
    request("type", "Push type", "choice", ["type"], { choices: types, header: "apns-push-type", option: "type" }),
    row("option", null, "topic-app", "App", "text", [], { explains: "bundleID", option: "bundle-id", header: "apns-topic", example: "com.example.shop" }),
  ] },
  { name: "Alert", rows: [
    payload(alert, "title", "Title", "text", aps("alert", "title"), { example: "Your order" }),
    payload(shown, "subtitle", "Subtitle", "text", aps("alert", "subtitle")),
    payload(alert, "body", "Body", "area", aps("alert", "body"), { example: "It is ready at the counter." }),
    payload(alert, "sound", "Sound", "text", aps("sound"), { example: "default" }),
    payload(shown, "badge", "Badge", "number", aps("badge"), { example: "1" }),
  ] },
  { name: "Live Activity", rows: [
    payload(activity, "event", "Event", "choice", aps("event"), { choices: ["start", "update", "end"] }),
    payload(activity, "timestamp", "Timestamp", "number", aps("timestamp"), { example: "{{now}}" }),
    payload(activity, "content-state", "State", "json", aps("content-state"), { example: "{ minutes: 8 }" }),
    payload(activity, "attributes-type", "Attributes type", "text", aps("attributes-type"), { example: "RideAttributes" }),
    payload(activity, "attributes", "Attributes", "json", aps("attributes")),
    payload(activity, "stale-date", "Stale date", "number", aps("stale-date"), { example: "{{now+1h}}" }),
    payload(activity, "dismissal-date", "Dismissal date", "number", aps("dismissal-date"), { example: "{{now+30m}}" }),
    payload(activity, "input-push-token", "Ask for a token", "switch", aps("input-push-token"), { on: 1 }),
    payload(activity, "input-push-channel", "Channel", "text", aps("input-push-channel")),
  ] },
  { name: "The app's own keys", isOpen: true, rows: [] },
  { name: "Delivery", rows: [
    request("priority", "Priority", "choice", ["priority"], { choices: [10, 5, 1], header: "apns-priority", option: "priority" }),
    request("expiration", "Expiration", "text", ["expiration"], { example: "1h", header: "apns-expiration", option: "expiration" }),
    request("collapseID", "Collapse ID", "text", ["collapseID"], { example: "order-1042", header: "apns-collapse-id", option: "collapse-id" }),
    payload(shown, "interruption-level", "Interruption", "choice", aps("interruption-level"),
      { choices: ["passive", "active", "time-sensitive", "critical"] }),
    payload(alert, "relevance-score", "Relevance", "number", aps("relevance-score"), { example: "0.5" }),
    payload(shown, "thread-id", "Thread ID", "text", aps("thread-id"), { example: "orders" }),
    payload(shown, "category", "Category", "text", aps("category"), { example: "ORDER" }),
    payload(shown, "target-content-id", "Window", "text", aps("target-content-id")),
    payload(shown, "filter-criteria", "Focus filter", "text", aps("filter-criteria")),
    payload(["background", "alert"], "content-available", "Wake the app", "switch", aps("content-available"), { on: 1 }),
    payload(shown, "mutable-content", "Extension", "switch", aps("mutable-content"), { on: 1 }),
    payload(shown, "critical", "Critical sound", "switch", aps("sound", "critical"), { on: 1 }),
    payload([], "volume", "Volume", "number", aps("sound", "volume"), { example: "1" }),
    payload(["widgets", "controls"], "content-changed", "Reload", "switch", aps("content-changed"), { on: true }),
    payload(["mdm"], "mdm", "PushMagic", "text", ["mdm"]),
    payload(["fileprovider"], "container-identifier", "Container", "text", ["container-identifier"]),
    payload(["fileprovider"], "domain", "Domain", "text", ["domain"]),
  ] },
  { name: "Scenario", rows: [
    scenario("name", "Name", "text", ["name"], { example: "Order on its way" }),
    scenario("bundleID", "App", "text", ["bundleID"], { example: "com.example.shop" }),
    scenario("environment", "Environment", "choice", ["environment"], { choices: [...environments, "auto"] }),
    scenario("scenario-profile", "Profile", "choice", ["profile"], { choices: [] }),
    row("recipients", null, "scenario-recipients", "Recipients", "lines", ["recipients"],
      { example: "one per line: a device token, device:NAME, or a list" }),
    row("recipients", [], "scenario-channel", "Channel", "text", ["channel"]),
  ] },
  { name: "Expected answer", rows: [
    row("expect", null, "expect-status", "Status", "number", ["expect", "status"], { example: "200" }),
    row("expect", null, "expect-reason", "Reason", "text", ["expect", "reason"], { example: "Unregistered" }),
    row("expect", null, "expect-share", "Accepted share", "number", ["expect", "acceptedAtLeast"], { example: "0.95" }),
    row("expect", null, "expect-latency", "Latency below", "text", ["expect", "latencyP99Below"], { example: "2s" }),
  ] },
];

/** Keys beside `aps` that have a field of their own. */
export const knownKeys = new Set(["aps", "mdm", "container-identifier", "domain", "Simulator Target Bundle"]);
