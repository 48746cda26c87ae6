/** Check an answer before it is disguised. */

import { kindOf } from "./kinds.js";
import { Refusal } from "./refusal.js";

/**
 * @param {Question} question
 * @param {unknown} value
 * @returns {Value} the value, after checking that it is a valid answer
 */
export function readValue(question, value) {
  if (!kindOf(question).fits(question, value)) {
    throw new Refusal("answer", `The answer to ${question.key} is none that the question allows.`);
  }
  return Array.isArray(value) ? [...value] : /** @type {number} */ (value);
}
