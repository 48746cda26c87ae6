/**
 * The plan page: figures follow the form. The server computes them; without JavaScript a button does the same.
 * Figures come first, then the changes that help, since those take longer.
 */

import { Newest } from "../newest.js";

const PAUSE = 150;

if (typeof document !== "undefined") {
  const form = document.querySelector(".plan");
  const figures = form.querySelector("[data-figures]");
  const status = form.querySelector("[data-announce]");
  const show = (body) => {
    // A details element that is open stays open.
    const isOpen = figures.querySelector("details")?.open ?? false;
    figures.replaceChildren(...body.childNodes);
    const details = figures.querySelector("details");
    if (details) {
      details.open = isOpen;
    }
  };
  const changes = new Newest(0, form, "changes", show);
  const sentence = new Newest(PAUSE, form, "figures", (body) => {
    show(body);
    status.textContent = figures.querySelector("[data-said]")?.textContent ?? "";
    changes.now();
  });
  form.addEventListener("input", () => sentence.later());
  form.addEventListener("change", () => sentence.later());
  form.querySelector("[data-without-script]").hidden = true;
}
