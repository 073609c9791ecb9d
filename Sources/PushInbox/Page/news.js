// Tells screen readers what arrives: at most once in a while, and not of what was there before.

import { counted, find } from "./dom.js";
import { answerKind } from "./push.js";

/** How long news is gathered, in milliseconds. */
const pause = 4000;

let unheard = { pushes: 0, refused: 0 };

/** Says something at once. */
export const announce = (text) => { find("news").textContent = text; };

/** Says soon how many pushes have come. */
export const tell = (pushes) => {
  if (pushes.length === 0) return;
  if (unheard.pushes === 0) setTimeout(tellAll, pause);
  unheard.pushes += pushes.length;
  unheard.refused += pushes.filter((push) => answerKind(push) === "refused").length;
};

const tellAll = () => {
  const { pushes, refused } = unheard;
  unheard = { pushes: 0, refused: 0 };
  announce(counted(pushes, "new push", "new pushes")
    + (refused > 0 ? ", " + refused + " refused." : "."));
};
