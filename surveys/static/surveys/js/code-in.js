/** The invitation's code in the part of the address after "#". As fragment.js says, only the code is removed after it has been read. */

import { partsOf, written } from "./fragment.js";

const KEPT = /^(?:d|id)=/;

/** @param {string} hash @returns {{text: string, rest: string}} text: presumably a code; rest: the fragment without it */
export function codeIn(hash) {
  const kept = partsOf(hash).filter((part) => KEPT.test(part));
  const others = partsOf(hash).filter((part) => !KEPT.test(part));
  const code = (others.find((part) => part.startsWith("c=")) ?? others.join("&")).replace(/^c=/, "");
  const rest = kept.join("&");
  return { text: written(code) || code, rest: rest && `#${rest}` };
}
