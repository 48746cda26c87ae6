import assert from "node:assert/strict";
import { test } from "node:test";

import { Coins } from "../../surveys/static/surveys/js/coins.js";
import { disguise } from "../../surveys/static/surveys/js/disguise.js";
import { hasTwoStrengths, lostOf100 } from "../../surveys/static/surveys/js/draws.js";
import { unpack } from "../../surveys/static/surveys/js/unpack.js";
import { inGroup } from "../../surveys/static/surveys/js/layout.js";
import { groupDesign } from "../../surveys/static/surveys/js/own-group.js";
import { worstRow } from "../../surveys/static/surveys/js/odds.js";
import { answerAnew, code, design, fillFrom, opened, shielded, vectors, yesNo } from "./cast.js";

const GOLDEN = vectors("strengths.json");

for (const [name, plan] of Object.entries(GOLDEN.designs)) {
  const cases = GOLDEN.cases.filter((entry) => entry.design === name);
  test(`golden vectors of two strengths, ${name}: ${cases.length} cases`, () => {
    assert.ok(cases.length > 10);
    assert.ok(hasTwoStrengths(plan));
    answerAnew(GOLDEN, name);
  });
}

const LIGHT = { ...shielded("a", 5000, [yesNo("affair", 5000)]), light: 8000 };
const PLAN = { ...design([opened("you", [yesNo("city")]), LIGHT], "choice"), mechanism: 3 };

test("a coin between the two thresholds is a decoy in one group and the truth in the other", () => {
  for (const [coin, strong, light] of [[4999, 1, 1], [5000, 0, 1], [7999, 0, 1], [8000, 0, 0]]) {
    const sent = (direct) => disguise(PLAN, { a: { affair: 1 } }, direct, new Coins(fillFrom([coin, 5000]))).record;
    assert.deepEqual([sent(false).answers[1], sent(true).answers[1]], [[strong], [light]]);
  }
});

test("a design with two strengths is refused under another mechanism", () => {
  const seal = (mechanism) => disguise({ ...PLAN, mechanism }, { a: { affair: 1 } }, true, new Coins(fillFrom([0, 0])));
  for (const mechanism of [1, 2, 4]) {
    assert.throws(() => seal(mechanism), code("mechanism"));
  }
  assert.doesNotThrow(() => seal(3));
});

test("within a group a block has one strength, and none if answers are sent undisguised", () => {
  const { light: _, ...strong } = LIGHT;
  assert.deepEqual(inGroup(LIGHT, false), strong);
  assert.deepEqual(inGroup(LIGHT, true), { ...strong, truth_probability: 8000 });
  assert.equal(inGroup(strong, true), null);
  assert.equal(inGroup(PLAN.blocks[0], false), null);
});

test("odds and shares are given for each strength", () => {
  const posterior = (direct) => worstRow(groupDesign(PLAN, direct), { affair: [2000] }, 1).posteriorOf100;
  // .2 (p + (1 - p) / 2) / (.2 p + (1 - p) / 2) for p = .5 and .8: .15 / .35 and .18 / .26.
  assert.deepEqual([posterior(false), posterior(true)], [43, 69]);
  const [home] = GOLDEN.designs["square mechanism"].blocks;
  assert.equal(lostOf100(home), lostOf100(inGroup(home, false)));
  assert.ok(lostOf100(inGroup(home, true)) < lostOf100(home));
});
