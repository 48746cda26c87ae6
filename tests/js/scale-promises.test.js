/** What the page promises of numbers and places, computed from the very design that disguises. */

import assert from "node:assert/strict";
import test from "node:test";

import { amplification } from "../../surveys/static/surveys/js/scale.js";
import { isExactOutside } from "../../surveys/static/surveys/js/places.js";

const range = { low: 0, high: 39, decimals: 0, bin: 10 };
const band = { mechanism: "x", range, window: 1, cyclic: false, floor: "2", peak: "5", coin: "0", lean: "0", step: "0", spans: [] };

test("a window is likelier by its peak over the floor", () => {
  assert.equal(amplification({ kind: "number", disguise: band }), 3.5);
});

test("a coin counts by both its sides, and the greater one bounds", () => {
  // "up": 1 + 3 x of 12 for bins x = 0..3; at most 10 to 1 up, 11 to 2 down.
  const coin = { ...band, window: 0, floor: "0", peak: "0", coin: "12", lean: "1", step: "3" };
  assert.equal(amplification({ kind: "number", disguise: coin }), 10);
});

test("a bound is rounded up, never down", () => {
  assert.equal(amplification({ kind: "number", disguise: { ...band, floor: "3", peak: "7" } }), 3.334);
});

const area = { west: 0, south: 0, east: 40, north: 10, columns: 4, rows: 1 };
const level = (rectangles) => ({ numerator: "3", denominator: "1", rectangles, frames: [[0, 0, 2, 1, 1, 1]], snap: false });

test("a place is bounded by its least protected level, and exact outside unless levels hold every cell", () => {
  const some = { mechanism: "x", area, levels: [level([[0, 0, 2, 1]])], regions: [] };
  assert.equal(amplification({ kind: "place", disguise: some }), 3);
  assert.equal(isExactOutside(some), true);
  assert.equal(isExactOutside({ ...some, levels: [level([[0, 0, 2, 1], [2, 0, 2, 1]])] }), false);
});
