/** How the delivery of a sealed body goes, in words, and a button while it waits. */

import { button, el, fill } from "./dom.js";
import { heading } from "./parts.js";

/** @param {Outcome} outcome @returns {string} the name of its sentences */
export function wordsFor({ kind, status }) {
  if (kind === "refused") {
    return "uninvited";
  }
  return status === 410 ? "closed" : kind;
}

/**
 * @param {Record<string, string>} texts
 * @param {string} name of the sentences
 * @param {{status?: number, onTry?: () => void}} [more]
 */
export function outcomeNodes(texts, name, { status, onTry } = {}) {
  return [
    heading(texts[`${name}_title`]),
    texts[name] && el("p", {}, fill(texts[name], { status })),
    onTry && el("div", { class: "row" }, button(texts.try_now, onTry, "button button--plain")),
  ].filter(Boolean);
}
