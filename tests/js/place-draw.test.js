import assert from "node:assert/strict";
import { test } from "node:test";

import { passing, placeAmplification } from "../../surveys/static/surveys/js/place-draw.js";

const level = (numerator, denominator, windows = {}) => ({
  numerator,
  denominator,
  rectangles: [[0, 0, 4, 2]],
  frames: [[0, 0, 4, 2, 2, 1]],
  ...windows,
});

test("the worst level bounds what can be learnt about a place, in any order", () => {
  for (const levels of [
    [level(3, 2), level(5, 1)],
    [level(5, 1), level(3, 2)],
  ]) {
    assert.deepEqual(placeAmplification({ levels }), { up: 5n, down: 1n });
  }
});

test("a place outside all levels passes a level with the probability of its near draws", () => {
  // (5 - 1) windows of 2 cells against 8 cells of the level.
  assert.equal(passing(level(5, 1)), 8 / 16);
});
