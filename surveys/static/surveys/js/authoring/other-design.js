/**
 * Named designs of randomised response as Sotto's two chances, and back: every yes/no design is P(report "yes") = c x + d,
 * so p = c and theta = d / (1 - c). In exact whole numbers. Twin of privacy/library/designs.py.
 *
 * @typedef {{up: bigint, down: bigint}} Chance
 * @typedef {{truth: number, unrelated: number, epsilon: number, isTurned: boolean}} Translation chances in
 *   ten-thousandths, the truth rounded down; isTurned: what the design calls "no" is Sotto's "yes"
 */

import { readPercent, WHOLE } from "./chances.js";

/** What each design asks for, and the chance of "yes" of those with and without, over one whole. */
const LAWS = {
  warner: { asks: ["p"], law: (p) => [p.up, p.down - p.up, p.down] },
  forced: { asks: ["yes", "no"], law: (yes, no) => [(no.down - no.up) * yes.down, yes.up * no.down, yes.down * no.down] },
  kuk: { asks: ["yes", "no"], law: (yes, no) => [yes.up * no.down, no.up * yes.down, yes.down * no.down] },
  unrelated: {
    asks: ["p", "theta"],
    law: (p, theta) => {
      const other = (p.down - p.up) * theta.up;
      return [p.up * theta.down + other, other, p.down * theta.down];
    },
  },
  crosswise: { asks: ["p"], law: (p) => [p.up, p.down - p.up, p.down] },
  mangat: { asks: ["p"], law: (p) => [p.down, p.down - p.up, p.down] },
  triangular: { asks: ["p"], law: (p) => [p.down, p.up, p.down] },
};

export const DESIGNS = Object.keys(LAWS);

/** @param {string} design @returns {string[]} names of its chances */
export const asksOf = (design) => LAWS[design].asks;

/**
 * @param {string} text a percentage with at most two decimals, or a fraction as dice give it: "16.67", "1/6"
 * @returns {Chance | null}
 */
export function readChance(text) {
  const fraction = /^\s*(\d{1,6})\s*\/\s*(\d{1,6})\s*$/.exec(text);
  if (!fraction) {
    const share = readPercent(text);
    return share === null ? null : { up: BigInt(share), down: BigInt(WHOLE) };
  }
  const [up, down] = [BigInt(fraction[1]), BigInt(fraction[2])];
  return down > 0n && up <= down ? { up, down } : null;
}

/** epsilon of one question with a coin of its own, from whole numbers. */
const epsilonOf = (carriers, others, whole) =>
  Math.log(Math.max(Number(carriers) / Number(others), Number(whole - others) / Number(whole - carriers)));

/**
 * @param {string} design
 * @param {Chance[]} chances in the order of `asksOf`
 * @returns {Translation | "over" | "constant" | "certain_no" | "certain_yes" | "certain" | "fine"} or why it has none: more
 *   is forced than there is; the report says nothing; one report, or both, can come from one answer only; its chances
 *   are finer than ten-thousandths
 */
export function translated(design, chances) {
  let [carriers, others, whole] = LAWS[design].law(...chances);
  if (design === "forced" && carriers < others) {
    return "over";
  }
  const isTurned = carriers < others;
  if (isTurned) {
    [carriers, others] = [whole - carriers, whole - others];
  }
  if (carriers === others) {
    return "constant";
  }
  if (carriers === whole || others === 0n) {
    return carriers === whole && others === 0n ? "certain" : (carriers === whole) !== isTurned ? "certain_no" : "certain_yes";
  }
  const kept = carriers - others;
  const scale = BigInt(WHOLE);
  const truth = Number((kept * scale) / whole);
  const unrelated = Number((2n * others * scale + (whole - kept)) / (2n * (whole - kept)));
  if (truth < 1 || unrelated < 1 || unrelated >= WHOLE) {
    return "fine";
  }
  return { truth, unrelated, epsilon: epsilonOf(carriers, others, whole), isTurned };
}

/**
 * Sotto's chances as those of the other designs.
 *
 * @param {number} truth in ten-thousandths
 * @param {number} unrelated
 * @returns {{epsilon: number, designs: Record<string, number[] | null>}} chances from 0 to 1 in the order of `asksOf`;
 *   null where a design has none: related questions treat "yes" and "no" alike, so they need theta = 1/2
 */
export function inOtherDesigns(truth, unrelated) {
  const forced = (WHOLE - truth) * unrelated;
  const whole = WHOLE * WHOLE;
  const carriers = truth * WHOLE + forced;
  const related = 2 * unrelated === WHOLE ? [(WHOLE + truth) / (2 * WHOLE)] : null;
  return {
    epsilon: epsilonOf(BigInt(carriers), BigInt(forced), BigInt(whole)),
    designs: {
      warner: related,
      forced: [forced / whole, (whole - carriers) / whole],
      kuk: [carriers / whole, forced / whole],
      unrelated: [truth / WHOLE, unrelated / WHOLE],
      crosswise: related,
    },
  };
}

/**
 * Of 100 answers that a design needs, so many are enough with theta = 1/2 at the same epsilon: the ratio of
 * l (1 - l) / c^2, rounded down.
 *
 * @param {number} truth in ten-thousandths
 * @param {number} unrelated
 * @param {number} share of those with the answer, 0 to 1
 */
export function answersWithEvenDecoys(truth, unrelated, share) {
  const { epsilon } = inOtherDesigns(truth, unrelated);
  const variance = (p, theta) => {
    const yes = p * share + (1 - p) * theta;
    return (yes * (1 - yes)) / (p * p);
  };
  return Math.floor((100 * variance(Math.tanh(epsilon / 2), 0.5)) / variance(truth / WHOLE, unrelated / WHOLE) + 1e-9);
}

/** A chance as a percentage of at most four decimals. @param {number} chance */
export const asPercent = (chance) => String(Number((100 * chance).toFixed(4)));

/**
 * The part with these chances for each of its yes/no questions.
 *
 * @param {any} block
 * @param {Translation} found
 */
export const withDesign = (block, { truth, unrelated }) => ({
  ...block,
  truth_probability: truth,
  questions: block.questions.map((question) =>
    question.kind === "yes_no" ? { ...question, unrelated: [unrelated] } : question,
  ),
});
