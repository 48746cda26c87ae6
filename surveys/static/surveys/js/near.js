/**
 * Rows near the true one: with its truth probability a part is sent with at most `radius` answers turned, all such rows
 * equally likely, else as fair coins (protocol coins-3). Twin of privacy/channels/near_truth.py. Loaded only where a
 * part is disguised so, and before its first question is asked.
 */

/** A fraction. @typedef {{up: bigint, down: bigint}} Fraction */

import { wordsBelow } from "./coins.js";
import { near } from "./disguise.js";
import { mostAsked } from "./rotation.js";

/** The version of law and layout of designs with such a part. */
export const MECHANISM = 5;

/** @param {number} length @param {number} radius @returns {bigint} sets of at most so many of so many answers */
function ballSize(length, radius) {
  let size = 0n;
  let sets = 1n;
  for (let weight = 0; weight <= radius; weight += 1) {
    size += sets;
    // Those of one answer more; none where there are no more answers.
    sets = (sets * BigInt(length - weight)) / BigInt(weight + 1);
  }
  return size;
}

/** @param {Block} block @returns {bigint} how many rows are near enough to a true one */
export const ball = (block) => ballSize(mostAsked(block), block.radius);

/** @param {Block} block of one strength @returns {Fraction} the chance of each row near the true one, fair coins apart */
export const own = (block) => ({ up: BigInt(block.truth_probability), down: 10000n * ball(block) });

/**
 * @param {Block} block
 * @param {(Value | null)[]} row null of what was not asked
 * @param {Prevalence} prevalence
 * @returns {Fraction} the chance that the true row is near it
 */
export function around({ questions, radius }, row, prevalence) {
  let down = 1n;
  // Chances of 0, 1, ... differing answers so far.
  let differing = Array.from({ length: radius + 1 }, (_, count) => (count ? 0n : 1n));
  row.forEach((value, position) => {
    if (value === null) {
      return;
    }
    const yes = BigInt(prevalence[questions[position].key][0]);
    const same = value ? yes : 10000n - yes;
    differing = differing.map((chance, count) => same * chance + (10000n - same) * (differing[count - 1] ?? 0n));
    down *= 10000n;
  });
  return { up: differing.reduce((sum, chance) => sum + chance), down };
}

/** @param {Block} block @returns {number} words of the number that says which answers are turned; none of other blocks */
export const words = (block) => (block.radius === undefined ? 0 : wordsBelow(ball(block)));

/**
 * Draws which answers would be turned: by a number below that of the sets, which go as binary numbers.
 * @param {Block} block
 * @param {Coins} coins
 * @returns {((values: (Value | null)[]) => (Value | null)[]) | undefined} turns them; of other blocks none, and no word
 *   is used
 */
export function drawTurn(block, coins) {
  if (block.radius === undefined) {
    return undefined;
  }
  const number = coins.below(ball(block));
  return (values) => turn(block, values, number);
}

/**
 * @param {Block} block
 * @param {(Value | null)[]} values answers, null of what was not asked
 * @param {bigint} number from 0, which turns none
 * @returns {(Value | null)[]} the answers with those turned that the number stands for
 */
export function turn(block, values, number) {
  let left = mostAsked(block);
  let { radius } = block;
  let rest = number;
  return values.map((value) => {
    if (typeof value !== "number") {
      return value;
    }
    left -= 1;
    const without = ballSize(left, radius);
    if (rest < without) {
      return value;
    }
    rest -= without;
    radius -= 1;
    return 1 - value;
  });
}

Object.assign(near, { MECHANISM, words, drawTurn, own, around });
