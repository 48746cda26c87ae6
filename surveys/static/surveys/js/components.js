/**
 * Ask the components of composite questions in the place of these. The true design, which decides what is drawn and sent, stays as
 * it is.
 */

import * as flow from "./flow.js";
import { askedComponents, chosenOptions, isFollower, unaskedFollowers } from "./composite.js";
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
    kind,
    options: options.map((option) => option.key),
    composite: question.key,
    // A gap that would make the part a skip is none: respondents choose "Prefer not to say" instead.
    mayLeave: refusal !== null && !instructed && rules.every(({ missing }) => missing.at_most > 0),
    ...(number && { disguise: { range, window: 1, cyclic: false } }),
  };
}

/** A list without the entries whose key an earlier one has: a filter that several composite questions share is asked once. */
function once(list, keyOf = ({ key }) => key) {
  const first = new Map();
  list.forEach((one) => first.has(keyOf(one)) || first.set(keyOf(one), one));
  return [...first.values()];
}

/** What respondents see in the place of a question. @param {Question} question */
const seen = (question) => question.computed?.components ?? [question];

/**
 * What is asked in the place of a question: itself, or its components. A neutral question follows each component that some
 * answers leave out, if the survey has them; it is shown instead. Its answer belongs to no component, so nothing reads it.
 * @param {Question} question @param {object} words its texts @param {Block} block
 * @returns {{question: Question, words: object}[]}
 */
function inPlaceOf(question, words, block) {
  if (!question.computed) {
    return [{ question, words }];
  }
  const neutral = [...(words?.neutral ?? [])];
  return question.computed.components.flatMap((component, place) => {
    const own = asQuestion(component, question, block);
    const { composite, mayLeave } = own;
    const text = isFollower(component) && neutral.shift();
    // No key of a component contains a blank.
    const instead = { key: `${own.key} neutral`, kind: "yes_no", options: [], composite, mayLeave, insteadOf: own.key };
    return [
      { question: own, words: words?.components[place] },
      ...(text ? [{ question: instead, words: { text, help: "", options: [] } }] : []),
    ];
  });
}

/** By question of a block, what is asked in its place. */
const places = (block, words) => block.questions.map((question, place) => inPlaceOf(question, words?.questions[place], block));

/** Everything that is asked in a block. */
const together = (lists) => once(lists.flat(), ({ question }) => question.key);

/** The positions of drawn questions, or of their components, in the block as it is asked. @returns {number[]} ascending */
function positions(block, words, drawn) {
  const own = places(block, words);
  const keys = new Set(drawn.flatMap((place) => own[place].map(({ question }) => question.key)));
  return together(own).flatMap(({ question }, place) => (keys.has(question.key) ? [place] : []));
}

/**
 * The largest number of questions that a device shows of a block; at most that in a rotating block without stated sets. Neutral
 * questions are shown instead of others.
 */
function mostComponents(block) {
  if (block.booklets) {
    return Math.max(...block.booklets.map((booklet) => once(booklet.flatMap((place) => seen(block.questions[place]))).length));
  }
  const shared = once(block.questions.flatMap(seen).filter((one) => one.shared)).length;
  const own = block.questions.map((question) => seen(question).filter((one) => !one.shared).length);
  return own.sort((one, other) => other - one).slice(0, mostAsked(block)).reduce((total, count) => total + count, shared);
}

/** @param {Block} block @param {object} words its texts @returns {Block} with components in the place of composite questions */
const askedBlock = (block, words) => ({
  ...block,
  ...(isRotating(block) && { questions_per_person: mostComponents(block) }),
  most_shown: mostComponents(block),
  questions: together(places(block, words)).map(({ question }) => question),
});

const askedDesign = (design, wording) => ({ ...design, blocks: design.blocks.map((block, place) => askedBlock(block, wording[place])) });

/** The survey as it is asked. @param {Page} page @returns {Page} */
export const asked = (page) => ({
  ...page,
  design: askedDesign(page.design, page.wording),
  wording: page.wording.map((own, place) => ({
    ...own,
    questions: together(places(page.design.blocks[place], own)).map(({ words }) => words),
  })),
});

/** The answers of a block as the rule reads them: numbers instead of their positions; gaps are absent. */
export function readable({ key, questions }, answers) {
  const given = typeof answers[key] === "object" ? answers[key] : {};
  const numbers = questions.filter((question) => question.composite && isScaleKind(question) && given[question.key] !== undefined);
  return { ...given, ...Object.fromEntries(numbers.map((one) => [one.key, given[one.key] + one.disguise.range.low])) };
}

/** The state of a respondent who is asked components. @param {State} begun of the true design @param {object[]} [wording] its texts, which say whether there are neutral questions @returns {State} */
export function begun({ design, drawn, ...state }, wording = []) {
  const own = askedDesign(design, wording);
  return {
    ...state,
    design: own,
    drawn: drawn.map((list, block) => positions(design.blocks[block], wording[block], list)),
    /** The true design and draw, for sealing. */
    sent: { design, drawn },
    isAsked: (now, block, place) => {
      const question = own.blocks[block].questions[place];
      const whole = design.blocks[block].questions.find(({ key }) => key === question.composite);
      const { key, insteadOf } = question;
      return !whole || evaluated(insteadOf ? unaskedFollowers : askedComponents, now, block, whole).has(insteadOf ?? key);
    },
  };
}

/** What a rule of composite.js finds from the answers so far. @param {State} state @param {number} block @param {Question} question */
export function evaluated(rule, state, block, { computed }) {
  const { answers } = flow.toSeal(state);
  return rule(computed, readable(state.design.blocks[block], answers), chosenOptions(state.sent.design, answers));
}
