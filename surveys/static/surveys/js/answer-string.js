/**
 * A line of text that another tool's form stores: `sotto1.VERSION.RANDOM.BODY`, each part in base64url; see
 * surveys/embed/frame.py. VERSION is the first 9 bytes of the version's digest. RANDOM is 9 bytes that distinguish a
 * copied row from another person's equal answers. They reveal nothing about the body, and the import drops them.
 */

const NAME = "sotto1";

/** @param {Uint8Array} bytes @returns {string} base64url without padding */
function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} digest 64 hex digits @returns {string} the prefix of all strings of this version */
export function prefixOf(digest) {
  const bytes = Uint8Array.from(digest.slice(0, 18).match(/../g), (pair) => Number.parseInt(pair, 16));
  return `${NAME}.${base64url(bytes)}.`;
}

/**
 * @param {string} digest
 * @param {Uint8Array} body packed
 * @param {Uint8Array} [random] 9 bytes from the platform's generator, drawn once with the body
 */
export function answerString(digest, body, random = crypto.getRandomValues(new Uint8Array(9))) {
  return `${prefixOf(digest)}${base64url(random)}.${base64url(body)}`;
}

/** Whether a text has the form of this version's strings. @param {unknown} text @param {number} bytes of a body */
export function isAnswerString(text, digest, bytes) {
  const end = new RegExp(`^[\\w-]{12}\\.[\\w-]{${Math.ceil((8 * bytes) / 6)}}$`);
  const prefix = prefixOf(digest);
  return typeof text === "string" && text.startsWith(prefix) && end.test(text.slice(prefix.length));
}
