/**
 * Ask the components of composite questions in the place of these, and compute the answers that are disguised. The true design,
 * which decides what is drawn and sent, stays as it is.
 */

import * as flow from "./flow.js";
import { askedComponents, chosenOptions, composed, total } from "./composite.js";
import { isScaleKind } from "./kinds.js";
import { isRotating, mostAsked } from "./rotation.js";

/**
 * A component as a question of the page.
 * @param {Component} component @param {Question} question the composite one @param {boolean} canSkip whether its part can be skipped
 */
function asQuestion({ key, kind, options = [], number, instructed }, question, canSkip) {
  const range = number && { ...number, decimals: 0, bin: 1 };
  return {
    key,
    kind: kind === "several" ? "multi" : kind,
    options: options.map((option) => option.key),
    composite: question.key,
    // A gap that would make the part a skip is none: respondents choose "Prefer not to say" instead.
    mayLeave: canSkip && !instructed && question.computed.missing.at_most > 0,
    ...(number && { disguise: { range, window: 1, cyclic: false } }),
  };
}

/** By question of a block: its own position, or those of its components, in the block as it is asked. @returns {number[][]} */
function positions({ questions }) {
  let next = 0;
  return questions.map(({ computed }) => (computed?.components ?? [null]).map(() => next++));
}

/** The largest number of components and questions that a device is asked in a rotating block. */
function mostComponents(block) {
  const counts = positions(block).map((own) => own.length);
  const sum = (list) => list.reduce((total, count) => total + count, 0);
  const sizes = [...counts].sort((one, other) => other - one).slice(0, mostAsked(block));
  return block.booklets ? Math.max(...block.booklets.map((booklet) => sum(booklet.map((place) => counts[place])))) : sum(sizes);
}

/** @param {Block} block @returns {Block} with components in the place of composite questions */
const askedBlock = (block) => ({
  ...block,
  ...(isRotating(block) && { questions_per_person: mostComponents(block) }),
  questions: block.questions.flatMap((question) =>
    question.computed ? question.computed.components.map((one) => asQuestion(one, question, block.refusal !== null)) : [question],
  ),
});

const askedDesign = (design) => ({ ...design, blocks: design.blocks.map(askedBlock) });

/** The survey as it is asked. @param {Page} page @returns {Page} */
export const asked = (page) => ({
  ...page,
  design: askedDesign(page.design),
  wording: page.wording.map((words) => ({ ...words, questions: words.questions.flatMap((one) => one.components ?? [one]) })),
});

/** The answers of a block as the rule reads them: numbers instead of their positions; gaps are absent. */
function readable({ key, questions }, answers) {
  const given = typeof answers[key] === "object" ? answers[key] : {};
  const numbers = questions.filter((question) => question.composite && isScaleKind(question) && given[question.key] !== undefined);
  return { ...given, ...Object.fromEntries(numbers.map((one) => [one.key, given[one.key] + one.disguise.range.low])) };
}

/** The state of a respondent who is asked components. @param {State} begun of the true design @returns {State} */
export function begun({ design, drawn, ...state }) {
  const own = askedDesign(design);
  return {
    ...state,
    design: own,
    drawn: drawn.map((list, block) => list.flatMap((place) => positions(design.blocks[block])[place])),
    /** The true design and draw, for sealing. */
    sent: { design, drawn },
    isAsked: (now, block, place) => {
      const question = own.blocks[block].questions[place];
      const whole = design.blocks[block].questions.find(({ key }) => key === question.composite);
      return !whole || evaluated(askedComponents, now, block, whole).has(question.key);
    },
  };
}

/** What a rule of composite.js finds from the answers so far. @param {State} state @param {number} block @param {Question} question */
function evaluated(rule, state, block, { computed }) {
  const { answers } = flow.toSeal(state);
  return rule(computed, readable(state.design.blocks[block], answers), chosenOptions(state.sent.design, answers));
}

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
