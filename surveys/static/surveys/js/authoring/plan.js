/**
 * The plan page: the figures follow the form. The server computes them; without JavaScript, a button submits the form.
 * The figures come first; the suggested changes follow, because they take longer.
 */

import { Newest } from "../newest.js";

const PAUSE = 150;
const LEAST = 50;
const MOST = 10000;
const PLACES = 50;

/** The number of people at a slider position, to two digits: each step has the same ratio. */
export function peopleAt(place) {
  return Number((LEAST * (MOST / LEAST) ** (place / PLACES)).toPrecision(2));
}

/** The slider position nearest to a number of people. */
export function placeOf(people) {
  const place = Math.round((PLACES * Math.log(people / LEAST)) / Math.log(MOST / LEAST));
  return Number.isFinite(place) ? Math.min(Math.max(place, 0), PLACES) : 0;
}

/** Link the slider to the number of people; without JavaScript there is only the number. */
function slide(form) {
  const slider = form.querySelector("[data-slider]");
  const number = form.elements.people;
  const follow = () => {
    slider.value = placeOf(number.value);
    slider.setAttribute("aria-valuetext", number.value);
  };
  slider.addEventListener("input", () => {
    number.value = peopleAt(slider.value);
    slider.setAttribute("aria-valuetext", number.value);
  });
  number.addEventListener("input", follow);
  follow();
  slider.hidden = false;
}

if (typeof document !== "undefined") {
  const form = document.querySelector(".plan");
  const figures = form.querySelector("[data-figures]");
  const status = form.querySelector("[data-announce]");
  // The rows of the table follow the form, too; after the quick response without their costs.
  const showRows = (body) => {
    const rows = body.querySelector("template[data-rows]");
    rows?.remove();
    for (const row of rows?.content.querySelectorAll("[data-for]") ?? []) {
      form.querySelector(`[data-known="${CSS.escape(row.dataset.for)}"]`)?.replaceChildren(...row.childNodes);
    }
    for (const name of ["[data-line]", "[data-costs]", "[data-lighter]"]) {
      const sent = rows?.content.querySelector(name);
      const shown = form.querySelector(name);
      if (sent && shown) {
        shown.textContent = sent.textContent;
        shown.hidden = !sent.textContent;
      }
    }
  };
  // Fields are marked as after a reload, with their messages; a corrected field loses its mark.
  const markFields = (body) => {
    for (const old of form.querySelectorAll(".plan-asked .error, .plan-row .error")) {
      old.remove();
    }
    for (const control of form.querySelectorAll('[aria-invalid="true"]')) {
      control.removeAttribute("aria-invalid");
      control.removeAttribute("aria-describedby");
    }
    for (const refused of body.querySelectorAll("[data-refused]")) {
      const control = form.elements[refused.dataset.refused];
      if (control instanceof Element) {
        const message = document.createElement("p");
        message.className = "error";
        message.id = `${control.id}_error`;
        message.textContent = refused.querySelector("span").textContent;
        control.closest("td, th, .field")?.append(message);
        control.setAttribute("aria-invalid", "true");
        control.setAttribute("aria-describedby", message.id);
      }
    }
  };
  const show = (body) => {
    showRows(body);
    markFields(body);
    // Keep open details elements open.
    const named = (details) => `${details.parentElement.querySelector("strong")?.textContent} ${details.querySelector("summary").textContent}`;
    const open = new Set(Array.from(figures.querySelectorAll("details[open]"), named));
    figures.replaceChildren(...body.childNodes);
    for (const details of figures.querySelectorAll("details")) {
      details.open = open.has(named(details));
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
  const swap = form.querySelector("[data-swap]");
  form.addEventListener("change", () => {
    const stars = [...form.querySelectorAll("select[name^=star_]")].filter((star) => star.value);
    swap?.toggleAttribute("hidden", stars.length !== 2);
  });
  slide(form);
  form.querySelector("[data-without-script]").hidden = true;
}
