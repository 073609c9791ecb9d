// Tells screen readers what arrives: at most once in a while, and not of what was there before.

import { counted, find } from "./dom.js";
import { answerKind } from "./push.js";

/** How long news is gathered, in milliseconds. */
const pause = 4000;

const nothing = { pushes: 0, refused: 0, missed: 0 };
let unheard = { ...nothing };

/** Says something at once. */
export const announce = (text) => { find("news").textContent = text; };

/** Says soon how many pushes have come, and how many were gone before this page could read them. */
export const tell = (pushes, missed) => {
  if (pushes.length === 0) return;
  if (unheard.pushes === 0) setTimeout(tellAll, pause);
  unheard.pushes += pushes.length;
  unheard.missed += missed;
  unheard.refused += pushes.filter((push) => answerKind(push) === "refused").length;
};

const tellAll = () => {
  const { pushes, refused, missed } = unheard;
  unheard = { ...nothing };
  const count = counted(pushes + missed, "new push", "new pushes");
  announce(count + (refused > 0 ? ", " + counted(refused, "refused", "refused") : "")
    + (missed > 0 ? ". " + missed.toLocaleString("en-US") + " of them were gone before this page"
      + " could read them." : "."));
};
