/** A part of the draft as a device would draw and disguise it, while it is being written. */

/** A part without its rotation. */
export const whole = ({ questions_per_person: _, booklets: __, ...block }) => block;

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

/** A part as a device would draw it: an invalid rotation counts as "everyone is asked everything" until it is fixed. */
export function asDrawn(block) {
  const { questions_per_person: count, booklets, questions } = block;
  if (!fits(count, questions.length)) {
    return whole(block);
  }
  return areSets(booklets, count, questions.length) ? block : { ...whole(block), questions_per_person: count };
}
