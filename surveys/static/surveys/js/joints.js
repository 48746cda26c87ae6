/** Join labels with texts, and lists, as the page's language does. */

import { pageLanguage } from "./dom.js";

/** What the page's language has, by its first letters: in Chinese, in Arabic script, and otherwise. */
const sign = (zh, ar, other) => ({ zh, ar, fa: ar })[pageLanguage()?.slice(0, 2)] ?? other;

/** A text after its label: "Disguised: 5 of 100". @param {string} label @param {string} text */
export const labelled = (label, text) => `${label}${pageLanguage()?.startsWith("fr") ? "\u00a0: " : sign("：", ": ", ": ")}${text}`;

/** A list without a last "and": "HTTPS, storage". @param {string[]} parts */
export const listed = (parts) => parts.join(sign("、", "، ", ", "));

/** Parts of a sentence: "latitude 31, in an area". @param {string[]} parts */
export const clauses = (parts) => parts.join(sign("，", "، ", ", "));

/** A remark in brackets after a text. @param {string} remark */
export const remarked = (remark) => sign(`（${remark}）`, ` (${remark})`, ` (${remark})`);
