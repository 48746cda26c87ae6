/**
 * The one answer that the device computes from the components of a composite question, and disguises. As in
 * privacy/survey/composite.py; all numbers are whole, so both compute the same answer.
 */

import { ANSWERS, askedComponents, chosenOptions, meets } from "./composite.js";
import { Refusal } from "./refusal.js";

/** @param {Component} component @returns {number[]} its points: one per answer, or per band of a number */
const pointsIn = ({ points, options, bands = [] }) => points ?? (options ?? bands).map((entry) => entry.points);

/** @param {Component} component @param {ComponentAnswer | null} value @param {number[]} [points] that replace its own */
function pointsOf(component, value, points = pointsIn(component)) {
  if (value === null) {
    return 0;
  }
  if (component.number) {
    const isInside = ({ from, to }) => from <= value && value <= to;
    return points[(component.bands ?? []).findIndex(isInside)] ?? 0;
  }
  return Array.isArray(value) ? sum(points.filter((_, option) => value[option] === 1)) : points[value];
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** @returns {number | null} a sum with its gaps filled; null if there are too many of them, or no answer */
function filled({ at_most: most, as: way }, values, points) {
  const asked = values.length;
  const answered = values.filter((value) => value !== null).length;
  if (asked - answered > most || (asked && !answered)) {
    return null;
  }
  // Exact: the numbers are below 2^53, and a quotient that is not whole is at least 1/80 away from whole numbers.
  return way === "no_points" || asked === answered ? points : Math.floor((2 * points * asked + answered) / (2 * answered));
}

/** The last level whose start is at most the sum. */
const levelAt = (levels, total) => levels.findLast(({ from }) => from === undefined || from <= total);

/** @returns {Map<string, number> | null} the points of each step; null if one of them has too many gaps */
function stepPoints(steps, byKey, given) {
  const found = new Map();
  for (const { key, of, levels, missing, points = {} } of steps) {
    const own = of.filter((source) => given.has(source));
    const values = own.map((source) => given.get(source));
    const added = sum(own.map((source) => pointsOf(byKey.get(source), given.get(source), points[source])));
    const total = missing ? filled(missing, values, added) : added;
    if (total === null) {
      return null;
    }
    found.set(key, levelAt(levels, total + sum(of.map((source) => found.get(source) ?? 0))).points);
  }
  return found;
}

/**
 * The sum, or null for a skip. In this order: what was asked, instructed components, gaps, steps, the sum.
 * @param {Rule} rule @param {object} answers as for askedComponents() @param {object} chosen
 */
export function total(rule, answers, chosen) {
  const { components, missing, uses = [], steps = [] } = rule;
  const given = askedComponents(rule, answers, chosen);
  const byKey = new Map(components.map((component) => [component.key, component]));
  for (const component of components.filter(({ key, instructed }) => instructed && given.has(key))) {
    if (!meets(component, given.get(component.key), [component.instructed])) {
      return null;
    }
    given.delete(component.key);
  }
  const points = sum([...given].map(([key, value]) => pointsOf(byKey.get(key), value)));
  const own = filled(missing, [...given.values()], points);
  const added = stepPoints(steps, byKey, given);
  if (own === null || added === null) {
    return null;
  }
  const used = uses.map(({ question, points: each }) => (Object.hasOwn(each, chosen[question]) ? each[chosen[question]] : 0));
  const inner = new Set(steps.flatMap(({ of }) => of));
  return own + sum(used) + sum([...added].map(([key, value]) => (inner.has(key) ? 0 : value)));
}

/**
 * The answer to a composite question, as disguise() takes it; null for a skip.
 * @param {Question} question @param {object} answers as for askedComponents() @param {object} chosen
 * @returns {number | null}
 */
export function computedValue({ computed, options, disguise }, answers, chosen) {
  const found = total(computed, answers, chosen);
  if (found === null) {
    return null;
  }
  if (disguise) {
    const { low, bin } = disguise.range;
    return Math.floor((found - low) / bin);
  }
  return (options.length ? options : ANSWERS).indexOf(levelAt(computed.levels, found).option);
}

/**
 * The answers that are disguised: each composite question with its computed answer, without components. One that has none
 * makes its part a skip.
 * @param {Design} design @param {Answers} answers with components by their keys, in the place of composite questions
 * @param {Drawn} drawn
 * @returns {Answers}
 */
export function composed(design, answers, drawn) {
  const chosen = chosenOptions(design, answers);
  const result = { ...answers };
  design.blocks.forEach(({ key, questions, refusal }, block) => {
    const given = answers[key];
    if (typeof given !== "object" || !questions.some(({ computed }) => computed)) {
      return;
    }
    const asked = drawn[block].map((position) => questions[position]);
    const values = asked.map((question) => (question.computed ? computedValue(question, given, chosen) : given[question.key]));
    if (!values.includes(null)) {
      result[key] = Object.fromEntries(asked.flatMap((question, place) => (values[place] === undefined ? [] : [[question.key, values[place]]])));
    } else if (refusal === null) {
      throw new Refusal("half_answered", `${key} lacks an answer.`);
    } else {
      result[key] = "skipped";
    }
  });
  return result;
}
