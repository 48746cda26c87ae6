import assert from "node:assert/strict";
import { test } from "node:test";

import {
  fit,
  percentText,
  readPercent,
  spread,
  total,
  withOneMore,
  withoutOne,
} from "../../../surveys/static/surveys/js/authoring/probabilities.js";

test("every ten-thousandth is formatted as a percentage and parsed back exactly", () => {
  for (let share = 0; share <= 10000; share += 1) {
    assert.equal(readPercent(percentText(share)), share);
  }
});

test("percentages are parsed in the ways people type them", () => {
  for (const [text, share] of [["5.89", 589], ["5,89", 589], [" 12 % ", 1200], ["0.5", 50], ["7.", 700], ["100", 10000]]) {
    assert.equal(readPercent(text), share);
  }
});

test("anything but a percentage with two decimals is refused, not rounded", () => {
  for (const text of ["", "5.891", "100.01", "-1", "1e2", "half", "5.8.9", ".5", "NaN", "1000"]) {
    assert.equal(readPercent(text), null);
  }
});

test("equal shares sum to 100% for every number of options", () => {
  for (let count = 1; count <= 200; count += 1) {
    const shares = spread(count);
    assert.equal(total(shares), 10000);
    assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
  }
});

test("scaled shares sum to 100%, keep their order, and are all possible", () => {
  let seed = 20261120;
  const next = (most) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % most;
  };
  for (let trial = 0; trial < 300; trial += 1) {
    const shares = Array.from({ length: 2 + next(30) }, () => next(10001));
    const fitted = fit(shares);
    assert.equal(total(fitted), 10000);
    assert.ok(Math.min(...fitted) >= 1);
    shares.forEach((one, i) => shares.forEach((other, j) => one > other && assert.ok(fitted[i] >= fitted[j])));
  }
  assert.deepEqual(fit([0, 0, 0]), spread(3));
  assert.deepEqual(fit([7000, 2000, 1000]), [7000, 2000, 1000]);
  assert.deepEqual(fit([0, 4000], 0), [0, 10000]);
});

test("adding or removing an option keeps the sum at 100%", () => {
  assert.deepEqual(withOneMore([5000, 5000]), [3334, 3333, 3333]);
  assert.deepEqual(withoutOne([3334, 3333, 3333], 0), [5000, 5000]);
  assert.deepEqual(withoutOne([0, 0, 10000], 2, 0), [5000, 5000]);
});
