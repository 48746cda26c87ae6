/** What is left of answers where answers near the true ones are sent. Twin of privacy/channels/near_truth.py. */

import { ball } from "../near.js";
import { mostAsked } from "../rotation.js";

function choose(n, k) {
  let sets = 1;
  for (let one = 1; one <= k; one += 1) {
    sets = (sets * (n - one + 1)) / one;
  }
  return k < 0 ? 0 : sets;
}

/** The sum of (-1)^(answers of a set that are turned) over all ways to turn at most so many of n, for a set of `size`. */
function signed(size, radius, n) {
  // Up to the radius the sums over exactly w turned ones add up to the one of n - 1 and a set less by one.
  return Array.from({ length: radius + 1 }, (_, i) => i).reduce(
    (sum, i) => sum + (i % 2 ? -1 : 1) * choose(size - 1, i) * choose(n - size, radius - i),
    0,
  );
}

/**
 * b_1, b_2, ...: what one answer, two together, ... are shrunk by; of the true answers the truth probability each.
 * @param {Block} block as it is drawn
 * @param {number} sizes how many
 * @returns {number[]}
 */
export function factors(block, sizes) {
  const truth = block.truth_probability / 10_000;
  const n = mostAsked(block);
  return Array.from({ length: Math.min(sizes, n) }, (_, at) =>
    block.radius === undefined ? truth : (truth * signed(at + 1, block.radius, n)) / Number(ball(block)),
  );
}
