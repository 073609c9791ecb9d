// What a command is about to do, as the program says it with `--plan`.

import { call } from "./api.js";
import { counted, isolated, make, printable } from "./dom.js";

/** The plan of a command; without one `problem`, and `values` and `errors` as the program printed them. */
export const planOf = async (words) => {
  const { exitCode, errors, values } = await call([...words, "--plan", "--json"]).catch(refused);
  if (exitCode === 0) return { plan: values[0] };
  const problem = values[0]?.error ?? errors.split("\n")[0];
  return { plan: null, problem, values, errors };
};

/** What the studio does not let the program do, as if the program had said it. */
const refused = (error) => {
  if (!error.status) throw error;
  return { exitCode: 2, errors: error.message, values: [] };
};

/** `5,000 devices, 10,000 pushes in 2 steps` */
export const figuresOf = ({ devices, pushes, steps, atLeast }) => {
  const isPlain = devices === pushes && steps === 1;
  const parts = [devices !== null && counted(devices, "device"),
    !isPlain && counted(pushes, "push", "pushes") + (steps > 1 ? " in " + steps + " steps" : "")];
  return (atLeast ? "at least " : "") + parts.filter(Boolean).join(", ");
};

export const placeOf = ({ environments }) => environments.join(", then ");

/** What all its runs have of a fact, each once. */
const allOf = ({ runs }, name) => [...new Set(runs.map((run) => run[name]).filter(Boolean))].join(", ");

/** Where, to how many, which app, as whom; in one line. */
export const planLine = (plan) => [placeOf(plan), figuresOf(plan), allOf(plan, "app"),
  plan.runs.some(({ profile }) => profile) && "as " + allOf(plan, "profile")].filter(Boolean).join(" · ");

/** A person is asked what a terminal would be, and before each push to production. */
export const isAsked = (plan) => plan.production || plan.question !== null;

/** What a person is asked: the program's question, or without one a push; and all that the plan says. */
export const questionOf = (plan) => {
  const sample = plan.runs[0]?.sample;
  const text = plan.question ?? JSON.stringify(sample?.payload);
  return [text?.split("\n").map((line) => make("p", {}, isolated(printable(line.trim())))),
    make("p", { class: "soft" }, planLine(plan))];
};
