// What narrow windows show: one part of the page, form or text; and what stands at the right.

const show = (attribute) => {
  const buttons = [...document.querySelectorAll("button[data-" + attribute + "]")];
  return { buttons, set: (name) => {
    for (const button of buttons) button.setAttribute("aria-pressed", button.dataset[attribute] === name);
  } };
};

const views = show("shows");
const parts = show("part");
const sides = show("side");

/** Shows files, edit or side. */
export const view = (name) => {
  document.body.dataset.view = name;
  views.set(name);
};

/** Shows form or text, where there is no room for both. */
export const showPart = (name) => {
  document.body.dataset.part = name;
  parts.set(name);
};

/** Shows preview, answer or history; `chosen` is told. Returns what shows one. */
export const onSide = (chosen) => {
  const choose = (name) => {
    document.body.dataset.side = name;
    sides.set(name);
    chosen(name);
  };
  for (const button of sides.buttons) button.addEventListener("click", () => choose(button.dataset.side));
  sides.set("preview");
  return (name) => {
    document.body.dataset.side = name;
    sides.set(name);
  };
};

for (const button of views.buttons) button.addEventListener("click", () => view(button.dataset.shows));
for (const button of parts.buttons) button.addEventListener("click", () => showPart(button.dataset.part));
view("files");
showPart("form");
