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
 * @param {Component} component @param {Question} question the first composite one that contains it @param {Block} block
 */
function asQuestion({ key, kind, options = [], number, instructed }, question, { questions, refusal }) {
  const range = number && { ...number, decimals: 0, bin: 1 };
  const rules = questions.flatMap(({ computed }) => (computed?.components.some((one) => one.key === key) ? [computed] : []));
  return {
    key,
    kind: kind === "several" ? "multi" : kind,
    options: options.map((option) => option.key),
    composite: question.key,
    // A gap that would make the part a skip is none: respondents choose "Prefer not to say" instead.
    mayLeave: refusal !== null && !instructed && rules.every(({ missing }) => missing.at_most > 0),
    ...(number && { disguise: { range, window: 1, cyclic: false } }),
  };
}

/** A list without the entries whose key an earlier one has: a filter that several composite questions share is asked once. */
const once = (list) => list.filter(({ key }, place) => list.findIndex((one) => one.key === key) === place);

/** What respondents see in the place of a question. @param {Question} question */
const seen = (question) => question.computed?.components ?? [question];

/** By question of a block: its own position, or those of its components, in the block as it is asked. @returns {number[][]} */
function positions({ questions }) {
  const keys = once(questions.flatMap(seen)).map(({ key }) => key);
  return questions.map((question) => seen(question).map(({ key }) => keys.indexOf(key)));
}

/** The positions of several questions, in the order in which they are asked. */
const together = (lists) => [...new Set(lists.flat())].sort((one, other) => one - other);

/** The largest number of components and questions that a device is asked in a rotating block; at most that without stated sets. */
function mostComponents(block) {
  const places = positions(block);
  if (block.booklets) {
    return Math.max(...block.booklets.map((booklet) => together(booklet.map((place) => places[place])).length));
  }
  const shared = once(block.questions.flatMap(seen).filter((one) => one.shared)).length;
  const own = block.questions.map((question) => seen(question).filter((one) => !one.shared).length);
  return own.sort((one, other) => other - one).slice(0, mostAsked(block)).reduce((total, count) => total + count, shared);
}

/** @param {Block} block @returns {Block} with components in the place of composite questions */
const askedBlock = (block) => ({
  ...block,
  ...(isRotating(block) && { questions_per_person: mostComponents(block) }),
  questions: once(
    block.questions.flatMap((question) => (question.computed ? question.computed.components.map((one) => asQuestion(one, question, block)) : [question])),
  ),
});

const askedDesign = (design) => ({ ...design, blocks: design.blocks.map(askedBlock) });

/** The survey as it is asked. @param {Page} page @returns {Page} */
export const asked = (page) => ({
  ...page,
  design: askedDesign(page.design),
  wording: page.wording.map((words) => ({ ...words, questions: once(words.questions.flatMap((one) => one.components ?? [one])) })),
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
    drawn: drawn.map((list, block) => together(list.map((place) => positions(design.blocks[block])[place]))),
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
