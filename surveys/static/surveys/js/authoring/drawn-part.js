/** A part of the draft as a device would draw and disguise it, while it is being written. */

/** A part without what it says of rotation. */
export const whole = ({ questions_per_person: _, booklets: __, ...block }) => block;

/** A part of which the true answers are sent where they are not random, and no others near them. */
export const exact = ({ mechanism: _, radius: __, ...block }) => block;

const EVEN = 5_000;

/** Whether answers near the true ones can be sent of a part: yes/no questions with fair coins, and no skip. */
const isNear = ({ radius, questions, refusal }, most) =>
  Number.isInteger(radius) &&
  radius >= 0 &&
  radius < most &&
  typeof refusal !== "number" &&
  questions.every(({ kind, unrelated }) => kind === "yes_no" && unrelated?.length === 1 && unrelated[0] === EVEN);

/** Whether a number of questions for each person can be drawn. */
export const fits = (count, total) => Number.isInteger(count) && count >= 1 && count < total;

/** Whether each set that a part lists is one of its questions, of the right size. */
const areSets = (booklets, size, total) =>
  Array.isArray(booklets) &&
  booklets.length > 1 &&
  booklets.every(
    (booklet) =>
      Array.isArray(booklet) &&
      booklet.length === size &&
      booklet.every((place) => Number.isInteger(place) && place >= 0 && place < total),
  );

/**
 * A part as a device would draw it: what cannot be drawn is taken for "everybody is asked all", and what cannot be
 * disguised near the true answers for the plain disguise, until it is mended.
 */
export function asDrawn(block) {
  const drawn = asAsked(block);
  const isPlain = block.radius === undefined || isNear(block, drawn.questions_per_person ?? block.questions.length);
  return isPlain ? drawn : exact(drawn);
}

function asAsked(block) {
  const { questions_per_person: count, booklets, questions } = block;
  if (!fits(count, questions.length)) {
    return whole(block);
  }
  return areSets(booklets, count, questions.length) ? block : { ...whole(block), questions_per_person: count };
}
