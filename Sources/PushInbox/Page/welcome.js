// What stands in the place of lists that have nothing to show yet.

import { copyable } from "./copy.js";
import { find } from "./dom.js";

const exampleToken = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9";

/**
 * Shows a command that the emulator accepts: to one of the `devices` that it knows, or to any token
 * if it knows none. `server` is what it says of itself.
 */
export const welcome = (server, devices, copied) => {
  const { token, topic } = devices.find((device) => device.unregisteredAt == null
    && (device.environment ?? server.environment) === server.environment)
    ?? { token: exampleToken, topic: "com.example.shop" };
  find("first").replaceChildren(copyable("Send a push", "fanfare send --env inbox \\\n"
    + "  --bundle-id " + topic + " \\\n  --title Hello \\\n  --to " + token, copied));
  find("address").textContent = server.url ?? "";
};
