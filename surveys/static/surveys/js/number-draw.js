/**
 * Which output this device sends for a number: it is reduced to its bin, then one draw decides. As in privacy/scales/window.py. Loaded while respondents answer
 * question 1; no question can be left before.
 */

import { KINDS } from "./kinds.js";
import { bins, gridOutputs, coinTurns } from "./numbers.js";

/**
 * @param {WindowChannel} band
 * @param {number | null} bin the true answer; null for a skip, which sends what every answer could send
 * @param {bigint} draw 0 to total - 1
 * @returns {number | null} the output that is sent; null for "skipped"
 */
export function sentNumber(band, bin, draw) {
  const outputs = gridOutputs(band);
  const floor = BigInt(band.floor);
  const peak = BigInt(band.peak);
  const flat = floor * BigInt(outputs);
  const near = peak * BigInt(band.window);
  if (draw < flat) {
    return Number(draw / floor);
  }
  const turn = draw - flat - near - BigInt(band.lean);
  if (bin === null && draw >= flat && turn < coinTurns(band) && (draw < flat + near || turn >= 0n)) {
    return null;
  }
  if (draw < flat + near) {
    const count = bins(band.range);
    const start = band.cyclic ? (bin - Math.floor(band.window / 2) + count) % count : bin;
    return (start + Number((draw - flat) / peak)) % outputs;
  }
  return outputs + (turn < BigInt(band.step) * BigInt(bin ?? 0) ? 1 : 0);
}

KINDS.number.sent = sentNumber;
