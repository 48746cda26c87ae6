/** Reads a sealed body strictly, as the server does. With layout.js, this corresponds to privacy/survey/layout.py. */

import { kindOf } from "./kinds.js";
import { bodyLength, isArm, isAsked, valueCount, width } from "./layout.js";
import { groupAllows } from "./own-group.js";
import { Refusal } from "./refusal.js";
import { everything, isRotating, mostAsked, rotates } from "./rotation.js";

/** @param {Block} block @param {number[]} asked positions, ascending @returns {boolean} whether a device can draw these questions */
export function isBooklet(block, asked) {
  const isSame = (booklet) => booklet.every((position, place) => position === asked[place]);
  return asked.length === mostAsked(block) && (block.booklets === undefined || block.booklets.some(isSame));
}

/** @param {Block} block @param {Question} question @param {number[]} bits @param {boolean} direct @returns {Value} */
function fromBits(block, question, bits, direct) {
  if (kindOf(question).isSeveral) {
    return bits;
  }
  const value = bits.reduce((sum, bit) => 2 * sum + bit, 0);
  const count = valueCount(block, question, direct);
  if (value >= count) {
    throw new Refusal("option", `${question.key} names option ${value} of ${count}.`);
  }
  return value;
}

/**
 * Reads a body.
 * @param {Design} design
 * @param {Uint8Array} body
 * @returns {SentRecord}
 * @throws {Refusal} no device that follows the design sends this body
 */
export function unpack(design, body) {
  if (!(body instanceof Uint8Array) || body.length !== bodyLength(design)) {
    throw new Refusal("length", `The body must have exactly ${bodyLength(design)} bytes.`);
  }
  let next = 0;
  const take = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => {
      const bit = (body[Math.floor(next / 8)] >>> (7 - (next % 8))) & 1;
      next += 1;
      return bit;
    });
  const direct = take(1)[0] === 1;
  const raw = design.blocks.map((block) => ({
    rows: block.questions.map((question) => ({ present: take(1)[0] === 1, bits: take(width(block, question)) })),
    refused: block.refusal !== null && take(1)[0] === 1,
  }));
  if (take(8 * body.length - next).includes(1)) {
    throw new Refusal("padding", "The last byte must be filled with zeros.");
  }
  /** @type {SentRecord} */
  const record = { direct, answers: [], refused: [] };
  design.blocks.forEach((block, number) => {
    const { rows, refused } = raw[number];
    record.refused.push(refused);
    record.answers.push(
      rows.map(({ present, bits }, position) => {
        const question = block.questions[position];
        if (bits.includes(1) && refused) {
          throw new Refusal("refused_with_value", `Block ${block.key} is skipped, yet has value bits.`);
        }
        if (bits.includes(1) && !present) {
          throw new Refusal("absent_with_value", `${question.key} is absent, yet has value bits.`);
        }
        if (refused && !present && !isRotating(block)) {
          throw new Refusal("partly_answered", `Block ${block.key} is skipped, yet ${question.key} is absent.`);
        }
        return present && !refused ? fromBits(block, question, bits, direct) : null;
      }),
    );
  });
  const drawn = everything(design).map((all, number) => {
    const block = design.blocks[number];
    // An open question was asked even if it was left empty.
    const isWhole = !block.protected && isAsked(design, block, record.answers.slice(0, number));
    return isWhole ? all : all.filter((position) => raw[number].rows[position].present);
  });
  check(design, record, drawn);
  return rotates(design) ? { ...record, drawn } : record;
}

/**
 * Refuses records that no combination of answers and coins can produce.
 * @param {Design} design
 * @param {SentRecord} record
 * @param {Drawn} drawn
 */
function check(design, record, drawn) {
  if (!groupAllows(design.group, record.direct)) {
    throw new Refusal("group", "This group cannot occur under the design's policy.");
  }
  const isOne = design.blocks.map((block, number) => isAsked(design, block, record.answers.slice(0, number)));
  const isSent = (/** @type {number} */ number) => drawn[number].length > 0 || record.refused[number];
  const rotations = design.rotations ?? [];
  design.blocks.forEach((block, number) => {
    const { length } = drawn[number];
    if (!isOne[number] && isSent(number)) {
      throw new Refusal("routing", `Block ${block.key} is not asked.`);
    }
    const isLeftOut = !isSent(number) && rotations.some(({ blocks }) => blocks.includes(block.key));
    if (isArm(block) && record.answers[number][0] === null) {
      throw new Refusal("arms", `Block ${block.key} has no arm.`);
    }
    if (!isOne[number] || !block.protected || isLeftOut) {
      return;
    }
    if (isRotating(block)) {
      if (!isBooklet(block, drawn[number])) {
        throw new Refusal("booklet", `No device draws the questions that block ${block.key} has.`);
      }
    } else if (length < block.questions.length) {
      throw new Refusal(
        length > 0 ? "partly_answered" : "routing",
        `Protected block ${block.key} has ${length} of ${block.questions.length} answers.`,
      );
    }
  });
  for (const { blocks, parts_per_person: most, blanks = 0 } of rotations) {
    const parts = design.blocks.flatMap(({ key }, number) => (blocks.includes(key) ? [number] : []));
    const sent = parts.filter(isSent).length;
    // A part that the open answers lead past may be among those that were drawn, and so may a blank.
    const routed = parts.filter((number) => !isOne[number]).length;
    if (sent > most || sent + routed + blanks < most) {
      throw new Refusal("rotation", `${sent} of the parts ${blocks.join(", ")} are present; a device asks ${most}.`);
    }
  }
}
