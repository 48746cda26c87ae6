/** Rotation follows edits: booklets change with their questions, rotations with their parts. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { asDrawn } from "../../../surveys/static/surveys/js/authoring/drawn-part.js";
import * as edits from "../../../surveys/static/surveys/js/authoring/edits.js";
import { bestRefusal } from "../../../surveys/static/surveys/js/authoring/strength.js";
import * as rotating from "../../../surveys/static/surveys/js/authoring/rotating.js";
import { setAt } from "../../../surveys/static/surveys/js/authoring/paths.js";
import { answersFor, CEILINGS, keepStrengths, strengthOf, truthFor } from "../../../surveys/static/surveys/js/authoring/strength.js";

const PAIRS = [[0, 1], [0, 2], [1, 2]];

/** Returns a document of protected parts with the given numbers of yes/no questions. */
function parts(...counts) {
  return counts.reduce((document, count, place) => {
    let next = edits.addBlock(document, true).document;
    for (let number = 0; number < count; number += 1) {
      next = edits.addQuestion(next, place, "yes_no").document;
    }
    return next;
  }, { blocks: [] });
}

const part = (document, place = 0) => document.blocks[place];

test("each person is asked the chosen number of questions, and the proposed share of skips follows", () => {
  const before = parts(10);
  assert.equal(part(before).refusal, bestRefusal(part(before), "medium"));
  const four = rotating.withPerPerson(before, 0, 4);
  assert.equal(part(four).questions_per_person, 4);
  // Four yes/no questions: a = 18 / 16 and b = 8, so r = a / (a + b) = 9/73.
  assert.equal(part(four).refusal, 1233);
  const all = rotating.withPerPerson(four, 0, undefined);
  assert.deepEqual(part(all), part(before));
  const own = rotating.withPerPerson({ blocks: [{ ...part(before), refusal: 77 }] }, 0, 4);
  assert.equal(part(own).refusal, 77);
});

test("the share of skips of listed sets is that of the set with the rarest pattern", () => {
  const three = edits.addQuestion(parts(2), 0, "single").document;
  const pairs = rotating.withBooklets(rotating.withPerPerson(three, 0, 2), 0, [[0, 1], [1, 2]]);
  assert.equal(part(pairs).refusal, bestRefusal(part(pairs), "medium"));
  const many = rotating.withBooklets(pairs, 0, [[0, 2], [1, 2]]);
  assert.equal(part(many).refusal, bestRefusal(part(many), "medium"));
});

test("an impossible number of questions counts as all until it is fixed", () => {
  const document = parts(3);
  for (const count of [0, 3, 1.5, "two", null]) {
    const block = { ...part(document), questions_per_person: count, booklets: PAIRS };
    assert.equal("questions_per_person" in asDrawn(block), false);
  }
  const wrong = { ...part(document), questions_per_person: 2, booklets: [[0, 5], [1, 2]] };
  assert.equal(asDrawn(wrong).questions_per_person, 2);
  assert.equal("booklets" in asDrawn(wrong), false);
  const right = { ...wrong, booklets: PAIRS };
  assert.equal(asDrawn(right), right);
});

test("listed sets are dropped when questions are added or removed, and a small part asks all", () => {
  const listed = rotating.withBooklets(rotating.withPerPerson(parts(3), 0, 2), 0, PAIRS);
  const more = edits.addQuestion(listed, 0, "yes_no").document;
  assert.deepEqual([part(more).questions_per_person, part(more).booklets], [2, undefined]);
  const less = edits.removeQuestion(listed, 0, 0);
  assert.deepEqual([part(less).questions_per_person, part(less).booklets], [undefined, undefined]);
  const moved = edits.moveQuestion(listed, { block: 0, place: 0 }, { block: 0, place: 2 }).document;
  assert.deepEqual(part(moved).booklets, PAIRS);
  const [first] = part(listed).questions;
  const some = rotating.withBooklets(listed, 0, [[0, 1], [0, 2]]);
  const follows = part(edits.moveQuestion(some, { block: 0, place: 0 }, { block: 0, place: 2 }).document);
  assert.deepEqual([follows.questions[2], follows.booklets], [first, [[0, 2], [1, 2]]]);
  const open = edits.setProtected(listed, 0, false);
  assert.equal("questions_per_person" in part(open) || "booklets" in part(open), false);
});

