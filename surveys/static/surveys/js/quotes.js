/** Put names in quotation marks, as the page's language does. */

import { pageLanguage } from "./dom.js";

const GUILLEMETS = ["«", "»"];
const MARKS = {
  ar: GUILLEMETS,
  de: ["„", "“"],
  fa: GUILLEMETS,
  fr: ["«\u202f", "\u202f»"],
  it: GUILLEMETS,
  pl: ["„", "”"],
  ru: GUILLEMETS,
  "zh-hant": ["「", "」"],
};

/** @param {string} name */
export function quoted(name) {
  const language = pageLanguage() ?? "";
  const [before, after] = MARKS[language] ?? MARKS[language.split("-")[0]] ?? ["“", "”"];
  return `${before}${name}${after}`;
}
