/** The page's promises for places, computed from the design that disguises them. */

import assert from "node:assert/strict";
import test from "node:test";

import { amplification } from "../../surveys/static/surveys/js/place-promises.js";
import { isExactOutside } from "../../surveys/static/surveys/js/places.js";

const area = { west: 0, south: 0, east: 40, north: 10, columns: 4, rows: 1 };
const level = (rectangles) => ({ numerator: "3", denominator: "1", rectangles, frames: [[0, 0, 2, 1, 1, 1]], snap: false });

test("the least protected level bounds a place, and places outside are exact unless levels cover every cell", () => {
  const some = { mechanism: "x", area, levels: [level([[0, 0, 2, 1]])], regions: [] };
  assert.equal(amplification(some), 3);
  assert.equal(isExactOutside(some), true);
  assert.equal(isExactOutside({ ...some, levels: [level([[0, 0, 2, 1], [2, 0, 2, 1]])] }), false);
});

test("a bound is rounded up, never down", () => {
  const third = { ...level([[0, 0, 4, 1]]), numerator: "10", denominator: "3" };
  assert.equal(amplification({ mechanism: "x", area, levels: [third], regions: [] }), 3.334);
});
