/** Join sentences as the page's language does. */

/** Full-width signs at an end. A closing quotation mark is one after a Chinese character, and not after "yes". */
const FULL_WIDTH = /[。！？：；，、）】」』]$|[。！？㐀-鿿]”$|……$/;

/** Join sentences: with a blank, except after a full-width sign, which contains one. @param {(string | false | null | undefined)[]} sentences */
export const joined = (sentences) =>
  sentences.filter(Boolean).reduce((whole, said) => `${whole}${!whole || FULL_WIDTH.test(whole) ? "" : " "}${said}`, "");

/** Nodes and texts as sentences: a blank between each two, as in `joined`. @param {(Node | string | false | null | undefined)[]} parts */
export const spaced = (parts) =>
  parts.filter(Boolean).flatMap((part, place, all) => {
    const before = place ? all[place - 1] : "";
    return !place || FULL_WIDTH.test(before.textContent ?? before) ? [part] : [" ", part];
  });
