/**
 * Which blocks a device asks and disguises, and the constant number of bytes of its body. With pack.js and unpack.js, this
 * corresponds to privacy/survey/layout.py.
 */

import { isScaleKind, kindOf } from "./kinds.js";
import { Refusal } from "./refusal.js";

/**
 * @param {Design} design
 * @param {Block} block
 * @param {(Value | null)[][]} known answers of the blocks before it
 * @returns {boolean} whether open answers lead to the block
 */
export function isAsked(design, block, known) {
  const { asked_if: condition } = block;
  if (condition === null) {
    return true;
  }
  const { all, any } = condition;
  const holds = (one) => isAsked(design, { ...block, asked_if: one }, known);
  if (all ?? any) {
    return all ? all.every(holds) : any.some(holds);
  }
  for (let source = 0; source < known.length; source += 1) {
    const position = design.blocks[source].questions.findIndex((entry) => entry.key === condition.question);
    if (position !== -1) {
      const question = design.blocks[source].questions[position];
      const names = kindOf(question).names?.(question) ?? [];
      const value = known[source][position];
      return typeof value === "number" && condition.options.includes(names[value]);
    }
  }
  throw new Refusal("asked_if", `Block ${block.key} depends on a question that is not asked before it.`);
}

/** @param {Block} block @returns {boolean} whether it consists of one question with its own disguise */
export const isScale = ({ questions: [question] }) => isScaleKind(question);

/** @param {Block} block @returns {boolean} whether devices draw its answer, the arm of an experiment */
export function isArm({ questions: [{ shares }] }) {
  return shares !== undefined;
}

/**
 * @param {Block} block
 * @param {boolean} direct
 * @returns {Block | null} the block as the devices of one group apply it; null if they send its answers undisguised
 */
export function inGroup(block, direct) {
  const { light, ...strong } = block;
  if (!block.protected || (direct && light === undefined)) {
    return null;
  }
  if (!direct) {
    return strong;
  }
  return isScale(block)
    ? { ...strong, questions: [{ ...block.questions[0], disguise: light }] }
    : { ...strong, truth_probability: light };
}

/** @param {Block} block @param {Question} question @param {boolean} direct @returns {number} number of values that can be sent */
export function valueCount(block, question, direct) {
  const { count, outputs } = kindOf(question);
  const mine = outputs ? inGroup(block, direct) : null;
  return mine ? outputs(mine.questions[0].disguise) : count(question);
}

/** @param {Block} block @param {Question} question @returns {number} number of its value bits */
export function width(block, question) {
  const most = Math.max(valueCount(block, question, false), valueCount(block, question, true));
  return kindOf(question).isSeveral ? question.options.length : 32 - Math.clz32(most - 1);
}

/** @param {Design} design @returns {number} number of bytes of every body */
export function bodyLength(design) {
  let bits = 1;
  for (const block of design.blocks) {
    bits += block.refusal === null ? 0 : 1;
    for (const question of block.questions) {
      bits += 1 + width(block, question);
    }
  }
  return Math.ceil(bits / 8);
}
