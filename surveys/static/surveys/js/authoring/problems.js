/**
 * To which field and which part of the survey a problem belongs.
 *
 * @typedef {{path: string, message: string, remedy: string}} Problem
 */

import { firstLine } from "./lists.js";
import { getAt, parsePath, pathText } from "./paths.js";

/**
 * Whether the inner path equals the outer one or is inside it.
 * @param {string} inner
 * @param {string} outer
 */
export function isWithin(inner, outer) {
  return inner === outer || outer === "" || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
}

const FIXED = ["about", "group", "explanations"];

/**
 * The entry of the outline for a path: "head", "about", "group", "explanations", "blocks[1]", "blocks[1].questions[0]" or
 * "blocks[1].questions[0].computed.components[2]". The stem of a list belongs to its first line.
 * @param {string} path @param {any} [document]
 */
export function partOf(path, document) {
  const steps = parsePath(path);
  const line = steps[0] === "stems" && document && firstLine(document, getAt(document, steps.slice(0, 2))?.key);
  if (line) {
    return pathText(line);
  }
  if (steps[0] === "blocks" && typeof steps[1] === "number") {
    const isQuestion = steps[2] === "questions" && typeof steps[3] === "number";
    return pathText(steps.slice(0, isComponent(steps) ? 7 : isQuestion ? 4 : 2));
  }
  return FIXED.includes(steps[0]) ? steps[0] : "head";
}

/** Whether a path is that of a component, or inside it. @param {import("./paths.js").Path} steps */
export const isComponent = (steps) => steps[4] === "computed" && steps[5] === "components" && typeof steps[6] === "number";

/**
 * @param {Problem[]} problems
 * @param {string} part
 * @param {any} [document]
 * @returns {Problem[]} problems that its form shows: its own, and those of a composite question's components
 */
export function problemsOf(problems, part, document) {
  const whole = (path) => (isComponent(parsePath(path)) ? pathText(parsePath(path).slice(0, 4)) : null);
  return problems.filter(({ path }) => partOf(path, document) === part || whole(path) === part);
}

/**
 * Assign a part's problems to its fields: each to the field with the longest path that contains it, else to one inside it.
 * @param {Problem[]} problems of one part
 * @param {string[]} fields paths
 * @returns {{byField: Map<string, Problem[]>, rest: Problem[]}}
 */
export function divide(problems, fields) {
  const byField = new Map();
  const rest = [];
  for (const problem of problems) {
    const around = fields.filter((field) => field !== "" && isWithin(problem.path, field));
    const inside = fields.filter((field) => isWithin(field, problem.path));
    const field = around.sort((a, b) => b.length - a.length)[0] ?? (partOf(problem.path) === problem.path ? null : inside[0]);
    if (field) {
      byField.set(field, [...(byField.get(field) ?? []), problem]);
    } else {
      rest.push(problem);
    }
  }
  return { byField, rest };
}

/** One sentence from the server's message and remedy, joined in the page's language. @param {Problem} problem */
export function sentence({ message, remedy }) {
  const [joint, stop] = globalThis.document?.documentElement.lang.startsWith("zh") ? ["；", "。"] : ["; ", "."];
  const whole = remedy ? `${message}${joint}${remedy}` : message;
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}${/[.。!?]$/.test(whole) ? "" : stop}`;
}

/**
 * Whether a problem is only a missing text.
 * @param {any} document @param {string[]} languages @param {Problem} problem
 */
export function isUnwritten(document, languages, { path }) {
  const steps = parsePath(path);
  const value = getAt(document, steps);
  const isBlank = value === undefined || (typeof value === "string" && value.trim() === "");
  return isBlank && steps.length > 1 && languages.includes(steps.at(-1));
}
