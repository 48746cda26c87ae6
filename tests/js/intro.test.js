import assert from "node:assert/strict";
import { test } from "node:test";

import { minutesOf, questionCount } from "../../surveys/static/surveys/js/intro.js";

const questions = (count) => Array.from({ length: count }, () => ({}));
const block = (key, count, more = {}) => ({ key, questions: questions(count), ...more });

test("of parts and questions that rotate only those are counted that one person gets", () => {
  const blocks = [block("a", 2), block("b", 5, { questions_per_person: 3 }), block("c", 1)];
  assert.equal(questionCount({ blocks }), 6);
  // Of "a" and "c" one person gets one: two questions at most.
  assert.equal(questionCount({ blocks, rotations: [{ blocks: ["a", "c"], parts_per_person: 1 }] }), 5);
});

test("an arm is no question", () => {
  const arm = { key: "told", questions: [{ shares: [5000, 5000] }] };
  assert.equal(questionCount({ blocks: [arm, block("a", 2)] }), 2);
});

test("a minute to read what comes first, and a quarter for each question", () => {
  assert.deepEqual([1, 4, 5, 6].map(minutesOf), [2, 2, 3, 3]);
});
