/** Folded parts whose content loads after everything that question 1 needs. */

import { el } from "./dom.js";
import { troubleNodes } from "./trouble.js";

/**
 * @param {Record<string, string>} texts
 * @param {Rest} rest what loads later
 * @param {string} summary
 * @param {(parts: object) => (Node | false | null | undefined)[]} make its content, once all modules have arrived
 * @returns {HTMLElement} filled as soon as they have arrived. If they have not when it is opened, it says so, with a button
 */
export function lateFold(texts, rest, summary, make) {
  const body = el("div", { class: "stack" });
  const show = (parts) => body.replaceChildren(...make(parts).filter(Boolean));
  const ask = () => rest.run().then(show, (error) => body.replaceChildren(...troubleNodes(texts, error, { onTry: ask })));
  const fold = el("details", { toggle: () => fold.open && !body.hasChildNodes() && ask() }, el("summary", {}, summary), body);
  rest.arrived.then(show);
  return fold;
}
