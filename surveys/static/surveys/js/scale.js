/**
 * Numbers and places: their controls, their answers in words, and what is promised to respondents. Loaded only if a survey
 * asks for one.
 */

import { percent } from "./certainty.js";
import { el, fill } from "./dom.js";
import { lostOf100 } from "./draws.js";
import { sentNumber } from "./number-draw.js";
import { numberShown } from "./number-more.js";
import { sentPlace } from "./place-draw.js";
import { placeShown } from "./place-field.js";
import { placePromises } from "./place-promises.js";
import { paragraphs, saidFirst } from "./scale-promise.js";

export { sentNumber, sentPlace };

/**
 * By kind: its control, an answer in words, what is said first, the folded text with or instead of the promise, and the short
 * text. A place also says what protects a skip.
 */
const SHOWN = {
  number: numberShown,
  place: { ...placeShown, ...placePromises },
};

/** @param {Asked} asked */
export const control = (asked) => SHOWN[asked.question.kind].control(asked);

/** An answer in words; `picture` adds a map for a place. */
export const words = (question, wording, texts, value, how = {}) =>
  SHOWN[question.kind].words(question, wording, texts, value, how);

/** A text on skips, with the percentage sent as "skipped". */
const skip = (block, texts, name) =>
  fill(texts[name], { lost: percent(texts, lostOf100(block)), ...SHOWN[block.questions[0].kind].hidden?.(block, texts) });

/** The folded text of `promises`. */
export function foldedScale(block, texts, promise, { promiseSentence }) {
  const said = SHOWN[block.questions[0].kind];
  return [
    ...said.folded(block, texts, promise ? promiseSentence(texts, promise) : ""),
    ...(block.refusal !== null ? [skip(block, texts, said.skipping?.(block) ?? "scale_skip")] : []),
  ];
}

/** The text before a number or a place is answered. */
export const promises = (block, texts, promise, rest) =>
  saidFirst(block, texts, SHOWN[block.questions[0].kind].first(block, texts), promise, rest);

/** The short text before the first question and after sealing; `value` is what was sent, if anything, and null is a skip. */
export function bounds(block, texts, value) {
  const said = SHOWN[block.questions[0].kind];
  const lines = value === null ? [skip(block, texts, "scale_skip_sent")] : (said.short ?? said.first)(block, texts, value);
  return el("div", { class: "stack" }, ...paragraphs(lines));
}
