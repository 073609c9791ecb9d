// What narrow windows show: one part of the page, form or text; and what stands at the right.

const switches = (name) => {
  const buttons = [...document.querySelectorAll("button[data-" + name + "]")];
  let told = () => {};
  const show = (value) => {
    document.body.dataset[name] = value;
    for (const button of buttons) button.setAttribute("aria-pressed", button.dataset[name] === value);
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      show(button.dataset[name]);
      told(button.dataset[name]);
    });
  }
  show(document.body.dataset[name]);
  return { show, tell: (handler) => { told = handler; } };
};

/** Shows files, edit or side. */
export const { show: view } = switches("view");
/** Shows form or text, where there is no room for both. */
export const { show: showPart } = switches("part");
/** Shows preview, answer or history; a click on one is told. */
export const { show: showSide, tell: onSide } = switches("side");
