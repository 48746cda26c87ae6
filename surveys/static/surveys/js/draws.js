/**
 * What a device draws, and how often: needed before the first question, while disguise.js is needed only at the end. As in
 * privacy/survey/grouping.py, answers.py and skips.py.
 */

import { Coins, commonMultiple, wordsBelow } from "./coins.js";
import { kindOf } from "./kinds.js";
import { inGroup, isScale } from "./layout.js";
import { Refusal } from "./refusal.js";

/** Stands for the answers of a block whose questions are all skipped. */
export const SKIPPED = "skipped";

/** @param {Design} design @returns {boolean} whether the direct group is disguised too, but lightly */
export const hasTwoStrengths = ({ blocks }) => blocks.some(({ light }) => light !== undefined);

/**
 * @param {Design} design
 * @returns {number} number of draws for one seal, not counting the draw of an assigned group
 */
export function draws(design) {
  let count = 0;
  for (const block of design.blocks) {
    if (block.protected && isScale(block)) {
      count += wordsBelow(scaleTotal(block));
    } else if (block.protected) {
      count += 1 + (block.refusal === null ? 0 : 1);
      for (const question of block.questions) {
        count += kindOf(question).draws(question);
      }
    }
  }
  return count;
}

/**
 * Draws the group under the policy "assigned": one draw, before all others.
 * @param {Design} design
 * @param {Coins} coins
 * @param {number | null} [invited] the invitation's number, which replaces the draw
 * @returns {boolean} true for the direct group
 */
export function drawGroup(design, coins, invited) {
  if (design.group.policy !== "assigned" || design.group.direct_share === null) {
    throw new Refusal("group_policy", "No group is drawn under this policy.");
  }
  const draw = coins.draw();
  return (invited ?? draw) < design.group.direct_share;
}

/** Draws for each draw of a number or place, so that a skip can be drawn too. @param {Block} block */
export const unskipped = ({ refusal }) => BigInt(refusal === null ? 1 : 10000 - refusal);

export const scaleDraws = ({ questions: [question] }) => kindOf(question).total(question.disguise);

/** Number of highest draws that are sent as "skipped", whatever the answer is. */
const skipDraws = ({ refusal, questions: [question] }) =>
  BigInt(refusal ?? 0) * kindOf(question).decoys(question.disguise);

/** @param {Block} block with a number or a place @returns {bigint} upper limit of its draw, for its strong or only strength */
export const ownTotal = (block) => unskipped(block) * scaleDraws(block) + skipDraws(block);

/** Upper limit of a block's draw; with two strengths a common multiple, so that both use as many words. @param {Block} block */
export function scaleTotal(block) {
  const light = inGroup(block, true);
  return light ? commonMultiple(ownTotal(block), ownTotal(light)) : ownTotal(block);
}

/** @param {Block} block @returns {number} how many of 100 answers are sent as "skipped" */
export const lostOf100 = (block) => Number((1000000n * skipDraws(block)) / ownTotal(block)) / 10000;
