// Command lines, as a shell takes them.

const quoted = (word) => /^[\w@%+=:,./-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";

/** `fanfare` with words; only values are quoted. */
export const commandLine = (words) => ["fanfare", ...words.map((word) => {
  const [, name, value] = /^(--[\w-]+=)([^]*)$/.exec(word) ?? [];
  return name ? name + quoted(value) : quoted(word);
})].join(" ");

const options = { "apns-topic": "topic", "apns-push-type": "type", "apns-priority": "priority",
  "apns-expiration": "expiration", "apns-collapse-id": "collapse-id", "apns-channel-id": "channel" };

/** The command that sends a push of the history anew; its payload is no template any more. */
export const sendLine = (push, environment) => {
  const { headers, payload } = push.request;
  const set = Object.entries(headers).filter(([name]) => options[name]).map(([name, value]) => "--" + options[name] + "=" + value);
  return commandLine(["send", "--env=" + environment, ...(push.token ? ["--to=" + push.token] : []), ...set,
    "--payload=" + JSON.stringify(payload).replaceAll("{{", "{{{{")]);
};
