import assert from "node:assert/strict";
import { test } from "node:test";

import { totals } from "../../anonymisation/static/anonymisation/js/matrix.js";

test("lines add up, and columns are parts of the whole in percent", () => {
  const { sums, shares } = totals([
    [1, 0.5],
    [0.2, 0.3],
  ]);
  assert.deepEqual(sums, ["1.50", "0.50"]);
  assert.deepEqual(shares, ["60", "40"]);
});

test("an empty field counts as nothing, and of nothing there are no parts", () => {
  assert.deepEqual(totals([[Number.NaN, 1]]), { sums: ["1.00"], shares: ["0", "100"] });
  assert.deepEqual(totals([[0, Number.NaN]]).shares, ["–", "–"]);
  assert.deepEqual(totals([]), { sums: [], shares: [] });
});
