/** What a part is called where it is listed, and on its own screens. Many parts have no title. */

import { fill, plural } from "./dom.js";
import { isArm } from "./layout.js";
import { mostAsked } from "./rotation.js";
import { said, titleOf } from "./said.js";

/** How many questions of a part one device asks: "3 questions". @param {Record<string, string>} texts @param {Block} block */
function countSaid(texts, block) {
  const questions = mostAsked(block);
  return fill(plural(texts, "part_questions", questions), { questions });
}

/** The heading of a part's own screen, which shows its number, too. @param {Record<string, string>} texts @param {BlockWords} words @param {Block} block */
export const partHeading = (texts, words, block) => (titleOf(words) ? said(titleOf(words)) : countSaid(texts, block));

/** The parts that people see, which are numbered in this order. @param {Block[]} blocks all */
export const partsOf = (blocks) => blocks.filter((each) => !isArm(each));

/**
 * What a part without a title is called among others: "Part 2"; the number of its questions if it is the only one. A part has
 * one name on all pages, even if the device is not asked all parts.
 * @param {Record<string, string>} texts @param {Block} block
 * @param {Block[]} blocks all parts of the survey, in their order
 */
export function placeSaid(texts, block, blocks) {
  const parts = partsOf(blocks);
  return parts.length > 1 ? fill(texts.part_number, { number: parts.indexOf(block) + 1 }) : countSaid(texts, block);
}

/** The name of a part among others, with the parameters of `placeSaid`. @param {Record<string, string>} texts @param {BlockWords} words */
export const partName = (texts, words, block, blocks) => (titleOf(words) ? said(titleOf(words)) : placeSaid(texts, block, blocks));
