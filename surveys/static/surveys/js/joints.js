/** Join labels with texts, and lists, as the page's language does. */

const isChinese = () => /^zh\b/.test(globalThis.document?.documentElement.lang ?? "");

/** A text after its label: "Disguised: 5 of 100". @param {string} label @param {string} text */
export const labelled = (label, text) => `${label}${isChinese() ? "：" : ": "}${text}`;

/** A list without a last "and": "HTTPS, storage". @param {string[]} parts */
export const listed = (parts) => parts.join(isChinese() ? "、" : ", ");

/** Parts of a sentence: "latitude 31, in an area". @param {string[]} parts */
export const clauses = (parts) => parts.join(isChinese() ? "，" : ", ");
