/**
 * The way back to the panel that asked. The number by which it knows somebody comes behind the "#" of the address, which
 * no browser sends to a server. It goes into the link back, on this device, and nowhere else.
 */

import { el, fill } from "./dom.js";
import { heading } from "./parts.js";

const NUMBER = /[#&]id=([^&]{1,200})(?:&d=[^&]*)?$/;

/**
 * @param {Record<string, string>} texts
 * @param {string} panel an address, or a code that is the same for all
 * @param {string} hash of the page's address
 * @returns {HTMLElement} what stands below the answers that were sent
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

/** The address with its number in it; null where it wants one and there is none. */
export function addressBack(panel, hash) {
  const number = NUMBER.exec(hash)?.[1];
  return panel.includes("{id}") && !number ? null : panel.replace("{id}", () => encodeURIComponent(plain(number)));
}

const section = (texts, ...nodes) => el("section", { class: "stack part" }, heading(texts.panel_title), ...nodes);

function plain(number) {
  try {
    return decodeURIComponent(number);
  } catch {
    return number;
  }
}
