/**
 * The number by which a panel, or the page around a frame, knows a person. It decides the person's turn, so the same number for
 * several people, or several numbers for one person, would break the promise of a series whose parts take turns.
 */

const MOST = 200;
/** Blanks at an end, an unfilled placeholder of a tool, a character that no tool means, or the word for a missing value. */
const NOT_A_NUMBER = /^\s|\s$|[{}<>[\]%\p{Cc}\p{Cs}]|^(?:undefined|null|none|nan|true|false)$/iu;

/** @param {unknown} given @returns {boolean} whether it can be one person's number: a text of 1 to 200 characters */
export const isNumber = (given) => typeof given === "string" && given.length > 0 && given.length <= MOST && !NOT_A_NUMBER.test(given);
