/**
 * A survey's digest as in links and letters: 132 bits in base64url, or 100 bits in Crockford's base 32.
 * As in surveys/respondent/client_documents.py, and tested with the same vectors.
 */

import { ALPHABET, plainly } from "./code.js";

/** @param {string} root 64 hex digits */
export function digestInLink(root) {
  const bytes = root.match(/../g).map((pair) => String.fromCharCode(parseInt(pair, 16)));
  return btoa(bytes.join("")).replaceAll("+", "-").replaceAll("/", "_").slice(0, 22);
}

/** @param {string} root 64 hex digits */
export function digestInPrint(root) {
  const digits = BigInt(`0x${root.slice(0, 25)}`).toString(32).padStart(20, "0");
  return Array.from(digits, (digit) => ALPHABET[parseInt(digit, 32)]).join("").replace(/.{5}(?!$)/g, "$&-");
}

/** Whether a written digest, in either form, belongs to a root. @param {string} root @param {string} written */
export const isNamed = (root, written) =>
  written === digestInLink(root) || plainly(written) === digestInPrint(root).replaceAll("-", "");
