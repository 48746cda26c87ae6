import assert from "node:assert/strict";
import { test } from "node:test";

import { amplification, epsilonOf } from "../../../surveys/static/surveys/js/authoring/budget.js";
import { costs } from "../../../surveys/static/surveys/js/authoring/privacy.js";
import { design, shielded, vectors, yesNo } from "../cast.js";
import { survey } from "./cast.js";

const { designs } = vectors("odds.json");

test("golden vectors: every amplification and epsilon equals Python's", () => {
  const { cases } = vectors("budget.json");
  assert.ok(cases.length > 10);
  for (const { design: name, block, amplification: expected, epsilon } of cases) {
    const gamma = amplification(designs[name], block);
    assert.deepEqual(gamma && [String(gamma.up), String(gamma.down)], expected);
    assert.equal(epsilon === null ? null : Number(epsilonOf(gamma).toFixed(12)), epsilon);
  }
});

test("for one to twenty even questions at p = 1/2, gamma is 1 + 2^m", () => {
  for (const m of [1, 3, 5, 10, 20]) {
    const questions = Array.from({ length: m }, (_, number) => yesNo(`q${number}`, 5000));
    const gamma = amplification(design([shielded("b", 5000, questions)]), 0);
    assert.deepEqual(gamma, { up: 1n + 2n ** BigInt(m), down: 1n });
  }
});

test("a truth probability of one has no bound", () => {
  assert.equal(amplification(design([shielded("b", 10000, [yesNo("q", 5000)])]), 0), null);
  assert.equal(epsilonOf(null), Infinity);
});

test("epsilon is finite for a block whose amplification overflows a double", () => {
  const questions = Array.from({ length: 200 }, (_, number) => yesNo(`q${number}`, 1));
  const gamma = amplification(design([shielded("b", 5000, questions)]), 0);
  assert.ok(Math.abs(epsilonOf(gamma) - 200 * Math.log(10000)) < 1e-9);
});

test("the live panel counts protected parts, and waits until probabilities are valid", () => {
  const [one] = costs(survey());
  assert.equal(one.place, 1);
  // p = .5, q = (1 - .3334) .5 = .3333, a skip at .3334 is likelier: gamma = 1 + 1 / .3333
  assert.equal(one.epsilon.toFixed(4), Math.log(1 + 1 / 0.3333).toFixed(4));
  // P = (1 - .3334) .2: P (.5 + .5 .3333) / (.5 P + .5 .3333) = .38
  assert.equal(one.odds.posteriorOf100, 38);
  const draft = survey();
  draft.blocks[1].questions[0].unrelated = [0];
  assert.equal(costs(draft)[0].epsilon, null);
  draft.blocks[1].questions = [];
  assert.equal(costs(draft)[0].epsilon, null);
  const vague = survey();
  vague.blocks[1].questions[0].prevalence = [20000];
  assert.equal(costs(vague)[0].odds, null);
  assert.ok(costs(vague)[0].epsilon > 0);
});

test("if answers exclude each other, the live panel shows the worst possible row", () => {
  const { designs: known, cases } = vectors("exclusive.json");
  const { design: name, prevalence, together } = cases[0];
  const [block] = known[name].blocks;
  const questions = block.questions.map((one) => ({ ...one, prevalence: prevalence[one.key] }));
  const draft = { blocks: [{ ...block, questions }] };
  const budget = { blocks: [{ path: "blocks[0]", together }] };
  assert.deepEqual(costs(draft)[0].worst, [1, 1]);
  assert.deepEqual(costs(draft, budget)[0].worst, [1, 0]);
  assert.notEqual(costs(draft, budget)[0].odds.posteriorOf100, costs(draft)[0].odds.posteriorOf100);
  // The server has not seen the added question, so there are no odds until the draft is saved.
  draft.blocks[0].questions.push({ ...questions[0], key: "month" });
  assert.equal(costs(draft, budget)[0].odds, null);
});
