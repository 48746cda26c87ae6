/** Help that consecutive questions share is shown once. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { sharedHelp } from "../../surveys/static/surveys/js/whole.js";

const words = (...helps) => ({ questions: helps.map((help) => ({ text: "", help })) });

test("consecutive questions with the same help share it", () => {
  const found = sharedHelp(words("a", "a", "b", undefined, undefined, "a", "c", "c"), [[0], [1], [2], [3], [4], [5], [6], [7]]);
  assert.deepEqual(found, [
    { help: "a", questions: [0, 1] },
    { help: "c", questions: [6, 7] },
  ]);
});

test("a table shares its help as a whole, also with questions next to it", () => {
  assert.deepEqual(sharedHelp(words("a", "a", "a"), [[0, 1], [2]]), [{ help: "a", questions: [0, 1, 2] }]);
  assert.deepEqual(sharedHelp(words("a", "b", "a"), [[0, 1], [2]]), []);
  assert.deepEqual(sharedHelp(words("a", undefined, undefined), [[0], [1, 2]]), []);
});

test("help is not shared above a question without help, because it would seem to apply to it", () => {
  assert.deepEqual(sharedHelp(words("a", "a", undefined), [[0], [1], [2]]), []);
  assert.deepEqual(sharedHelp(words("a", "a", "b", "a"), [[0], [1], [2, 3]]), []);
  assert.equal(sharedHelp(words("a", "a", "b"), [[0], [1], [2]]).length, 1);
  assert.equal(sharedHelp(words(undefined, "a", "a"), [[0], [1], [2]]).length, 1);
});

test("only questions that are shown count, in their order", () => {
  assert.deepEqual(sharedHelp(words("a", "b", "a"), [[2], [0]]), [{ help: "a", questions: [2, 0] }]);
});
