/** Join labels with texts, and lists, as the page's language does. */

import { pageLanguage } from "./dom.js";

/** What the page's language has, by its first letters; Persian is written like Arabic. */
const sign = (zh, other, ar = other, fr = other) => ({ zh, ar, fa: ar, fr })[pageLanguage()?.slice(0, 2)] ?? other;

/** A text after its label: "Disguised: 5 of 100". @param {string} label @param {string} text */
export const labelled = (label, text) => `${label}${sign("：", ": ", ": ", "\u00a0: ")}${text}`;

/** A list without a last "and": "HTTPS, storage". @param {string[]} parts */
export const listed = (parts) => parts.join(sign("、", ", ", "، "));

/** Parts of a sentence: "latitude 31, in an area". @param {string[]} parts */
export const clauses = (parts) => parts.join(sign("，", ", ", "، "));

/** A remark in brackets after a text. @param {string} remark */
export const remarked = (remark) => sign(`（${remark}）`, ` (${remark})`);
