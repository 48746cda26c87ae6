/**
 * Numbers and places: their controls, their answers in words, and what is promised to respondents. Loaded only if a survey
 * asks for one.
 */

import { percent } from "./certainty.js";
import { el, fill } from "./dom.js";
import { lostOf100 } from "./draws.js";
import { lateFold } from "./late-fold.js";
import { sentNumber } from "./number-draw.js";
import { numberShown } from "./number-field.js";
import { sentPlace } from "./place-draw.js";
import { placeShown } from "./place-field.js";
import { placePromises } from "./place-promises.js";

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

const paragraphs = (lines) => lines.map((line) => el("p", {}, line));

/**
 * The text before a number or a place is answered: what the device does, and folded, how sure anyone could become. The promise
 * is left out for a place whose bound it does not cover.
 */
export function promises(block, texts, promise, rest) {
  const said = SHOWN[block.questions[0].kind];
  const canSkip = block.refusal !== null;
  const folded = ({ promiseSentence }) => [
    ...said.folded(block, texts, promise ? promiseSentence(texts, promise) : ""),
    ...(canSkip ? [skip(block, texts, said.skipping?.(block) ?? "scale_skip")] : []),
  ];
  return [
    ...paragraphs([...said.first(block, texts), canSkip ? texts.scale_may_skip : texts.scale_whole]),
    lateFold(texts, rest, texts.odds_summary, (parts) => paragraphs(folded(parts))),
  ];
}

/** The short text before the first question and after sealing; `value` is what was sent, if anything, and null is a skip. */
export function bounds(block, texts, value) {
  const said = SHOWN[block.questions[0].kind];
  const lines = value === null ? [skip(block, texts, "scale_skip_sent")] : (said.short ?? said.first)(block, texts, value);
  return el("div", { class: "stack" }, ...paragraphs(lines));
}
