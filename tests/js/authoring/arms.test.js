import assert from "node:assert/strict";
import { test } from "node:test";

import { addAnchors, addExperiment, addReady, isArmBlock, lacksAnchors, lacksReady, withInvited, withoutLostArms, withShare } from "../../../surveys/static/surveys/js/authoring/arms.js";
import { duplicateQuestion, removeBlock, removeQuestion, shiftQuestion, withStrengths } from "../../../surveys/static/surveys/js/authoring/edits.js";
import { partOf } from "../../../surveys/static/surveys/js/authoring/problems.js";

const PART = { key: "b", protected: true, title: { en: "B" }, questions: [{ key: "q", kind: "yes_no", text: { en: "Q?" } }] };
const SAID = { language: "en", title: "Two", first: "A coin. {odds}" };
const DRAFT = { title: { en: "T" }, blocks: [PART] };

test("half of the respondents get the current explanation, half one that is still to be written", () => {
  const { document, at } = addExperiment(DRAFT, SAID);
  assert.deepEqual(at, ["explanations"]);
  assert.deepEqual(document.explanations, { question: "explanation", texts: { first: { en: "A coin. {odds}" }, second: {} } });
  assert.deepEqual(document.blocks[0].questions[0].options, [{ key: "first", share: 5000 }, { key: "second", share: 5000 }]);
  assert.ok(isArmBlock(document.blocks[0]) && !isArmBlock(document.blocks[1]));
  assert.equal(partOf("explanations.texts.second.en"), "explanations");
});

test("an arm question stays alone in its part", () => {
  const { document } = addExperiment(DRAFT, SAID);
  assert.equal(shiftQuestion(document, 0, 0, 1).document, document);
  assert.equal(shiftQuestion(document, 1, 0, -1).document, document);
});

test("a key that is taken is replaced", () => {
  const taken = { ...PART, key: "explanation", questions: [{ ...PART.questions[0], key: "explanation" }] };
  const { document } = addExperiment({ ...DRAFT, blocks: [taken] }, SAID);
  assert.equal(document.blocks[0].key, "explanation-2");
  assert.equal(document.explanations.question, "explanation-2");
});

test("removing an arm question removes only the texts that depend on it", () => {
  const made = addExperiment(DRAFT, SAID).document;
  const asked = { ...PART.questions[0], wordings: { question: "explanation", texts: {} } };
  const document = { ...made, blocks: [made.blocks[0], { ...PART, questions: [asked] }] };
  assert.equal(withoutLostArms(document), document);
  for (const next of [removeBlock(document, 0), removeQuestion(document, 0, 0)]) {
    assert.ok(!("explanations" in next));
    assert.deepEqual(next.blocks.at(-1).questions, PART.questions);
  }
});

test("the second of two arms gets the remaining share, and a copy becomes a separate part", () => {
  const made = addExperiment(DRAFT, SAID).document;
  const next = withShare(made, ["blocks", 0, "questions", 0], 0, 3000);
  assert.deepEqual(next.blocks[0].questions[0].options.map(({ share }) => share), [3000, 7000]);
  assert.equal(duplicateQuestion(made, 0, 0).document.blocks.length, 3);
});

test("an invitation decides one thing, and nothing that was removed", () => {
  const made = withInvited(addExperiment(DRAFT, SAID).document, "explanation", true);
  assert.equal(made.invited, "explanation");
  assert.equal(withInvited(made, "other", false).invited, "explanation");
  assert.equal(withInvited(made, "other", true).invited, "other");
  assert.ok(!("invited" in withInvited(made, "explanation", false)));
  assert.ok(!("invited" in removeBlock(made, 0)));
  const drawn = { ...DRAFT, group: { policy: "assigned", direct_share: 2000 }, invited: "group" };
  assert.equal(withStrengths(drawn, true).invited, "group");
  for (const next of [withStrengths(drawn, false), withStrengths({ ...drawn, group: { policy: "choice" } }, true)]) {
    assert.ok(!("invited" in next));
  }
  assert.equal(withoutLostArms(drawn).invited, "group");
});

const READY = {
  before: [{ key: "understood", title: { en: "Before", "zh-hans": "之前" }, questions: [{ key: "understood", options: [{ key: "a", text: { en: "A", "zh-hans": "甲" } }] }] }],
  after: [{ key: "trust", title: { en: "Last", "zh-hans": "最后" }, questions: [{ key: "trust" }] }],
};

test("ready-made parts go before the first protected part and at the end, in the draft's languages", () => {
  const open = { ...PART, key: "you", protected: false, questions: [{ key: "city", kind: "yes_no" }] };
  const { document, at } = addReady({ ...DRAFT, blocks: [open, PART] }, READY, ["en"]);
  assert.deepEqual(document.blocks.map(({ key }) => key), ["you", "understood", "b", "trust"]);
  assert.deepEqual(at, ["blocks", 1, "questions", 0]);
  assert.deepEqual(document.blocks[1].title, { en: "Before" });
  assert.deepEqual(document.blocks[1].questions[0].options, [{ key: "a", text: { en: "A" } }]);
  assert.ok(lacksReady(DRAFT, READY) && !lacksReady(document, READY));
});

test("anchors follow the part that they check, each alone, with its probabilities", () => {
  const anchor = (key) => ({ key, title: { en: "Known", "zh-hans": "已知" }, truth_probability: 5000, questions: [{ key, kind: "yes_no", unrelated: [5000], prevalence: [0] }] });
  const ready = { anchors: [anchor("anchor-nobody"), anchor("anchor-everybody")] };
  const open = { key: "you", protected: false, questions: [] };
  const coin = { ...PART, truth_probability: 7000, light: 9000, refusal: 400, questions: [{ ...PART.questions[0], unrelated: [4000] }] };
  const { document, at } = addAnchors({ ...DRAFT, blocks: [open, coin, { ...coin, key: "c" }] }, ready, ["en"]);
  assert.deepEqual(document.blocks.map(({ key }) => key), ["you", "b", "anchor-nobody", "anchor-everybody", "c"]);
  assert.deepEqual(at, ["blocks", 2]);
  const { questions, ...block } = document.blocks[2];
  assert.deepEqual(block, { key: "anchor-nobody", title: { en: "Known" }, truth_probability: 7000, light: 9000, refusal: 400 });
  assert.deepEqual(questions, [{ key: "anchor-nobody", kind: "yes_no", unrelated: [4000], prevalence: [0] }]);
  assert.ok(lacksAnchors({ blocks: [coin] }, ready) && !lacksAnchors(document, ready));
  // A number has no coin for an anchor to share.
  assert.ok(!lacksAnchors({ blocks: [{ ...PART, refusal: true }] }, ready));
});
