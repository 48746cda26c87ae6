/**
 * A number that comes first: its field, and what is said before it is answered. What else numbers and places need loads while
 * respondents answer it; no question can be left before.
 */

import { needsMore, numberControl, numberFirst } from "./number-field.js";
import { part } from "./program.js";
import { saidFirst } from "./scale-promise.js";

/** Load everything about numbers and places. @param {Visit} visit */
export async function loadScale(visit) {
  const [found] = await Promise.all([part("places").then(() => part("scale")), visit.speak("scale")]);
  visit.parts.useScale(found);
  visit.parts.foldedScale = found.foldedScale;
}

/** Whether the first questions need nothing else of numbers and places. @param {Question[]} questions */
export const isEnough = (questions, words) =>
  questions.every((question, place) => !question.disguise || (question.kind === "number" && !question.composite && !needsMore(question, words[place])));

export const promises = (block, texts, promise, rest) => saidFirst(block, texts, numberFirst(block, texts), promise, rest);

export const control = numberControl;
