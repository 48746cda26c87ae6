/**
 * How many people whose true answer is "no" send "yes": the first page's sentence, which fits every yes/no question, also a
 * composite one. And the coins of a question, so that respondents can try them out.
 */

import { fill } from "./dom.js";
import { kindOf } from "./kinds.js";
import { inGroup } from "./layout.js";

const isYesNo = (question) => kindOf(question).items?.(question) === 1;

/** Of 100 people whose true answer is "no": 100 (1 - p)(1 - r) theta. @param {Block} block @param {Question} question */
const ofHundred = ({ truth_probability: truth, refusal }, { unrelated: [theta] }) =>
  ((10000 - truth) * (10000 - (refusal ?? 0)) * theta) / 1e10;

/**
 * @param {Record<string, string>} texts
 * @param {number[]} figures for one or several questions
 * @returns {string} empty if there is no figure, or less than one person in 100
 */
function sentence(texts, figures) {
  const least = Math.min(...figures);
  const isSame = figures.every((figure) => figure === least);
  // Never more than the smallest one.
  const n = isSame ? Math.round(least) : Math.floor(least);
  return figures.length && n > 0 ? fill(isSame ? texts.proof : texts.proof_least, { n }) : "";
}

/** The sentence of one part. @param {Record<string, string>} texts @param {Block} block with one strength @returns {string} empty if not all of its questions are yes/no questions */
export const proofOf = (texts, block) =>
  block.questions.every(isYesNo) ? sentence(texts, block.questions.map((question) => ofHundred(block, question))) : "";

/** Every yes/no question that is disguised, as each strength does. @param {Design} design @returns {{block: Block, question: Question}[]} */
const disguised = ({ blocks }) =>
  [false, true]
    .flatMap((direct) => blocks.map((block) => inGroup(block, direct)))
    .flatMap((block) => (block?.questions ?? []).filter(isYesNo).map((question) => ({ block, question })));

/** The sentence of a whole survey, true of each of its yes/no questions. @param {Record<string, string>} texts @param {Design} design */
export const proofOfAll = (texts, design) => sentence(texts, disguised(design).map(({ block, question }) => ofHundred(block, question)));

/**
 * The coins of the question that reveals most, in ten-thousandths; null if no coin disguises anything.
 * @param {Design} design
 * @returns {{truth: number, refusal: number, theta: number} | null}
 */
export function triedCoins(design) {
  const order = disguised(design).sort((one, other) => ofHundred(one.block, one.question) - ofHundred(other.block, other.question));
  const block = order[0]?.block ?? design.blocks.find((each) => each.protected && each.truth_probability > 0);
  return block ? { truth: block.truth_probability, refusal: block.refusal ?? 0, theta: order[0]?.question.unrelated[0] ?? 5000 } : null;
}
