import assert from "node:assert/strict";
import { test } from "node:test";

import { Coins } from "../../surveys/static/surveys/js/coins.js";
import { disguise } from "../../surveys/static/surveys/js/disguise.js";
import { groupDesign } from "../../surveys/static/surveys/js/layout.js";
import { rowOdds } from "../../surveys/static/surveys/js/odds.js";
import { answerAnew, design, fillFrom, judgeAnew, shielded, vectors, yesNo } from "./cast.js";

const GOLDEN = vectors("near.json");
const ABCD = { ...shielded("a", 5000, ["w", "x", "y", "z"].map((key) => yesNo(key, 5000))), mechanism: "near_truth", radius: 1 };
const PLAN = { ...design([ABCD]), mechanism: 5 };
let law = null;
const YES = { a: { w: 1, x: 1, y: 1, z: 1 } };

test("nothing is disguised before the rows near the true one are here: no true row leaves by mistake", async () => {
  assert.throws(() => disguise(PLAN, YES, false, new Coins(fillFrom([0, 0, 0, 0, 0, 0]))), { code: "mechanism" });
  assert.throws(() => disguise({ ...PLAN, mechanism: 1 }, YES, false, new Coins(fillFrom([0]))), { code: "mechanism" });
  law = await import("../../surveys/static/surveys/js/near.js");
  assert.throws(() => disguise({ ...PLAN, mechanism: 1 }, YES, false, new Coins(fillFrom([0]))), { code: "mechanism" });
});

for (const name of new Set(GOLDEN.cases.map((entry) => entry.design))) {
  const cases = GOLDEN.cases.filter((entry) => entry.design === name);
  test(`golden vectors of rows near the true one, ${name}: ${cases.length} cases, word for word`, () => {
    assert.ok(cases.length > 20);
    answerAnew(GOLDEN, name);
  });
}

test("of all bodies of a small design each is read, or refused, as Python does", () => judgeAnew(GOLDEN));

test("odds of rows near the true one equal Python's to the last bit", () => {
  assert.ok(GOLDEN.odds.length > 8);
  for (const { design: name, direct, prevalence, block, rows } of GOLDEN.odds) {
    const plan = groupDesign(GOLDEN.designs[name], direct);
    for (const { row, ...expected } of rows) {
      assert.deepEqual(rowOdds(plan, prevalence, block, row), expected, `${name} ${JSON.stringify(row)}`);
    }
  }
});

test("each set of turned answers has its number, and the words that are used do not depend on the answers", () => {
  const turned = Array.from({ length: Number(law.ball(ABCD)) }, (_, number) => law.turn(ABCD, [1, 1, 1, 1], BigInt(number)).join(""));
  assert.deepEqual(turned, ["1111", "1110", "1101", "1011", "0111"]);
  for (const answers of [YES, { a: { w: 0, x: 0, y: 0, z: 0 } }]) {
    for (const coin of [0, 9999]) {
      // 7 and 5 are thrown away: there are five sets.
      const coins = new Coins(fillFrom([coin, 0, 0, 0, 0, 7, 5, 4]));
      disguise(PLAN, answers, false, coins);
      assert.equal(coins.used, 8);
    }
  }
});
