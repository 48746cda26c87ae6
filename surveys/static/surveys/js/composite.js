/**
 * Composite questions: respondents answer components, and the device computes the one answer that it disguises. Nothing about
 * the components leaves this page. Here is which components are asked; composite-answer.js computes the answer, and loads later.
 * As in privacy/survey/composite.py.
 */

import { kindOf } from "./kinds.js";
import { isPosition, Refusal } from "./refusal.js";

export const ANSWERS = ["no", "yes"];

/** @param {Component} component @returns {string[]} keys of its answers; none for a number */
const choices = ({ kind, options = [] }) => (kind === "yes_no" ? ANSWERS : options.map(({ key }) => key));

/** @param {Component} component @param {ComponentAnswer} value @returns {boolean} whether a value is an answer to it */
function fits({ kind, options, number }, value) {
  if (number) {
    return typeof value === "number" && isPosition(value - number.low, number.high - number.low + 1);
  }
  return kindOf({ kind }).fits({ options }, value);
}

/** Whether an answer is one of these; a gap is none. @param {Component} component */
export const meets = (component, value, options) => value !== null && options.includes(choices(component)[value]);

/** The terms of a condition, which is one or several; none for a component that everyone is asked. */
const termsOf = ({ asked_if: condition }) => (condition ? (condition.all ?? condition.any ?? [condition]) : []);

/** Whether a component is asked if these terms hold. @param {Component} component @param {(term: object) => boolean} holds */
const isAskedIf = (component, holds) => (component.asked_if?.any ? termsOf(component).some(holds) : termsOf(component).every(holds));

/** Whether a component is asked only after certain answers to another one. @param {Component} component */
export const isFollower = (component) => termsOf(component).some(({ component: source }) => source);

/** Whether a component is asked only after certain answers to an open question. @param {Component} component */
export const dependsOnOpen = (component) => termsOf(component).some(({ question }) => question);

/**
 * The components that are asked, with their answers; null for a gap. Answers to other components are ignored.
 *
 * @param {Rule} rule
 * @param {Record<string, ComponentAnswer | null | undefined>} answers by key of the component
 * @param {Record<string, string | null | undefined>} chosen by key of an open question, the key of the chosen option
 * @returns {Map<string, ComponentAnswer | null>} in the order in which they are asked
 */
export function askedComponents({ components }, answers, chosen) {
  const found = new Map();
  const byKey = new Map(components.map((component) => [component.key, component]));
  const holds = ({ component: key, question, options }) =>
    key ? meets(byKey.get(key), found.get(key) ?? null, options) : options.includes(chosen[question]);
  for (const component of components) {
    if (isAskedIf(component, holds)) {
      const value = answers[component.key] ?? null;
      if (value !== null && !fits(component, value)) {
        throw new Refusal("answer", `The answer to ${component.key} is none that the component allows.`);
      }
      found.set(component.key, value);
    }
  }
  return found;
}

/**
 * The components that are not asked because of answers to other components. Those that open answers exclude do not count.
 * @param {Rule} rule @param {object} answers as for askedComponents() @param {object} chosen
 * @returns {Set<string>} their keys
 */
export function unaskedFollowers(rule, answers, chosen) {
  const asked = askedComponents(rule, answers, chosen);
  const possible = new Set();
  const couldHold = ({ component: key, question, options }) => (key ? possible.has(key) : options.includes(chosen[question]));
  for (const component of rule.components) {
    if (isAskedIf(component, couldHold)) {
      possible.add(component.key);
    }
  }
  return new Set([...possible].filter((key) => !asked.has(key)));
}

/** The options chosen in open questions, by key. @param {Design} design @param {Answers} answers */
export function chosenOptions({ blocks }, answers) {
  const open = blocks.filter((block) => !block.protected);
  return Object.fromEntries(
    open.flatMap(({ key, questions }) =>
      questions.map((question) => [question.key, kindOf(question).names?.(question)[answers[key]?.[question.key]] ?? null]),
    ),
  );
}
