/**
 * How well a part protects, in three strengths: each says how sure somebody could become, and Sotto finds the truth
 * probability or the epsilon that keeps it. Which one a part has is not written down: it is the one whose chances it has.
 */

import { ball } from "../near.js";
import { chance, leastLikelyDecoy } from "../odds.js";
import { asDrawn } from "./drawn-part.js";
import { setAt } from "./paths.js";
import { isReadable } from "./privacy.js";
import { isScaleBlock } from "./scale.js";

/** Of 100: how sure somebody becomes at most of an answer, who held it for an even chance and reads what is sent. */
export const SURE = { strong: 75, medium: 90, light: 95 };
/** A part of this strength passes every check, and leaves a percentage of a few questions readable. */
export const PROPOSED = "medium";

const MOST = 9_999n;
const WHOLE = 10_000n;

/**
 * The largest truth probability with which nobody becomes surer: p / (1 - p) = (gamma - 1) q, where q is the chance of
 * the least likely decoy and gamma = m / (100 - m) makes an even chance m of 100. Of rows near the true one, all alike
 * likely, p is shared by all.
 *
 * @param {any} block protected, with questions to be ticked
 * @param {keyof SURE} strength
 * @returns {number | null} in ten-thousandths; null where its chances are not right yet
 */
export function truthFor(block, strength) {
  const asked = { ...asDrawn(block), protected: true, truth_probability: 1, refusal: block.refusal ?? null };
  if (asked.questions.length > 0 && !isReadable(asked)) {
    return null;
  }
  const row = leastLikelyDecoy({ blocks: [asked] }, 0);
  const { up, down } = chance(asked, row, ({ unrelated }) => unrelated);
  const sure = BigInt(SURE[strength]);
  const odds = (2n * sure - 100n) * up * (asked.radius === undefined ? 1n : ball(asked));
  const truth = (WHOLE * odds) / (odds + (100n - sure) * down);
  return Number(truth < 1n ? 1n : truth > MOST ? MOST : truth);
}

/** The same of a number or a place: its epsilon, cut to two decimals. @param {keyof SURE} strength */
export const epsilonFor = (strength) => Math.floor(100 * Math.log(SURE[strength] / (100 - SURE[strength]))) / 100;

/** @returns {keyof SURE | null} null where a part has a chance that somebody chose */
export const strengthOf = (block) =>
  Object.keys(SURE).find((strength) => truthFor(block, strength) === block.truth_probability) ?? null;

/** @returns {keyof SURE | null} the same of a number or a place */
export const strengthAt = (epsilon) => Object.keys(SURE).find((strength) => epsilonFor(strength) === epsilon) ?? null;

/** 19 times of 20 a share is off by less than 1.96 errors. */
const ERRORS = 1.96;

/**
 * Answers with which a share is off by at most so much: at most (1.96 / (2 p m))^2, two digits of it, rounded up.
 *
 * @param {number} truth what one answer is shrunk by, in ten-thousandths: of the plain disguise its truth probability
 * @param {number} off
 * @param {number} [asked] the share of respondents who are asked
 */
export function answersFor(truth, off, asked = 1) {
  const answers = ((ERRORS * 10_000) / (2 * truth * off)) ** 2 / asked;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(answers)) - 1);
  return unit * Math.ceil(answers / unit);
}

/**
 * The document with each part as strong as it was before, whatever was changed in it.
 *
 * @param {any} document
 * @param {any} before
 */
export function keepStrengths(document, before) {
  const known = new Map(before.blocks.map((block) => [block.key, block]));
  return document.blocks.reduce((next, block, place) => {
    const was = known.get(block.key);
    const isKept = was && was !== block && was.truth_probability === block.truth_probability;
    if (!isKept || !was.protected || !block.protected || isScaleBlock(was) || isScaleBlock(block)) {
      return next;
    }
    const strength = strengthOf(was);
    const truth = strength && truthFor(block, strength);
    return truth ? setAt(next, ["blocks", place, "truth_probability"], truth) : next;
  }, document);
}
