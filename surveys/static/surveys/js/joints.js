/** Join sentences, and labels with texts, as the page's language does. */

const FULL_WIDTH = /[。！？：；，、）”]$/;

/** Join sentences: with a blank, except after a full-width sign, which contains one. @param {(string | false | null | undefined)[]} sentences */
export const joined = (sentences) =>
  sentences.filter(Boolean).reduce((whole, said) => `${whole}${!whole || FULL_WIDTH.test(whole) ? "" : " "}${said}`, "");

const isChinese = () => /^zh\b/.test(globalThis.document?.documentElement.lang ?? "");

/** A text after its label: "Disguised: 5 of 100". @param {string} label @param {string} text */
export const labelled = (label, text) => `${label}${isChinese() ? "：" : ": "}${text}`;

/** A list without a last "and": "HTTPS, storage". @param {string[]} parts */
export const listed = (parts) => parts.join(isChinese() ? "、" : ", ");

/** Parts of a sentence: "latitude 31, in an area". @param {string[]} parts */
export const clauses = (parts) => parts.join(isChinese() ? "，" : ", ");

/** Nodes and texts as sentences: a blank between each two, as in `joined`. @param {(Node | string | false | null | undefined)[]} parts */
export const spaced = (parts) =>
  parts.filter(Boolean).flatMap((part, place, all) => {
    const before = place ? all[place - 1] : "";
    return !place || FULL_WIDTH.test(before.textContent ?? before) ? [part] : [" ", part];
  });
