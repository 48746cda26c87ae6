import assert from "node:assert/strict";
import { test } from "node:test";

import { partHeading, partName, partsOf, placeSaid } from "../../surveys/static/surveys/js/part-name.js";
import { titleOf } from "../../surveys/static/surveys/js/said.js";
import { fakeDocument } from "./fake_page.js";

globalThis.document = fakeDocument({ root: { dataset: {} } });

const TEXTS = { part_number: "Part {number}", part_questions_one: "One question", part_questions: "{questions} questions" };
const asked = (text, more = {}) => ({ questions: [{ text }, { text: "And then?" }], ...more });
const block = (more = {}) => ({ questions: [{}, {}], ...more });
const ARM = { questions: [{ shares: [5000, 5000] }] };

test("a title that repeats the first question or list is none, as in surveys of earlier versions", () => {
  assert.equal(titleOf(asked("Did you hit?", { title: "Acts" })), "Acts");
  assert.equal(titleOf(asked("Did you hit?", { title: "Did you hit?" })), "");
  assert.equal(titleOf(asked("Did you hit?", { title: "" })), "");
  const lines = { title: "Which?", stems: [{ text: "Which?" }], questions: [{ text: "A rope", stem: 0 }] };
  assert.equal(titleOf(lines), "");
  assert.equal(titleOf({ title: "Mood", questions: [{ text: "Mood", components: [] }] }), "Mood");
});

test("among others, a part without a title has its number among the parts that respondents see", () => {
  const blocks = [ARM, block(), block()];
  const names = [1, 2].map((place) => partName(TEXTS, asked("Did you hit?"), blocks[place], blocks));
  assert.deepEqual(names, ["Part 1", "Part 2"]);
  assert.equal(partName(TEXTS, asked("Did you hit?", { title: "Acts" }), blocks[1], blocks), "Acts");
  assert.equal(partsOf(blocks).indexOf(blocks[2]) + 1, 2);
});

test("the only part without a title, and its own screen, say how many questions it has", () => {
  const only = block({ questions_per_person: 1 });
  assert.equal(placeSaid(TEXTS, only, [ARM, only]), "One question");
  assert.equal(partHeading(TEXTS, asked("Did you hit?"), block()), "2 questions");
  assert.equal(partHeading(TEXTS, asked("Did you hit?", { title: "Acts" }), block()), "Acts");
});
