/**
 * What this device does to a number or a place, and to one that is skipped. Twin of privacy/disguise/skipping.py.
 *
 * One draw: the highest say "skipped" whatever the answer is; under the others an answer is exchanged as its
 * disguise says, and a skip says the same where that does not depend on the answer, and "skipped" else.
 *
 * @typedef {import("./disguise.js").Block} Block
 */

import { isNumberDecoy, numberDecoys, numberTotal, sentNumber } from "./numbers.js";
import { isPlaceDecoy, placeDecoys, placeTotal, sentPlace } from "./places.js";

const SCALE = 10000n;

/** @param {Block} block @returns {{total: bigint, decoys: bigint}} of its disguise alone */
function inner({ questions: [{ kind, disguise }] }) {
  return kind === "number"
    ? { total: numberTotal(disguise), decoys: numberDecoys(disguise) }
    : { total: placeTotal(disguise), decoys: placeDecoys(disguise) };
}

/** @param {Block} block of a number or a place @returns {bigint} what its draw lies below */
export function loneTotal(block) {
  const { total, decoys } = inner(block);
  return block.refusal === null ? total : (SCALE - BigInt(block.refusal)) * total + BigInt(block.refusal) * decoys;
}

/**
 * @param {Block} block of a number or a place
 * @param {number | null} value the true answer, null for a skip
 * @param {bigint} draw
 * @returns {number | null} what is sent, null for "skipped"
 */
export function loneSent(block, value, draw) {
  const [{ kind, disguise }] = block.questions;
  const rest = block.refusal === null ? draw : draw / (SCALE - BigInt(block.refusal));
  if (rest >= inner(block).total) {
    return null;
  }
  const isNumber = kind === "number";
  if (value === null && !(isNumber ? isNumberDecoy : isPlaceDecoy)(disguise, rest)) {
    return null;
  }
  return (isNumber ? sentNumber : sentPlace)(disguise, value ?? 0, rest);
}

/** @param {Block} block that may be skipped @returns {number} of 100 answers, how many are sent as "skipped" */
export function lostOf100(block) {
  const lost = BigInt(block.refusal ?? 0) * inner(block).decoys;
  return Number((1000000n * lost) / loneTotal(block)) / 10000;
}
