/** A part of which answers near the true ones are sent: as telling as before, and what is left is what Python says. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { amplification, epsilonOf } from "../../../surveys/static/surveys/js/authoring/budget.js";
import { asDrawn } from "../../../surveys/static/surveys/js/authoring/drawn-part.js";
import * as edits from "../../../surveys/static/surveys/js/authoring/edits.js";
import { canBeNear, factors, whatIsLeft, withNear, withRadius } from "../../../surveys/static/surveys/js/authoring/near-part.js";
import { setAt } from "../../../surveys/static/surveys/js/authoring/paths.js";
import { strengthOf, truthFor } from "../../../surveys/static/surveys/js/authoring/strength.js";

/** A part of so many protected yes/no questions. */
function part(count) {
  let next = edits.addBlock({ blocks: [] }, true).document;
  for (let number = 0; number < count; number += 1) {
    next = edits.addQuestion(next, 0, "yes_no").document;
  }
  return next;
}

const epsilonOfPart = (document) => epsilonOf(amplification({ blocks: [asDrawn(document.blocks[0])] }, 0));
const at = (document, truth) => setAt(document, ["blocks", 0, "truth_probability"], truth);

test("ten questions within one answer at epsilon 6: what is left is the table's", () => {
  const near = at(withNear(part(10), 0, true), 8121);
  // Python: NearTruth(questions=10, radius=1, truth=Fraction(8121, 10000)).
  assert.deepEqual(factors(asDrawn(near.blocks[0]), 3).map((factor) => factor.toFixed(4)), ["0.6644", "0.5168", "0.3691"]);
  assert.equal(epsilonOfPart(near).toFixed(2), "6.00");
  const { plain } = whatIsLeft(near.blocks[0]);
  // (e^eps - 1) / (e^eps - 1 + 2^10) with the epsilon of so many ten-thousandths, rounded down.
  assert.equal(plain, 0.282);
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

test("a part keeps its strength, or its epsilon, when what it sends is changed", () => {
  const plain = part(6);
  const named = withNear(at(plain, truthFor(plain.blocks[0], "medium")), 0, true);
  assert.equal(strengthOf(named.blocks[0]), "medium");
  const own = at(part(6), 3210);
  const near = withNear(own, 0, true);
  const [before, after] = [own, near].map(epsilonOfPart);
  assert.ok(after <= before && after > before - 0.01, `${before} ${after}`);
  const two = withRadius(near, 0, 2);
  assert.ok(Math.abs(epsilonOfPart(two) - after) < 0.01);
  const back = withNear(near, 0, false);
  assert.ok(epsilonOfPart(back) <= after);
  assert.equal("radius" in back.blocks[0] || "mechanism" in back.blocks[0], false);
});

test("what cannot be sent so is taken for the true answers until it is mended", () => {
  const near = withNear(part(3), 0, true).blocks[0];
  assert.equal(asDrawn(near).radius, 1);
  assert.equal(near.refusal, null);
  for (const change of [{ radius: 3 }, { radius: "two" }, { refusal: 100 }]) {
    assert.equal("radius" in asDrawn({ ...near, ...change }), false);
  }
  const uneven = { ...near, questions: near.questions.map((question) => ({ ...question, unrelated: [3000] })) };
  assert.equal(asDrawn(uneven).radius, undefined);
  assert.equal(asDrawn({ ...near, questions_per_person: 1 }).radius, undefined);
  const mixed = edits.addQuestion(part(3), 0, "single").document;
  assert.equal(canBeNear(mixed.blocks[0]), false);
  assert.equal(canBeNear(part(1).blocks[0]), false);
  const open = edits.setProtected(withNear(part(3), 0, true), 0, false).blocks[0];
  assert.equal("radius" in open || "mechanism" in open, false);
});
