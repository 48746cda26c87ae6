/**
 * How many random words the disguise of a number needs: what the first screen has to know. As in privacy/scales/window.py and
 * number_range.py. All weights are integers of any size, written as text in the design, so nothing is rounded and no exponential
 * is computed. What one draw sends is in number-draw.js, which loads later.
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

/** Number of draws of the coin that mean "up" for some numbers and "down" for others. */
export const coinTurns = (band) => BigInt(band.step) * BigInt(bins(band.range) - 1);

/** @param {WindowChannel} band @returns {bigint} number of draws that send the same whatever the number is */
export function numberDecoys(band) {
  return BigInt(band.floor) * BigInt(gridOutputs(band)) + BigInt(band.coin) - coinTurns(band);
}

/** @type {Kind} */
KINDS.number = {
  count: ({ disguise }) => bins(disguise.range),
  outputs: numberOutputs,
  fits: ({ disguise }, value) => isPosition(value, bins(disguise.range)),
  total: numberTotal,
  decoys: numberDecoys,
  isPartlyExact: () => false,
};
