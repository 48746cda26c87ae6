/** The request that carries a sealed body. Loaded with the end of the survey. */

import { hex, randomHex } from "./seal.js";

/**
 * The exact text to send, the same bytes in each attempt.
 *
 * The key, or the invitation's code in its place, lets the server recognise repetitions. The nonce ensures that the text's
 * digest reveals nothing about the body.
 *
 * @param {{survey: string, designId: string, body: Uint8Array, code?: string | null}} sealed
 */
export function requestText({ survey, designId, body, code = null }) {
  return JSON.stringify({
    survey,
    ...(code === null ? { key: randomHex(16) } : { code }),
    design_id: designId,
    body: hex(body),
    nonce: randomHex(32),
  });
}

/** @param {string} digits */
export function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
