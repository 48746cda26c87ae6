/** A part of which answers near the true ones are sent: what is left of them is what Python says. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { amplification, epsilonOf } from "../../../surveys/static/surveys/js/authoring/budget.js";
import { asDrawn } from "../../../surveys/static/surveys/js/authoring/drawn-part.js";
import * as edits from "../../../surveys/static/surveys/js/authoring/edits.js";
import { factors } from "../../../surveys/static/surveys/js/authoring/near-part.js";

/** A part of so many protected yes/no questions. */
function part(count) {
  let next = edits.addBlock({ blocks: [] }, true).document;
  for (let number = 0; number < count; number += 1) {
    next = edits.addQuestion(next, 0, "yes_no").document;
  }
  return next;
}

/** The same part, sent so that at most so many answers are changed, with fair coins. */
function near(document, truth, radius = 1) {
  const [block] = document.blocks;
  const questions = block.questions.map((question) => ({ ...question, unrelated: [5000] }));
  return { ...block, mechanism: "near_truth", radius, refusal: null, truth_probability: truth, questions };
}

const epsilonOfPart = (block) => epsilonOf(amplification({ blocks: [asDrawn(block)] }, 0));

test("ten questions within one answer at epsilon 6: what is left is the table's", () => {
  const block = near(part(10), 8121);
  // Python: NearTruth(questions=10, radius=1, truth=Fraction(8121, 10000)).
  assert.deepEqual(factors(asDrawn(block), 3).map((factor) => factor.toFixed(4)), ["0.6644", "0.5168", "0.3691"]);
  assert.equal(epsilonOfPart(block).toFixed(2), "6.00");
});

test("of all numbers of answers and of turned ones the factors are the sums over all turned sets", () => {
  for (let count = 1; count <= 6; count += 1) {
    for (let radius = 0; radius < count; radius += 1) {
      const block = { ...part(count).blocks[0], truth_probability: 5000, radius, mechanism: "near_truth" };
      const rows = Array.from({ length: 2 ** count }, (_, row) => row).filter((row) => ones(row) <= radius);
      const expected = [1, 2, 3].filter((size) => size <= count).map((size) => {
        const sum = rows.reduce((all, row) => all + (ones(row & (2 ** size - 1)) % 2 ? -1 : 1), 0);
        return sum / rows.length / 2;
      });
      factors(block, 3).forEach((factor, size) => assert.ok(Math.abs(factor - expected[size]) < 1e-12));
    }
  }
});

const ones = (row) => row.toString(2).replaceAll("0", "").length;

test("what cannot be sent so is taken for the true answers until it is mended", () => {
  const block = near(part(3), 5000);
  assert.equal(asDrawn(block).radius, 1);
  for (const change of [{ radius: 3 }, { radius: "two" }, { refusal: 100 }]) {
    assert.equal("radius" in asDrawn({ ...block, ...change }), false);
  }
  const uneven = { ...block, questions: block.questions.map((question) => ({ ...question, unrelated: [3000] })) };
  assert.equal(asDrawn(uneven).radius, undefined);
  assert.equal(asDrawn({ ...block, questions_per_person: 1 }).radius, undefined);
  const open = edits.setProtected({ blocks: [block] }, 0, false).blocks[0];
  assert.equal("radius" in open || "mechanism" in open, false);
});
