/**
 * An invitation's code as people write it. As in surveys/intake/codes.py, and tested with the same vectors.
 *
 * The last two characters are a checksum, so the page notices a mistyped code and does not send it.
 */

export const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_CHARACTERS = 18;
const MODULUS = 1021;
const LOOK_ALIKES = { O: "0", I: "1", L: "1", U: "V" };
const MOST_TYPED = 100;

/** @param {string} text @returns {boolean} whether it is a code in the form in which it is sent */
export function isCode(text) {
  if (!new RegExp(`^[${ALPHABET}]{20}$`).test(text)) {
    return false;
  }
  const digits = Array.from(text, (character) => ALPHABET.indexOf(character));
  const check = digits[RANDOM_CHARACTERS] * 32 + digits[RANDOM_CHARACTERS + 1];
  return digits.slice(0, RANDOM_CHARACTERS).reduce((value, digit) => (value * 32 + digit) % MODULUS, 0) === check;
}

/**
 * The code in a typed or pasted text, or in an address; null if it is not one.
 *
 * @param {string} text may contain small letters, blanks, hyphens and look-alikes
 */
export function codeTyped(text) {
  if (text.length > MOST_TYPED) {
    return null;
  }
  const plain = plainly(text);
  return isCode(plain) ? plain : null;
}

/** A typed text in the spelling of codes: without small letters, blanks, hyphens and look-alikes. */
export const plainly = (text) =>
  text
    .normalize("NFKC")
    .replace(/[\s\-‐-―_.]+/g, "")
    .toUpperCase()
    .replace(/[OILU]/g, (character) => LOOK_ALIKES[character]);
