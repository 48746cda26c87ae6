/**
 * The largest cost of a block: amplification and epsilon, in exact fractions; see privacy/risk/budget.py.
 */

import { probability, leastLikelyDecoy } from "../odds.js";

/**
 * gamma of a block, 1 + p / ((1 - p) q) with q the probability of the least likely decoy, in lowest terms; null if infinite.
 * @param {Design} design
 * @param {number} blockIndex
 * @returns {{up: bigint, down: bigint} | null}
 */
export function amplification(design, blockIndex) {
  const block = design.blocks[blockIndex];
  const row = leastLikelyDecoy(design, blockIndex);
  const decoy = probability(block, row, (question) => question.unrelated);
  const truth = BigInt(block.truth_probability);
  // p / ((1 - p) q): both p are in ten-thousandths, which cancel.
  const up = truth * decoy.down;
  const down = (10000n - truth) * decoy.up;
  if (down === 0n) {
    return null;
  }
  const divisor = greatestCommonDivisor(up + down, down);
  return { up: (up + down) / divisor, down: down / divisor };
}

/** @returns {number} the natural logarithm of gamma; Infinity if gamma is null */
export function epsilonOf(gamma) {
  if (gamma === null) {
    return Infinity;
  }
  const shift = Math.max(bits(gamma.up) - bits(gamma.down) - 52, 0);
  // Both parts fit into a double: the whole number and 15 decimals.
  const cut = gamma.down << BigInt(shift);
  const ratio = Number((gamma.up * 10n ** 15n) / cut) / 1e15;
  return Math.log(ratio) + shift * Math.LN2;
}

/** @returns {number} gamma as a number for display */
export function gammaNumber(gamma) {
  return gamma === null ? Infinity : Math.exp(epsilonOf(gamma));
}

function bits(value) {
  return value.toString(2).length;
}

function greatestCommonDivisor(a, b) {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
