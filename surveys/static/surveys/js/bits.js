/** What each bit of a sealed body says, in the order in which they are sent. */

import { width } from "./layout.js";

/**
 * @param {Design} design
 * @param {Uint8Array} body
 * @returns {Field[]}
 */
export function bitFields(design, body) {
  const all = Array.from(body, (byte) => byte.toString(2).padStart(8, "0")).join("");
  let next = 0;
  const take = (count) => all.slice(next, (next += count));
  const fields = [{ role: "group", bits: take(1) }];
  design.blocks.forEach(({ questions, refusal }, block) => {
    questions.forEach((asked, question) => {
      fields.push({ role: "presence", block, question, bits: take(1) });
      fields.push({ role: "value", block, question, bits: take(width(asked)) });
    });
    if (refusal !== null) {
      fields.push({ role: "refusal", block, bits: take(1) });
    }
  });
  if (next < all.length) {
    fields.push({ role: "padding", bits: take(all.length - next) });
  }
  return fields;
}
