/**
 * Which parts this person is asked in this survey of a series: computed from the invitation's code or the panel's number, so that
 * each part is asked in one survey only. As in privacy/survey/turns.py. Loaded only if parts take turns over a series.
 */

const PROTOCOL = "sottovoce-turn-1";

/** @param {string} text @returns {Promise<string>} its SHA-256, in hexadecimal digits */
async function digestOf(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {Rotation} rotation
 * @param {{series: string, wave: number}} turn
 * @param {string} person the code in the form that is sent, or the panel's number
 * @returns {Promise<number[]>} positions of the rotation, ascending; those after its parts ask nothing
 */
export async function turnOf({ blocks, parts_per_person: each, blanks = 0 }, { series, wave }, person) {
  // No key of a part contains an equals sign.
  const keys = [...blocks, ...Array.from({ length: blanks }, (_, number) => `=${number}`)];
  const digests = await Promise.all(keys.map((key) => digestOf([PROTOCOL, series, person, key].join("\0"))));
  const ordered = [...keys.keys()].sort((one, other) => (digests[one] < digests[other] ? -1 : 1));
  return ordered.slice((wave - 1) * each, wave * each).sort((one, other) => one - other);
}
