/**
 * The link back to the panel that sent the respondent. The panel's number for the respondent comes after the "#" of the
 * address, which browsers never send to a server. This device inserts it into the link back. If parts take turns over a series,
 * it also computes from the number which of them to ask.
 */

import { el, fill } from "./dom.js";
import { isNumber } from "./person.js";
import { heading } from "./said.js";

const NUMBER = /[#&]id=([^&]{1,200})(?:&d=[^&]*)?$/;

/**
 * @param {Record<string, string>} texts
 * @param {string} panel an address, or a code that is the same for everyone
 * @param {string} hash fragment of the page's address
 * @returns {HTMLElement} the section below the sent answers
 */
export function wayBack(texts, panel, hash) {
  if (!panel.startsWith("https:")) {
    return section(texts, el("p", {}, texts.panel_code), el("p", { class: "mono code" }, panel));
  }
  const href = addressBack(panel, hash);
  const { host } = new URL(panel);
  if (!href) {
    return section(texts, el("p", {}, fill(texts.panel_unknown, { host })));
  }
  const link = el("a", { class: "button", href, rel: "noreferrer" }, fill(texts.panel_back, { host }));
  return section(texts, el("p", {}, fill(texts.panel_about, { host })), el("p", {}, link));
}

/** The number that decides the respondent's turn; null if the address has none that can be one person's. @param {string} hash */
export function personIn(hash) {
  const number = numberIn(hash);
  return isNumber(number) ? number : null;
}

/** The respondent's number; null if the address has none. @param {string} hash @returns {string | null} */
function numberIn(hash) {
  const number = NUMBER.exec(hash)?.[1];
  return number ? plain(number) : null;
}

/** The address with the respondent's number; null if it needs one that is missing. */
export function addressBack(panel, hash) {
  const number = numberIn(hash);
  return panel.includes("{id}") && !number ? null : panel.replace("{id}", () => encodeURIComponent(number));
}

const section = (texts, ...nodes) => el("section", { class: "stack part" }, heading(texts.panel_title), ...nodes);

function plain(number) {
  try {
    return decodeURIComponent(number);
  } catch {
    return number;
  }
}
