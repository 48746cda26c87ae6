/**
 * Which questions this device asks, drawn before any answer is given (protocol coins-2). As in
 * privacy/survey/drawn_questions.py.
 *
 * The result stays in the page's memory, is drawn only once per load, and is sent undisguised.
 */

import { isRotating, mostAsked } from "./rotation.js";

/** The sets of questions from which a device draws one. @param {Block} block @returns {Sets} */
const questionSets = (block) => ({ total: block.questions.length, size: mostAsked(block), listed: block.booklets });

/** The sets of parts from which a device draws one. @param {Rotation} rotation @returns {Sets} */
const partSets = ({ blocks, parts_per_person: size, blanks = 0 }) => ({ total: blocks.length + blanks, size });

/** The binomial coefficient. @param {number} total @param {number} size @returns {bigint} */
function choose(total, size) {
  let result = 1n;
  for (let taken = 0; taken < size; taken += 1) {
    result = (result * BigInt(total - taken)) / BigInt(taken + 1);
  }
  return result;
}

/** @param {Sets} sets @returns {bigint} the number of sets */
const count = ({ total, size, listed }) => (listed ? BigInt(listed.length) : choose(total, size));

/** @param {Sets} sets @param {bigint} number from 0, in lexicographic order @returns {number[]} the set with this number */
function numbered({ total, size, listed }, number) {
  if (listed) {
    return listed[Number(number)];
  }
  const found = [];
  let rest = number;
  for (let position = 0; found.length < size; position += 1) {
    const having = choose(total - position - 1, size - found.length - 1);
    if (rest < having) {
      found.push(position);
    } else {
      rest -= having;
    }
  }
  return found;
}

/** @param {Design} design @returns {Sets[]} from each of these one set is drawn, in this order */
const allSets = ({ rotations = [], blocks }) => [
  ...rotations.map(partSets),
  ...blocks.filter(isRotating).map(questionSets),
];

/** @param {Design} design @returns {number} words that drawing its questions needs: at most two for each number below 2^53 */
export const drawWords = (design) => 2 * allSets(design).length;

/**
 * Draws which questions to ask: for each rotation its parts, then for each rotating block its questions, even if that
 * block was not drawn.
 * @param {Design} design
 * @param {Coins} coins with a separate fill
 * @param {number[] | null} [turn] in a series, the positions of the first rotation that this person is asked, instead of a draw
 * @returns {Drawn}
 */
export function drawQuestions(design, coins, turn = null) {
  const drawn = allSets(design).map((sets) => numbered(sets, coins.below(count(sets))));
  drawn.splice(0, turn ? 1 : 0, ...(turn ? [turn] : []));
  const leftOut = new Set();
  for (const { blocks } of design.rotations ?? []) {
    const parts = drawn.shift();
    blocks.forEach((key, part) => parts.includes(part) || leftOut.add(key));
  }
  return design.blocks.map((block) => {
    const mine = isRotating(block) ? drawn.shift() : [...block.questions.keys()];
    return leftOut.has(block.key) ? [] : mine;
  });
}
