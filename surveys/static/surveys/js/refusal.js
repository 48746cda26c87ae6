/** Answers, a record or a body that the design does not allow. */
export class Refusal extends Error {
  /** @param {string} code machine-readable @param {string} message what is wrong and what to do */
  constructor(code, message) {
    super(message);
    this.name = "Refusal";
    this.code = code;
  }
}

/** @param {unknown} value @param {number} count @returns {boolean} whether it is an integer from 0 to count - 1 */
export const isPosition = (value, count) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < count;
