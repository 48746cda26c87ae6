/**
 * A part of which answers near the true ones are sent, while it is being written: edits, as pure functions, and what is
 * left of the answers. Twin of privacy/channels/near_truth.py.
 */

import { ball } from "../near.js";
import { leastLikelyDecoy } from "../odds.js";
import { mostAsked } from "../rotation.js";
import { amplification } from "./budget.js";
import { asDrawn, exact } from "./drawn-part.js";
import { getAt, setAt } from "./paths.js";
import { isReadable } from "./privacy.js";
import { strengthOf, truthFor } from "./strength.js";

const NEAR = "near_truth";
const EVEN = 5_000;
const WHOLE = 10_000n;

/** Whether a part could be sent so, its chances left aside: two or more yes/no questions are asked together. */
export const canBeNear = (block) =>
  block.questions.every(({ kind }) => kind === "yes_no") && mostAsked(asDrawn(block)) > 1;

/** A part as it is drawn, with chances that can be what they are; null while they cannot. */
function readable(block) {
  const drawn = { ...asDrawn(block), protected: true, refusal: block.refusal ?? null };
  return isReadable(drawn) ? drawn : null;
}

/** The largest truth probability, in ten-thousandths, with which a part tells no more than gamma. */
function truthWithin(block, { up, down }) {
  const row = leastLikelyDecoy({ blocks: [block] }, 0);
  // p / (1 - p) = (gamma - 1) q, and a near row has a share of p only; fair coins make q = 2^-j.
  const rows = row === "skipped" ? null : 1n << BigInt(mostAsked(block));
  const odds = { up: (up - down) * (block.radius === undefined ? 1n : ball(block)), down: down * (rows ?? 1n) };
  const truth = (WHOLE * odds.up) / (odds.up + odds.down);
  return Number(truth < 1n ? 1n : truth >= WHOLE ? WHOLE - 1n : truth);
}

/** The document with a part that tells as much as it did before its disguise was changed. */
function asTelling(document, path, before) {
  const [was, block] = [readable(before), readable(getAt(document, path))];
  const gamma = was && block && amplification({ blocks: [was] }, 0);
  if (!gamma) {
    return document;
  }
  const strength = strengthOf(before);
  const truth = strength ? truthFor(getAt(document, path), strength) : truthWithin(block, gamma);
  return setAt(document, [...path, "truth_probability"], truth);
}

/**
 * Send answers near the true ones where they are not random, or the true ones. Near ones go with fair coins, and leave
 * no answer that could be skipped or that excludes another.
 */
export function withNear(document, place, isNear) {
  const path = ["blocks", place];
  const before = getAt(document, path);
  const { exclusive: _, ...block } = before;
  const next = isNear
    ? {
        ...block,
        mechanism: NEAR,
        radius: 1,
        refusal: null,
        questions: block.questions.map((question) => ({ ...question, unrelated: [EVEN] })),
      }
    : exact(before);
  return asTelling(setAt(document, path, next), path, before);
}

/** Change at most so many of the answers. @param {any} radius */
export function withRadius(document, place, radius) {
  const path = ["blocks", place];
  return asTelling(setAt(document, [...path, "radius"], radius), path, getAt(document, path));
}

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

/**
 * What is left of one, two and three answers, and what would be left of each with the same protection were the true ones
 * sent; null while the part cannot be read.
 * @param {any} block
 * @returns {{left: number[], plain: number} | null}
 */
export function whatIsLeft(block) {
  const drawn = readable(block);
  if (drawn?.radius === undefined) {
    return null;
  }
  const plain = exact(drawn);
  const truth = truthWithin(plain, amplification({ blocks: [drawn] }, 0));
  return { left: factors(drawn, 3), plain: truth / 10_000 };
}
