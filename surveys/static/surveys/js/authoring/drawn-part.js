/** A part of the draft as a device would draw it, even while it is being edited. */

/** A part without its rotation. */
export const whole = ({ questions_per_person: _, booklets: __, ...block }) => block;

/** Whether a device can draw this many questions per person. */
export const fits = (count, total) => Number.isInteger(count) && count >= 1 && count < total;

/** Whether each set in a part's list has the right number of its questions. */
const areSets = (booklets, size, total) =>
  Array.isArray(booklets) &&
  booklets.length > 1 &&
  booklets.every(
    (booklet) =>
      Array.isArray(booklet) &&
      booklet.length === size &&
      booklet.every((place) => Number.isInteger(place) && place >= 0 && place < total),
  );

/** A part as a device would draw it: while its rotation is invalid, everyone is asked everything. */
export function asDrawn(block) {
  const { questions_per_person: count, booklets, questions } = block;
  if (!fits(count, questions.length)) {
    return whole(block);
  }
  return areSets(booklets, count, questions.length) ? block : { ...whole(block), questions_per_person: count };
}
