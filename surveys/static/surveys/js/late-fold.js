/** Folded parts whose content loads after everything that question 1 needs. */

import { el } from "./dom.js";
import { troubleNodes } from "./trouble.js";

/**
 * @param {Record<string, string>} texts
 * @param {Rest} rest what loads later
 * @param {string} summary
 * @param {(parts: object) => (Node | false | null | undefined)[]} make its content, once all modules have arrived
 * @returns {HTMLElement} filled as soon as they have arrived. Opened before, it says that they load or, with a button, that they failed
 */
export function lateFold(texts, rest, summary, make) {
  const body = el("div", { class: "stack" });
  const show = (parts) => body.replaceChildren(...make(parts).filter(Boolean));
  const ask = () => {
    body.replaceChildren(el("p", { class: "soft", role: "status" }, texts.loading));
    rest.run().then(show, (error) => body.replaceChildren(...troubleNodes(texts, error, { onTry: again })));
  };
  const head = el("summary", {}, summary);
  const fold = el("details", { toggle: () => fold.open && !body.hasChildNodes() && ask() }, head, body);
  // The button that asks again disappears, so its focus goes to the summary.
  const again = () => {
    head.focus();
    ask();
  };
  rest.arrived.then(show);
  return fold;
}
