import assert from "node:assert/strict";
import { test } from "node:test";

import { componentKeys, followersIn, withNeutral, withOpenReferences } from "../../../surveys/static/surveys/js/authoring/composites.js";
import * as edits from "../../../surveys/static/surveys/js/authoring/edits.js";
import { questionKeys } from "../../../surveys/static/surveys/js/authoring/keys.js";
import { getAt, setAt } from "../../../surveys/static/surveys/js/authoring/paths.js";
import { removeLanguage } from "../../../surveys/static/surveys/js/authoring/wording.js";
import { composed, KEPT } from "./composed.js";

const ruleOf = (document, path = KEPT) => getAt(document, path).computed;

test("a copy has components of its own, and its rule names them", () => {
  const before = composed();
  const { document, at } = edits.duplicateQuestion(before, 1, 0);
  assert.deepEqual(componentKeys(getAt(document, at)), ["a-2", "b-2"]);
  const rule = ruleOf(document, at);
  assert.equal(rule.components[1].asked_if.any[0].component, "a-2");
  assert.deepEqual(rule.steps[0].of, ["a-2", "b-2"]);
  assert.deepEqual(Object.keys(rule.steps[0].points), ["a-2"]);
  assert.deepEqual(ruleOf(document), ruleOf(before));
  const copied = edits.duplicateBlock(before, 1);
  assert.deepEqual(componentKeys(getAt(copied.document, [...copied.at, "questions", 0])), ["a-2", "b-2"]);
  assert.equal(new Set(questionKeys(copied.document)).size, questionKeys(copied.document).length);
});

test("a new question gets no key of a component", () => {
  const document = setAt(composed(), [...KEPT, "computed", "components", 0, "key"], "question-1");
  const { document: next, at } = edits.addQuestion(document, 0, "yes_no");
  assert.equal(getAt(next, at).key, "question-2");
});

test("renaming an open question or its option renames it in the rule", () => {
  const years = ["blocks", 0, "questions", 1];
  const renamed = ruleOf(edits.setQuestionKey(composed(), years, "tenure"));
  assert.equal(renamed.components[1].asked_if.any[1].question, "tenure");
  assert.deepEqual(renamed.uses, [{ question: "tenure", points: { long: 1 } }]);
  const place = getAt(composed(), years).options.findIndex(({ key }) => key === "long");
  const option = ruleOf(edits.setOptionKey(composed(), years, place, "ages"));
  assert.deepEqual(option.components[1].asked_if.any[1].options, ["ages"]);
  assert.deepEqual(option.uses, [{ question: "years", points: { ages: 1 } }]);
});

test("renaming an option of the question renames it in levels and base", () => {
  const rule = ruleOf(edits.setOptionKey(composed(), KEPT, 1, "few"));
  assert.deepEqual(rule.levels[1], { option: "few", from: 1 });
  assert.equal(rule.base, "few");
});

test("moving, switching protection and back, and removing a language keep the rule", () => {
  const before = composed();
  const open = edits.setProtected(before, 1, false);
  assert.deepEqual(ruleOf(edits.setProtected(open, 1, true)), ruleOf(before));
  const { document, at } = edits.shiftQuestion(before, 1, 0, -1);
  assert.deepEqual(ruleOf(document, at), ruleOf(before));
  const rule = ruleOf(removeLanguage(before, "zh-hans"));
  assert.deepEqual(rule.components[0].text, { en: "A?" });
  assert.deepEqual(rule.uses, ruleOf(before).uses);
  assert.deepEqual(rule.components[1].asked_if, ruleOf(before).components[1].asked_if);
});

test("other questions stay the same object", () => {
  const plain = { key: "q", kind: "yes_no" };
  assert.equal(withOpenReferences(plain, (term) => term), plain);
});

test("neutral questions are filled in up to the number of follow-ups", () => {
  const when = (component) => ({ component, options: ["yes"] });
  const rule = {
    components: [
      { key: "a" },
      { key: "b", asked_if: when("a") },
      { key: "c", asked_if: { any: [{ question: "sex", options: ["x"] }, when("a")] } },
      { key: "d", asked_if: { question: "sex", options: ["x"] } },
    ],
  };
  const ready = ["one", "two", "three"].map((en) => ({ text: { en } }));
  assert.equal(followersIn(rule), 2);
  assert.deepEqual(withNeutral(rule, ready), ready.slice(0, 2));
  const own = { text: { en: "own" } };
  assert.deepEqual(withNeutral({ ...rule, neutral: [own] }, ready), [own, ready[1]]);
  assert.deepEqual(withNeutral({ ...rule, neutral: [own, own, own] }, ready), [own, own]);
  assert.deepEqual(withNeutral({ components: [{ key: "a" }] }, ready), []);
});
