import assert from "node:assert/strict";
import { test } from "node:test";

import { minutesOf, questionCount } from "../../surveys/static/surveys/js/survey-length.js";

const questions = (count) => Array.from({ length: count }, () => ({}));
const block = (key, count, more = {}) => ({ key, questions: questions(count), ...more });

test("only the rotating parts and questions of one person are counted", () => {
  const blocks = [block("a", 2), block("b", 5, { questions_per_person: 3 }), block("c", 1)];
  assert.equal(questionCount({ blocks }), 6);
  // One person gets either "a" or "c", so at most two questions.
  assert.equal(questionCount({ blocks, rotations: [{ blocks: ["a", "c"], parts_per_person: 1 }] }), 5);
});

test("an arm does not count as a question", () => {
  const arm = { key: "told", questions: [{ shares: [5000, 5000] }] };
  assert.equal(questionCount({ blocks: [arm, block("a", 2)] }), 2);
});

test("the estimate is one minute for the first screen and a quarter for each question", () => {
  assert.deepEqual([1, 4, 5, 6].map(minutesOf), [2, 2, 3, 3]);
});
