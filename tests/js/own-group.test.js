/** What holds for the respondents of one group. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { groupAllows, groupDesign, wayOf } from "../../surveys/static/surveys/js/own-group.js";
import { design, opened, shielded, yesNo } from "./cast.js";

const OPEN = opened("you", [yesNo("city")]);
const STRONG = shielded("a", 5000, [yesNo("affair", 5000)]);
const LIGHT = { ...STRONG, light: 8000 };

test("a row is protected if any part of it is disguised in its group", () => {
  const ways = [[OPEN], [OPEN, STRONG], [OPEN, LIGHT]].map((blocks) => {
    const plan = design(blocks, "choice");
    return [wayOf(plan, false), wayOf(plan, true)];
  });
  assert.deepEqual(ways, [["open", "open"], ["protected", "direct"], ["protected", "protected"]]);
});

test("a light strength replaces the coin of its group only, and open parts stay", () => {
  const coins = (direct) => groupDesign(design([OPEN, LIGHT], "choice"), direct).blocks.map((own) => own.truth_probability);
  assert.deepEqual([coins(false)[1], coins(true)[1]], [5000, 8000]);
  assert.equal(coins(true)[0], OPEN.truth_probability);
});

test("a group that no one is drawn for is not allowed", () => {
  const both = (policy, share) => [false, true].map((direct) => groupAllows({ policy, direct_share: share }, direct));
  assert.deepEqual(both("protected", null), [true, false]);
  assert.deepEqual(both("choice", null), [true, true]);
  assert.deepEqual(both("assigned", 0), [true, false]);
  assert.deepEqual(both("assigned", 10000), [false, true]);
  assert.deepEqual(both("assigned", 1), [true, true]);
});
