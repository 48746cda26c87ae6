/**
 * What stands behind the "#" of the address, which no browser sends: `c=CODE` or a bare code, `d=DIGEST` of the survey
 * that the link means, `id=NUMBER` of a panel. Joined by "&"; only the code is taken out once it was read.
 */

const KEPT = /^(?:d|id)=/;

const partsOf = (hash) => hash.slice(1).split("&");

/** @param {string} hash @returns {string | null} the digest as it is written there; null where none is named */
export function namedDigest(hash) {
  const named = partsOf(hash).find((part) => part.startsWith("d="));
  return named === undefined ? null : named.slice(2).replaceAll("%20", " ");
}

/** @param {string} hash @returns {{text: string, rest: string}} what should be a code, and what stays without it */
export function codeIn(hash) {
  const isKept = (part) => KEPT.test(part);
  const text = partsOf(hash).filter((part) => !isKept(part)).join("&");
  const rest = partsOf(hash).filter(isKept).join("&");
  return { text: text.replace(/^c=/, "").replaceAll("%20", " "), rest: rest && `#${rest}` };
}
