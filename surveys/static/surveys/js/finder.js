/** The search field of a long list of options. Loaded only if a survey has one. */

import { el, fill } from "./dom.js";

/** A text for comparison: without accents, in lower case. */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();

/** A search field that hides options without the typed words, except chosen ones. It is sent nowhere. */
export function finder(labels, texts) {
  const words = labels.map((node) => plain(node.textContent));
  const status = el("p", { class: "hint", role: "status" });
  const filter = () => {
    const wanted = plain(field.value);
    const found = words.map((text) => text.includes(wanted));
    labels.forEach((node, place) => {
      node.hidden = !found[place] && !node.querySelector("input").checked;
    });
    const count = found.filter(Boolean).length;
    status.textContent = wanted ? fill(texts.options_found, { count, all: labels.length }) : "";
  };
  const field = el("input", { type: "search", autocomplete: "off", spellcheck: "false", input: filter });
  const node = el("div", { class: "field" }, el("label", {}, texts.options_search, " ", field), status);
  return { node, focus: () => field.focus() };
}
