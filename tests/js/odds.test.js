import assert from "node:assert/strict";
import { test } from "node:test";

import { leastLikelyDecoy, rowOdds, tellingAnswers, worstRow } from "../../surveys/static/surveys/js/odds.js";
import { choice, code, design, opened, shielded, vectors, yesNo } from "./cast.js";

const GOLDEN = vectors("odds.json");

const even = (p, questions, refusal = null) =>
  design([
    shielded(
      "b",
      p,
      Array.from({ length: questions }, (_, number) => yesNo(`q${number}`, 5000)),
      { refusal },
    ),
  ]);
const stated = (questions, share = 1000) =>
  Object.fromEntries(Array.from({ length: questions }, (_, number) => [`q${number}`, [share]]));

test("golden vectors: every number equals Python's exactly", () => {
  assert.ok(GOLDEN.cases.length > 20);
  for (const { design: name, prevalence, block, worst, rows } of GOLDEN.cases) {
    const plan = GOLDEN.designs[name];
    assert.deepEqual(leastLikelyDecoy(plan, block), worst);
    for (const { row, ...expected } of rows) {
      assert.deepEqual(rowOdds(plan, prevalence, block, row), expected);
    }
    assert.deepEqual(worstRow(plan, prevalence, block), {
      values: worst,
      ...rowOdds(plan, prevalence, block, worst),
    });
  }
});

test("if answers exclude each other, the odds also equal Python's, and impossible rows have posterior zero", () => {
  const { designs, cases } = vectors("exclusive.json");
  assert.ok(cases.length > 1);
  for (const { design: name, prevalence, together, rows } of cases) {
    for (const { row, ...expected } of rows) {
      assert.deepEqual(rowOdds(designs[name], prevalence, 0, row, together), expected);
    }
    const { values, ...odds } = worstRow(designs[name], prevalence, 0, together);
    assert.deepEqual(values, together.worst);
    assert.ok(odds.posteriorOf100 > 0);
  }
  const { together } = cases[0];
  assert.equal(rowOdds(designs[cases[0].design], {}, 0, [1, 1], together).posteriorOf100, 0);
});

test("odds of a row match a manual calculation", () => {
  // P = .02; .02 (.5 + .125) / (.5 * .02 + .125) = .0125 / .135
  const odds = rowOdds(even(5000, 2), { q0: [2000], q1: [1000] }, 0, [1, 1]);
  assert.deepEqual(odds, {
    posterior: 0.092592592592592,
    posteriorOf100: 9,
    priorOf100: 2,
  });
});

test("a skip is a separate row", () => {
  // r = .2 in decoys and, as nothing is stated, in truth: .2 (.5 + .1) / (.1 + .1)
  assert.equal(rowOdds(even(5000, 2, 2000), stated(2), 0, "skipped").posterior, 0.6);
});

test("halves are rounded up", () => {
  // P = .1, p = .25, theta = .5: .1 (.25 + .375) / (.025 + .375) = .15625; for P = .2: .125 / .425.
  assert.equal(rowOdds(even(2500, 1), { q0: [2000] }, 0, [1]).priorOf100, 20);
  assert.deepEqual([50, 149, 150].map((share) => rowOdds(even(2500, 1), { q0: [share] }, 0, [1]).priorOf100), [1, 1, 2]);
});

test("the largest allowed blocks have exact odds", () => {
  const odds = worstRow(even(5000, 500), stated(500, 1), 0);
  assert.equal(odds.posterior, 0);
});

test("among equally likely decoys the one with most \"yes\" is chosen, and a skip only if it is rarer", () => {
  const of = (questions, refusal = null) => leastLikelyDecoy(design([shielded("b", 5000, questions, { refusal })]), 0);
  assert.deepEqual(of([yesNo("a", 6000), yesNo("b", 5000), yesNo("c", 4000)]), [0, 1, 1]);
  assert.deepEqual(of([choice("a", "single", ["x", "y", "z", "w"], [3000, 2000, 3000, 2000])]), [1]);
  assert.deepEqual(of([choice("a", "multi", ["x", "y"], [9000, 5000])]), [[0, 1]]);
  assert.deepEqual(of([yesNo("a", 5000), yesNo("b", 5000)], 2000), [1, 1]);
  assert.equal(of([yesNo("a", 5000), yesNo("b", 5000)], 1999), "skipped");
});

test("the most revealing answers are never a skip, even if a skip reveals more", () => {
  const plan = even(5000, 2, 1999);
  assert.equal(worstRow(plan, stated(2), 0).values, "skipped");
  const { values, ...odds } = tellingAnswers(plan, stated(2), 0);
  assert.deepEqual(values, [1, 1]);
  assert.deepEqual(odds, rowOdds(plan, stated(2), 0, [1, 1]));
  // Without a skip, they are the worst row itself.
  assert.deepEqual(tellingAnswers(even(5000, 2), stated(2), 0), worstRow(even(5000, 2), stated(2), 0));
});

test("stated prevalences that are not a distribution are refused", () => {
  const plan = design([shielded("b", 5000, [choice("mood", "single", ["x", "y"], [5000, 5000])])]);
  for (const shares of [undefined, [], [10000], [5000, "5000"], [5000.5, 4999.5], [-1, 10001], [true, 9999]]) {
    assert.throws(() => rowOdds(plan, { mood: shares }, 0, [0]), code("prevalence"));
  }
  assert.throws(() => rowOdds(plan, { mood: [5000, 4999] }, 0, [0]), code("shares_sum"));
});

test("only rows of protected blocks have odds", () => {
  const plan = design([opened("you", [yesNo("city")]), shielded("b", 5000, [yesNo("q", 5000)])]);
  const open = { city: [1], q: [1000] };
  for (const block of [0, 2, -1, undefined]) {
    assert.throws(() => worstRow(plan, open, block), code("open_block"));
    assert.throws(() => rowOdds(plan, open, block, [1]), code("open_block"));
  }
  for (const row of [[2], [true], [null], [[1]]]) {
    assert.throws(() => rowOdds(plan, open, 1, row), code("answer"));
  }
  for (const row of [[], [1, 1], "no", null]) {
    assert.throws(() => rowOdds(plan, open, 1, row), code("row"));
  }
});

test("a row that is never sent has no odds", () => {
  const plan = { ...even(10000, 1), use: "study" };
  assert.throws(() => rowOdds(plan, stated(1, 0), 0, [1]), code("impossible"));
});
