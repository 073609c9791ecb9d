// What narrow windows show: one part of the page or two, and the filters on demand.

import { find } from "./dom.js";

const buttons = document.querySelectorAll("[data-shows]");

/** Shows a part of the page: devices, screen, pushes or detail. */
export const view = (name) => {
  document.body.dataset.view = name;
  for (const button of buttons) {
    if (button.dataset.shows === name) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
};

for (const button of buttons) button.addEventListener("click", () => view(button.dataset.shows));
find("narrow").addEventListener("click", () => {
  const isOpen = document.body.toggleAttribute("data-narrows");
  find("narrow").setAttribute("aria-expanded", isOpen);
});
view("pushes");
