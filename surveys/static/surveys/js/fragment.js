/**
 * The part of the address after "#", which browsers never send: `c=CODE` or a bare code, `d=DIGEST` of the survey, and
 * `id=NUMBER` of a panel, joined by "&". Only the code is removed after it has been read. A code or a digest ends where something
 * follows that neither contains, such as a bracket or a full stop behind a pasted link.
 */

export const partsOf = (hash) => hash.slice(1).split("&");

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A code or a digest without what follows it. @param {string} text */
export const written = (text) => /^[-\w\s.‐-―]*/.exec(decoded(text))[0].replace(/[\s.]+$/, "");

/** @param {string} hash @returns {string | null} the digest as written in the fragment; null if there is none */
export function namedDigest(hash) {
  const named = partsOf(hash).find((part) => part.startsWith("d="));
  return named === undefined ? null : written(named.slice(2));
}
