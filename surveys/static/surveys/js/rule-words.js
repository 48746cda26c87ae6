/** What a composite question's rule does, in words for respondents. */

import { fill, plural } from "./dom.js";

/** The least number of "yes" for the answer "yes", if the rule only counts them; 0 for a number of them; null for other rules. */
export function countedBy({ kind, computed: { components, steps, uses, levels = [] } }) {
  const counts = ({ kind: own, points, instructed }) => instructed || (own === "yes_no" && points[0] === 0 && points[1] === 1);
  if (steps || uses || !components.every(counts)) {
    return null;
  }
  if (kind === "number") {
    return 0;
  }
  return kind === "yes_no" && levels.length === 2 && levels[1].option === "yes" ? levels[1].from : null;
}

/** The answers to a component with their points; none if it allows several of them, or a number. */
function answersWithPoints({ kind, points, options }) {
  if (kind === "yes_no") {
    return ["no", "yes"].map((key, at) => [key, points[at]]);
  }
  return kind === "single" ? options.map(({ key, points: own }) => [key, own]) : [];
}

/** Whether a component is asked after these answers to earlier ones. */
function isAskedAfter({ asked_if: condition }, given) {
  const terms = condition ? (condition.all ?? condition.any ?? [condition]) : [];
  const holds = ({ component, options }) => options.includes(given.get(component));
  return condition?.any ? terms.some(holds) : terms.every(holds);
}

/** Whether each combination of answers has its own level, as for a filter and its follow-up. */
export function isCombination({ computed: { components, steps, uses, levels = [] } }) {
  if (steps || uses || !levels.length) {
    return false;
  }
  let paths = [{ given: new Map(), total: 0 }];
  for (const component of components) {
    paths = paths.flatMap((path) =>
      isAskedAfter(component, path.given)
        ? answersWithPoints(component).map(([key, own]) => ({
            given: new Map([...path.given, [component.key, key]]),
            total: path.total + own,
          }))
        : [path],
    );
    if (paths.length > levels.length) {
      return false;
    }
  }
  const reached = paths.map(({ total }) => levels.findLastIndex(({ from }) => from === undefined || from <= total));
  return paths.length === levels.length && new Set(reached).size === levels.length;
}

/** How many questions respondents will see. @param {Followed[]} questions composite ones @param {number} count of components and other questions */
export function countSaid(texts, questions, count) {
  const isMost = count > 1 && questions.some(({ isVarying }) => isVarying);
  return fill(isMost ? texts.composed_count_most : plural(texts, "composed_count", count), { count });
}

/**
 * How an answer is worked out; empty if nothing is counted or added up, because the answer is the combination of answers.
 * @param {Question} question @param {boolean} isOnly whether it is the only one of its part
 */
export function ruleSaid(texts, question, isOnly) {
  const least = countedBy(question);
  if (least === null) {
    if (isCombination(question)) {
      return "";
    }
    return question.kind === "number" ? texts.composed_total : texts.composed_points;
  }
  if (least > 1) {
    return fill(isOnly ? texts.composed_least : texts.composed_least_each, { least });
  }
  if (least === 1) {
    return isOnly ? texts.composed_any : texts.composed_any_each;
  }
  return isOnly ? texts.composed_many : texts.composed_many_each;
}

/**
 * How the answers of a part are worked out, each sentence once. Beside questions that are sent by themselves, each names its answer,
 * as else people would take it for a rule of all questions.
 * @param {Question[]} questions composite ones @param {number} count of all questions that are sent
 * @param {(question: Question, isOnly: boolean) => string} say
 * @returns {{of: string, line: string}[]} of: key of the answer to name; empty for none
 */
export function rulesSaid(questions, count, say) {
  const isMixed = count > questions.length;
  const lines = questions.map((question) => ({ of: isMixed ? question.key : "", line: say(question, isMixed || questions.length === 1) }));
  return lines.filter(({ of, line }, at) => line && lines.findIndex((one) => one.of === of && one.line === line) === at);
}

/**
 * What empty questions of a part count: one sentence, as respondents cannot tell its composite questions apart, each of which
 * allows gaps of its own.
 * @param {Question[]} questions composite ones
 */
export function gapsOf(texts, questions, refusal) {
  const said = questions.map((question) => gapsSaid(texts, question, refusal));
  return said.length > 1 && said.some(Boolean) ? texts.composed_gaps_differ : (said[0] ?? "");
}

/** What empty questions count. */
function gapsSaid(texts, question, refusal) {
  const { components, missing } = question.computed;
  const { at_most: most, as: way } = missing;
  const empty = Math.min(most, components.length - 1);
  if (refusal === null || empty === 0) {
    return "";
  }
  const counts = way === "mean" ? "mean" : countedBy(question) === null ? "points" : "no";
  return fill(plural(texts, `composed_gaps_${counts}`, empty), { most: empty });
}
