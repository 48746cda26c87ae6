/** Parts of the program and documents of a survey, each requested again before anyone reads that it did not arrive. */

/** Milliseconds before the second and the third request. */
const PAUSES = [500, 2_000];

/** A part of the program did not arrive, although it was requested several times. */
export class NotArrived extends Error {}

/** The parts that have arrived, by name. Joined parts find each other here, because a part's address may have changed. */
export const partsArrived = {};

/** Parts on their way, by name. @type {Map<string, Promise<any>>} */
const requested = new Map();
/** Names of parts that failed before. */
const failed = new Set();
let attempts = 0;

/**
 * Make a request, and make it again after a pause if it fails.
 * @template Found
 * @param {(isAgain: boolean) => Promise<Found>} request
 * @returns {Promise<Found>}
 * @throws the error of the last request
 */
export async function patiently(request) {
  let isAgain = false;
  for (const pause of PAUSES) {
    try {
      return await request(isAgain);
    } catch {
      isAgain = true;
      await new Promise((done) => setTimeout(done, pause));
    }
  }
  return request(isAgain);
}

/** Request a part once. Browsers may remember that an address failed, so later requests have another one. */
async function request(name, isWhole) {
  const again = failed.has(name) ? `?${(attempts += 1)}` : "";
  failed.add(name);
  const found = await import(`./${name}.js${again}`);
  // A file that was cut off may still be valid, but its exports are in its last line.
  if (!isWhole(found)) {
    throw new NotArrived(name);
  }
  failed.delete(name);
  return found;
}

/**
 * Load a part of the program, once.
 * @param {string} name of its file
 * @param {(found: any) => unknown} [isWhole] whether all of it has arrived
 * @throws {NotArrived}
 */
export function part(name, isWhole = (found) => Object.keys(found).length) {
  const running = requested.get(name) ?? patiently(() => request(name, isWhole));
  requested.set(name, running);
  return running.then(
    (found) => (partsArrived[name] = found),
    () => {
      requested.delete(name);
      throw new NotArrived(name);
    },
  );
}

/** Interface texts. @param {string} name "first", "number", "scale", "end", "invited", "groups", "choice", "assigned", "rare", "again", "boxes", "composites", "understanding", "unasked" @param {string} language of the interface @returns {Promise<Sentences>} */
export const sentences = (name, language) => part(`${name}-${language}`, ({ texts, instead }) => texts && instead);
