/*
 * Sends a file that is too large for one request in parts, one after the other. A lost part is sent again; the server
 * ignores duplicates.
 */

export const PIECE = 4_000_000;
export const MOST = 1_000_000_000;
const TRIES = 4;

/** Return the start and end of each part of a file. */
export function pieces(size, piece = PIECE) {
  return Array.from({ length: Math.ceil(size / piece) }, (_, n) => [n * piece, Math.min((n + 1) * piece, size)]);
}

/**
 * Send a file; return the address of the next page.
 * @param {Blob & {name: string}} file
 * @param {(fields: object) => Promise<{release: number, next: string}>} post rejects with `refused` if the server refuses
 * @param {(percent: number) => void} told
 * @param {(tries: number) => Promise<void>} pause
 */
export async function sendParts(file, post, told, pause) {
  let release = "";
  let next = "";
  const cuts = pieces(file.size);
  for (const [number, [start, end]] of cuts.entries()) {
    const last = number === cuts.length - 1 ? "on" : "";
    const fields = { release, number, name: file.name, last, part: file.slice(start, end) };
    for (let tries = 1; ; tries += 1) {
      try {
        ({ release, next } = await post(fields));
        break;
      } catch (error) {
        if (error.refused || error.name === "AbortError" || tries === TRIES) throw error;
        await pause(tries);
      }
    }
    told(Math.floor((100 * end) / file.size));
  }
  return next;
}
