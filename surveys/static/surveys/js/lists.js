/** Lists: yes/no questions below a common stem. Each line is one answer; boxes are another way to show them. */

import { el } from "./dom.js";
import { said, stemOf } from "./said.js";

/**
 * The stem, to show above the first line of a list; false for other lines and questions.
 * @param {BlockWords} words @param {number[]} shown questions in the order in which they are shown @param {number} place
 * @returns {Stem | false}
 */
export function stemAbove(words, shown, place) {
  const stem = stemOf(words, shown[place]);
  return stem && (place === 0 || stemOf(words, shown[place - 1]) !== stem) && stem;
}

/**
 * Rows of `answerList`, with the stem above the lines of each list.
 * @param {BlockWords} words @param {number[]} shown @param {(question: number) => object} rowOf
 */
export const withStems = (words, shown, rowOf) =>
  shown.map((question, place) => {
    const stem = stemAbove(words, shown, place);
    return { ...rowOf(question), above: stem && said(stem.text) };
  });

/** What is shown above the lines of a list. @param {Stem} stem @param {HTMLElement} title */
export const stemHead = ({ help }, title) => [title, help && el("p", { class: "hint" }, said(help))];
