/**
 * What this device does to a number. As in privacy/scales/window.py and number_range.py.
 *
 * A number is reduced to its bin; then one draw decides which output is sent. All weights are integers of any size, written
 * as text in the design, so nothing is rounded and no exponential is computed.
 */

import { KINDS } from "./kinds.js";
import { isPosition } from "./refusal.js";

/** @param {NumberRange} range @returns {number} number of bins */
export function bins(range) {
  return (range.high - range.low + 1) / range.bin;
}

/** @param {WindowChannel} band @returns {number} outputs on the grid, without those of the coin */
export function gridOutputs(band) {
  if (band.window === 0) {
    return 0;
  }
  return bins(band.range) + (band.cyclic ? 0 : band.window - 1);
}

/** @param {WindowChannel} band @returns {number} number of outputs */
export function numberOutputs(band) {
  return gridOutputs(band) + (band.coin === "0" ? 0 : 2);
}

/** @param {WindowChannel} band @returns {bigint} upper limit of a device's draw */
export function numberTotal(band) {
  return (
    BigInt(band.floor) * BigInt(gridOutputs(band)) +
    BigInt(band.peak) * BigInt(band.window) +
    BigInt(band.coin)
  );
}

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
  if (bin === null && draw >= flat && turn < turns(band) && (draw < flat + near || turn >= 0n)) {
    return null;
  }
  if (draw < flat + near) {
    const count = bins(band.range);
    const start = band.cyclic ? (bin - Math.floor(band.window / 2) + count) % count : bin;
    return (start + Number((draw - flat) / peak)) % outputs;
  }
  return outputs + (turn < BigInt(band.step) * BigInt(bin ?? 0) ? 1 : 0);
}

/** Number of draws of the coin that mean "up" for some numbers and "down" for others. */
const turns = (band) => BigInt(band.step) * BigInt(bins(band.range) - 1);

/** @param {WindowChannel} band @returns {bigint} number of draws that send the same whatever the number is */
export function numberDecoys(band) {
  return BigInt(band.floor) * BigInt(gridOutputs(band)) + BigInt(band.coin) - turns(band);
}

/** @type {Kind} */
KINDS.number = {
  count: ({ disguise }) => bins(disguise.range),
  outputs: numberOutputs,
  fits: ({ disguise }, value) => isPosition(value, bins(disguise.range)),
  total: numberTotal,
  decoys: numberDecoys,
  sent: sentNumber,
  isPartlyExact: () => false,
};
