/** The form that plays a survey tool: it sends nothing, and shows what the tool would have in its file. */

import { el } from "./dom.js";

const form = document.querySelector("[data-host]");
const kept = document.querySelector("[data-kept]");
const said = document.querySelector("[data-said]");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const line = form.elements.namedItem("protected").value;
  said.textContent = line ? said.dataset.sent : said.dataset.missing;
  if (line) {
    const place = form.querySelector("select").value;
    kept.replaceChildren(el("tr", {}, el("td", {}, place), el("td", {}, el("code", {}, line))));
  }
});
