/**
 * What the screens of composite questions say about their answers, and what is sealed of them. Loaded while respondents answer
 * question 1; no question can be left before.
 */

import * as flow from "./flow.js";
import { evaluated, readable } from "./components.js";
import { composed, total } from "./composite-answer.js";
import { dependsOnOpen, isFollower } from "./composite.js";

/**
 * The composite questions of a block.
 * @param {Block} block @param {object} words its texts @returns {Followed[]}
 */
export const followed = ({ questions }, words) =>
  questions.flatMap((question, place) => {
    const { components = [] } = question.computed ?? {};
    const isEvened = components.length > 0 && words.questions[place].neutral !== undefined;
    const isBranching = !isEvened && components.some(isFollower);
    const isVarying = components.some(isEvened ? dependsOnOpen : (component) => component.asked_if);
    return question.computed ? [{ ...question, isEvened, isBranching, isVarying }] : [];
  });

/** The sum of a composite question; null for a skip. @returns {number | null} */
export const totalOf = (state, block, question) => evaluated(total, state, block, question);

/** Arguments for `disguise`, which sees no component. @param {State} state */
export function toSeal(state) {
  const { design, drawn } = state.sent;
  const given = flow.toSeal(state).answers;
  const blocks = state.design.blocks.filter(({ key }) => typeof given[key] === "object");
  const read = blocks.map((block) => [block.key, readable(block, given)]);
  return { answers: composed(design, { ...given, ...Object.fromEntries(read) }, drawn), drawn };
}
