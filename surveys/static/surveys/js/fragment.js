/**
 * The part of the address after "#", which browsers never send: `c=CODE` or a bare code, `d=DIGEST` of the survey, and
 * `id=NUMBER` of a panel, joined by "&". Only the code is removed after it has been read.
 */

const KEPT = /^(?:d|id)=/;

const partsOf = (hash) => hash.slice(1).split("&");

/** @param {string} hash @returns {string | null} the digest as written in the fragment; null if there is none */
export function namedDigest(hash) {
  const named = partsOf(hash).find((part) => part.startsWith("d="));
  return named === undefined ? null : named.slice(2).replaceAll("%20", " ");
}

/** @param {string} hash @returns {{text: string, rest: string}} text: presumably a code; rest: the fragment without it */
export function codeIn(hash) {
  const isKept = (part) => KEPT.test(part);
  const text = partsOf(hash).filter((part) => !isKept(part)).join("&");
  const rest = partsOf(hash).filter(isKept).join("&");
  return { text: text.replace(/^c=/, "").replaceAll("%20", " "), rest: rest && `#${rest}` };
}