test("parts can rotate, and rotations follow edits of their parts", () => {
  const document = rotating.addRotation(parts(1, 1, 1));
  const [a, b, c] = document.blocks.map(({ key }) => key);
  assert.deepEqual(document.rotations, [{ blocks: [a, b, c], parts_per_person: 1 }]);
  assert.equal(rotating.addRotation(document), document);
  assert.deepEqual(edits.setBlockKey(document, 1, "new").rotations[0].blocks, [a, "new", c]);
  assert.deepEqual(edits.removeBlock(document, 0).rotations[0].blocks, [b, c]);
  assert.deepEqual(edits.setProtected(document, 2, false).rotations[0].blocks, [a, b]);
  const two = rotating.chooseInTurn(document, 0, b, false);
  assert.deepEqual(two.rotations[0].blocks, [a, c]);
  assert.deepEqual(rotating.chooseInTurn(two, 0, b, true).rotations[0].blocks, [a, b, c]);
  // A rotation of one part is removed.
  assert.equal("rotations" in edits.removeBlock(two, 0), false);
  assert.equal("rotations" in rotating.removeRotation(document, 0), false);
});

test("of rotating parts, the most expensive ones count, as many as one person gets", () => {
  const document = { ...rotating.addRotation(parts(1, 1, 1, 1)) };
  document.rotations = [{ blocks: document.blocks.slice(0, 3).map(({ key }) => key), parts_per_person: 2 }];
  const costs = [1, 3, 2, 5].map((epsilon, place) => ({ place, epsilon }));
  assert.deepEqual(rotating.countedCosts(document, costs).map(({ epsilon }) => epsilon), [3, 2, 5]);
  assert.deepEqual(rotating.countedCosts(parts(1, 1, 1, 1), costs), costs);
});

test("asking four of ten questions needs two and a half times as many people", () => {
  const [all, some] = [answersFor(5_000, 0.05), answersFor(5_000, 0.05, 0.4)];
  assert.ok(some >= 2.4 * all && some <= 2.6 * all);
});

test("a strength applies to the questions of one person: 1 + p / ((1 - p) q), with q of their patterns", () => {
  const ten = parts(10);
  const four = parts(4);
  const rotated = rotating.withPerPerson(ten, 0, 4);
  for (const strength of Object.keys(CEILINGS)) {
    assert.equal(truthFor(part(rotated), strength), truthFor(part(four), strength));
    assert.ok(truthFor(part(rotated), strength) > truthFor(part(ten), strength));
  }
  // The set with the least likely decoy decides; only one of the two has 0.3.
  const three = parts(3);
  const low = setAt(three, ["blocks", 0, "questions", 2, "unrelated"], [3000]);
  const listed = rotating.withBooklets(rotating.withPerPerson(low, 0, 2), 0, [[0, 1], [1, 2]]);
  const pair = { ...part(listed), questions: part(low).questions.slice(1) };
  delete pair.questions_per_person;
  delete pair.booklets;
  assert.equal(truthFor(part(listed), "medium"), truthFor(pair, "medium"));
});

test("a part keeps its strength when each person is asked fewer of its questions", () => {
  const ten = parts(10);
  const before = setAt(ten, ["blocks", 0, "truth_probability"], truthFor(part(ten), "medium"));
  const after = keepStrengths(rotating.withPerPerson(before, 0, 4), before);
  assert.equal(strengthOf(part(after)), "medium");
  assert.ok(part(after).truth_probability > part(before).truth_probability);
});
