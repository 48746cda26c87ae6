/** Strengths of parts keep their promise exactly, and stay when a part changes. */

import assert from "node:assert/strict";
import test from "node:test";

import { amplification, epsilonOf } from "../../../surveys/static/surveys/js/authoring/budget.js";
import { addBlock, addQuestion, removeQuestion, setKind, setProtected } from "../../../surveys/static/surveys/js/authoring/edits.js";
import {
  answersFor,
  bestRefusal,
  CEILINGS,
  epsilonFor,
  keepStrengths,
  strengthAt,
  strengthOf,
  truthFor,
  withStrength,
} from "../../../surveys/static/surveys/js/authoring/strength.js";

const EMPTY = { blocks: [] };

/** Returns a new part with `count` yes/no questions, as the builder makes it. */
function partOf(count) {
  let document = addBlock(EMPTY, true).document;
  for (let number = 0; number < count; number += 1) {
    document = keepStrengths(addQuestion(document, 0, "yes_no").document, document);
  }
  return document;
}

/** Returns the odds for a truth probability, of the whole row, one yes/no answer and a skip: 1 + p / ((1 - p) q). */
function odds(document, truth) {
  const block = { ...document.blocks[0], truth_probability: truth };
  const everything = amplification({ blocks: [block] }, 0);
  // (1 - p)(1 - r)/2 and p, scaled to integers.
  const decoy = BigInt(10_000 - truth) * BigInt(10_000 - block.refusal);
  const skipped = BigInt(10_000 - truth) * BigInt(block.refusal);
  return {
    everything,
    answer: { up: decoy + 20_000n * BigInt(truth), down: decoy },
    skip: { up: skipped + 10_000n * BigInt(truth), down: skipped },
  };
}

const isWithin = (odds, most) => odds.up * most.down <= most.up * odds.down;

test("no one becomes surer than a strength promises, but would with the next truth probability", () => {
  for (const count of [1, 2, 3, 6, 10]) {
    const document = partOf(count);
    for (const [strength, most] of Object.entries(CEILINGS)) {
      const truth = truthFor(document.blocks[0], strength);
      const [now, next] = [odds(document, truth), odds(document, truth + 1)];
      const limits = Object.keys(most);
      assert.deepEqual(limits, ["everything", "answer", "skip"]);
      assert.ok(limits.every((limit) => isWithin(now[limit], most[limit])), `${count} ${strength}`);
      assert.ok(!limits.every((limit) => isWithin(next[limit], most[limit])), `${count} ${strength}`);
    }
  }
});

test("for one skippable question, odds of four and nine for a skip, r = 1.5 / 9.5", () => {
  const [block] = partOf(1).blocks;
  assert.equal(block.refusal, 1579);
  // Of 10,000 decoys, 8421 / 2 are "yes": p / (1 - p) = 3 * .42105 = 1.26315, so p = .55814.
  assert.equal(block.truth_probability, 5581);
  assert.equal(strengthOf(block), "medium");
});

test("a new part has medium strength, and keeps it when its questions change", () => {
  let document = partOf(3);
  const step = (next) => {
    document = keepStrengths(next, document);
    assert.equal(strengthOf(document.blocks[0]), "medium");
    assert.ok(epsilonOf(amplification(document, 0)) <= Math.log(19));
  };
  step(setKind(document, ["blocks", 0, "questions", 1], "single"));
  step(setKind(document, ["blocks", 0, "questions", 2], "list"));
  step(removeQuestion(document, 0, 0));
  step({ ...document, blocks: [{ ...document.blocks[0], refusal: null }] });
  const open = setProtected(document, 0, false);
  assert.equal("truth_probability" in open.blocks[0], false);
  assert.equal(strengthOf(setProtected(open, 0, true).blocks[0]), "medium");
});

test("the proposed share of skips follows the strength, and a chosen one stays", () => {
  const [block] = partOf(1).blocks;
  for (const strength of Object.keys(CEILINGS)) {
    const next = withStrength(block, strength);
    assert.equal(strengthOf(next), strength);
    assert.equal(next.refusal, bestRefusal(block, strength));
    assert.deepEqual(withStrength(next, "medium"), block);
  }
  const own = { ...block, refusal: 3334 };
  assert.equal(withStrength(own, "strong").refusal, 3334);
  const { refusal: _, ...without } = block;
  assert.equal("refusal" in withStrength(without, "strong"), false);
  const invalid = { ...block, questions: [{ ...block.questions[0], unrelated: [0] }] };
  assert.deepEqual([bestRefusal(invalid), withStrength(invalid, "strong")], [null, null]);
});

test("no other share of skips allows a larger truth probability", () => {
  for (const count of [1, 2, 4]) {
    const [block] = partOf(count).blocks;
    for (const strength of Object.keys(CEILINGS)) {
      const truth = truthFor({ ...block, refusal: bestRefusal(block, strength) }, strength);
      for (let refusal = 1; refusal < 10_000; refusal += 7) {
        assert.ok(truthFor({ ...block, refusal }, strength) <= truth, `${count} ${strength} ${refusal}`);
      }
    }
  }
});

test("a truth probability that a person chose does not change", () => {
  const document = partOf(2);
  const own = { blocks: [{ ...document.blocks[0], truth_probability: 4321 }] };
  assert.equal(strengthOf(own.blocks[0]), null);
  assert.equal(keepStrengths(own, document).blocks[0].truth_probability, 4321);
  assert.equal(keepStrengths(addQuestion(own, 0, "yes_no").document, own).blocks[0].truth_probability, 4321);
});

test("there is no strength while probabilities are invalid", () => {
  const document = partOf(1);
  const [question] = document.blocks[0].questions;
  const wrong = { blocks: [{ ...document.blocks[0], questions: [{ ...question, unrelated: [0] }] }] };
  assert.equal(truthFor(wrong.blocks[0], "strong"), null);
  assert.equal(strengthOf(wrong.blocks[0]), null);
  assert.equal(keepStrengths(wrong, document).blocks[0].truth_probability, document.blocks[0].truth_probability);
});

test("a part with very many answers keeps a truth probability that can be published", () => {
  const [block] = partOf(40).blocks;
  assert.equal(block.truth_probability, 1);
});

test("the epsilon of a number keeps the odds of one answer: 7/3, four, nine", () => {
  assert.deepEqual(Object.keys(CEILINGS).map(epsilonFor), [0.84, 1.38, 2.19]);
  assert.equal(strengthAt(1.38), "medium");
  assert.equal(strengthAt(2), null);
});

test("answers for 5 points: (1.96 / 0.1)^2 = 384.16 if all are true, four times as many if half are", () => {
  assert.equal(answersFor(10_000, 0.05), 390);
  // 1536.64
  assert.equal(answersFor(5_000, 0.05), 1600);
  // 38416, exactly 100 times.
  assert.equal(answersFor(1_000, 0.05), 39_000);
  assert.equal(answersFor(10_000, 0.5), 4);
});
