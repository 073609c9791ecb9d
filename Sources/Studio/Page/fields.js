// The fields of the form: where each stands, how it is written, and for which push types it is.

/**
 * Label, kind, where it begins, path, push types ("" for all), and an example, or what a switch sets.
 * The program knows what may be chosen.
 */
const tables = {
  "Push": `
    Push type      | choice | notification | type |  |
    App            | text   | option       | bundleID |  | com.example.shop`,
  "Alert": `
    Title          | text   | payload | aps.alert.title | alert, liveactivity | Your order
    Subtitle       | text   | payload | aps.alert.subtitle | alert |
    Body           | area   | payload | aps.alert.body | alert, liveactivity | It is ready at the counter.
    Sound          | text   | payload | aps.sound | alert, liveactivity | default
    Badge          | number | payload | aps.badge | alert | 1`,
  "Live Activity": `
    Event          | choice | payload | aps.event | liveactivity |
    Timestamp      | number | payload | aps.timestamp | liveactivity | {{now}}
    State          | json   | payload | aps.content-state | liveactivity | { minutes: 8 }
    Attributes type | text  | payload | aps.attributes-type | liveactivity | RideAttributes
    Attributes     | json   | payload | aps.attributes | liveactivity | { driver: "Tomasz" }
    Stale date     | number | payload | aps.stale-date | liveactivity | {{now+1h}}
    Dismissal date | number | payload | aps.dismissal-date | liveactivity | {{now+30m}}
    Ask for token  | switch | payload | aps.input-push-token | liveactivity | 1
    Channel        | text   | payload | aps.input-push-channel | liveactivity |`,
  "The app\u2019s own keys": "",
  "Delivery": `
    Priority       | choice | notification | priority |  |
    Expiration     | number | notification | expiration |  | 1h
    Collapse ID    | text   | notification | collapseID |  | order-1042
    Interruption   | choice | payload | aps.interruption-level | alert |
    Relevance      | number | payload | aps.relevance-score | alert, liveactivity | 0.5
    Thread ID      | text   | payload | aps.thread-id | alert | orders
    Category       | text   | payload | aps.category | alert | ORDER
    Window         | text   | payload | aps.target-content-id | alert |
    Focus filter   | text   | payload | aps.filter-criteria | alert |
    Wake the app   | switch | payload | aps.content-available | background, alert | 1
    Extension      | switch | payload | aps.mutable-content | alert | 1
    Critical sound | switch | payload | aps.sound.critical | alert | 1
    Volume         | number | payload | aps.sound.volume | none | 1
    Reload         | switch | payload | aps.content-changed | widgets, controls | true
    PushMagic      | text   | payload | mdm | mdm |
    Container      | text   | payload | container-identifier | fileprovider |
    Domain         | text   | payload | domain | fileprovider |`,
  "Scenario": `
    Name           | text   | scenario | name |  | Order on its way
    App            | text   | scenario | bundleID |  | com.example.shop
    Environment    | choice | scenario | environment |  |
    Profile        | choice | scenario | profile |  |
    Recipients     | lines  | step | recipients |  | a device token, device:NAME or list a line
    Channel        | text   | step | channel | none |`,
  "Expected answer": `
    Status         | number | step | expect.status |  | 200
    Reason         | text   | step | expect.reason |  | Unregistered
    Accepted share | number | step | expect.acceptedAtLeast |  | 0.95
    Latency below  | text   | step | expect.latencyP99Below |  | 2s`,
  "Wait": `
    Wait           | text   | step | wait |  | 500ms`,
};

/** The header that a field becomes; of a payload it is an option of the command. */
const headers = {
  type: ["apns-push-type", "type"], bundleID: ["apns-topic", "bundle-id"],
  priority: ["apns-priority", "priority"], expiration: ["apns-expiration", "expiration"],
  collapseID: ["apns-collapse-id", "collapse-id"],
};

const fieldOf = (line) => {
  const [label, kind, base, name, types, sample = ""] = line.split("|").map((cell) => cell.trim());
  const [header, option] = base === "scenario" ? [] : headers[name] ?? [];
  return {
    label, kind, base, name, header, option, id: name.split(".").at(-1), path: name.split("."),
    types: types ? types.split(", ") : null, explains: name === "wait" ? "steps[].wait" : name,
    on: kind === "switch" ? JSON.parse(sample) : undefined,
    example: kind === "switch" ? undefined : sample,
  };
};

export const groups = Object.entries(tables).map(([name, rows]) =>
  ({ name, isOwn: rows === "", fields: rows.trim().split("\n").filter(Boolean).map(fieldOf) }));

/** Keys beside `aps` that have a field of their own. */
export const knownKeys = new Set(["aps", "mdm", "container-identifier", "domain",
  "Simulator Target Bundle"]);
