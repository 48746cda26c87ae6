/** Pack a record into the sealed body. Bit 0 is the highest bit of the first byte. */

import { bodyLength, width } from "./layout.js";
import { everything } from "./rotation.js";

/** @param {number} count of value bits @param {Value} value @returns {number[]} value bits */
function toBits(count, value) {
  if (Array.isArray(value)) {
    return value;
  }
  return Array.from({ length: count }, (_, place) => (value >>> (count - 1 - place)) & 1);
}

/**
 * @param {Design} design
 * @param {SentRecord} record result of disguise()
 * @returns {Uint8Array} the body
 */
export function pack(design, record) {
  const bits = [record.direct ? 1 : 0];
  const drawn = record.drawn ?? everything(design);
  design.blocks.forEach((block, number) => {
    const refused = record.refused[number];
    block.questions.forEach((question, position) => {
      const value = record.answers[number][position];
      const count = width(block, question);
      bits.push(value !== null || (refused && drawn[number].includes(position)) ? 1 : 0);
      bits.push(...(value === null ? new Array(count).fill(0) : toBits(count, value)));
    });
    if (block.refusal !== null) {
      bits.push(refused ? 1 : 0);
    }
  });
  const body = new Uint8Array(bodyLength(design));
  bits.forEach((bit, place) => {
    body[Math.floor(place / 8)] |= bit << (7 - (place % 8));
  });
  return body;
}
