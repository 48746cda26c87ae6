/*
 * The planner: figures that follow the form. The server works them out and writes them; this asks again after
 * each change, keeps the address true, and lets sliders and fields move each other. Without JavaScript the
 * form's button does the same.
 */

import { Newest } from "./newest.js";

const PAUSE = 20;

/** The figures of a form; the address says what they are of. @param {HTMLFormElement} form */
function figuresOf(form) {
  const room = document.getElementById("figures");
  const said = document.getElementById("planner-said");
  const query = () => `?${new URLSearchParams(new FormData(form))}`;
  const ask = async (signal) => {
    const answer = await fetch(`${form.dataset.figures}${query()}`, { signal });
    if (answer.redirected) {
      location.reload();
    }
    return answer;
  };
  const show = (body) => {
    const isOpen = Array.from(room.querySelectorAll("details"), (details) => details.open);
    room.replaceChildren(...body.childNodes);
    room.querySelectorAll("details").forEach((details, place) => (details.open = isOpen[place] ?? false));
    history.replaceState(null, "", query());
    const epsilon = room.querySelector("[data-epsilon]");
    said.textContent = epsilon ? `ε ${epsilon.textContent}` : room.textContent.trim();
  };
  return new Newest(PAUSE, ask, show);
}

/** Let a slider and its field move each other. @param {HTMLInputElement} slider @param {() => void} changed */
export function mirrored(slider, changed) {
  const field = document.getElementById(slider.dataset.mirrors);
  slider.hidden = false;
  slider.addEventListener("input", () => {
    field.value = slider.value;
    changed();
  });
  field.addEventListener("input", () => {
    slider.value = field.value;
  });
}

const form = document.querySelector("[data-figures]");
if (form) {
  const figures = figuresOf(form);
  form.addEventListener("input", () => figures.later());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    figures.now();
  });
  for (const slider of form.querySelectorAll("[data-mirrors]")) {
    mirrored(slider, () => figures.later());
  }
}
