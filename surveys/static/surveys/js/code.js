/**
 * An invitation's code as people write it. Twin of surveys/intake/payload.py, tested on the same vectors.
 *
 * Its last two characters check the others, so that a mistyped code is noticed here: none is sent to be found wrong.
 */

export const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_CHARACTERS = 18;
const MODULUS = 1021;
const LOOK_ALIKES = { O: "0", I: "1", L: "1", U: "V" };
const MOST_TYPED = 100;

/** @param {string} text @returns {boolean} whether it is a code exactly as it is sent */
export function isCode(text) {
  if (!new RegExp(`^[${ALPHABET}]{20}$`).test(text)) {
    return false;
  }
  const digits = Array.from(text, (character) => ALPHABET.indexOf(character));
  const check = digits[RANDOM_CHARACTERS] * 32 + digits[RANDOM_CHARACTERS + 1];
  return digits.slice(0, RANDOM_CHARACTERS).reduce((value, digit) => (value * 32 + digit) % MODULUS, 0) === check;
}

/**
 * The code that somebody typed or pasted, or that stood in an address; null where it is none.
 *
 * @param {string} text small letters, blanks, hyphens and look-alikes are forgiven
 */
export function codeTyped(text) {
  if (text.length > MOST_TYPED) {
    return null;
  }
  const plain = plainly(text);
  return isCode(plain) ? plain : null;
}

/** What somebody typed of these characters, as it is written: without small letters, blanks, hyphens and look-alikes. */
export const plainly = (text) =>
  text
    .normalize("NFKC")
    .replace(/[\s\-‐-―_.]+/g, "")
    .toUpperCase()
    .replace(/[OILU]/g, (character) => LOOK_ALIKES[character]);
