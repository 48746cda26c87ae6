/** Published scorings give the same results as in Python. */

import assert from "node:assert/strict";
import test from "node:test";

import { computedValue, total } from "../../surveys/static/surveys/js/composite-answer.js";
import { vectors } from "./cast.js";

const { scorings, cases } = vectors("scorings.json");

for (const [name, { rule }] of Object.entries(scorings)) {
  test(`${name} as in Python`, () => {
    const options = [...new Set(rule.levels.map(({ option }) => option))];
    const own = cases.filter(({ scoring }) => scoring === name);
    assert.ok(own.length >= 12);
    for (const { answers, open, sum, answer } of own) {
      assert.equal(total(rule, answers, open), sum);
      assert.equal(options[computedValue({ computed: rule, options }, answers, open)] ?? null, answer);
    }
  });
}
