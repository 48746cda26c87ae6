import assert from "node:assert/strict";
import { test } from "node:test";

import * as edits from "../../../surveys/static/surveys/js/authoring/edits.js";
import { getAt, setAt } from "../../../surveys/static/surveys/js/authoring/paths.js";
import { addPlacebo, canHavePlacebo, setShared, sharers, withSharedInStep } from "../../../surveys/static/surveys/js/authoring/together.js";
import { survey } from "./cast.js";

const FIRST = ["blocks", 1, "questions", 0];
const SECOND = ["blocks", 1, "questions", 1];

const yes = (key, more = {}) => ({ key, kind: "yes_no", text: { en: `${key}?` }, points: [0, 1], ...more });
const answer = (key, components) => ({
  key,
  kind: "yes_no",
  text: { en: key },
  unrelated: [5000],
  prevalence: [2000],
  computed: { components, levels: [{ option: "no" }, { option: "yes", from: 1 }], missing: { at_most: 0, as: "no_points" } },
});

/** A part with two answers. */
const two = () => setAt(survey(), ["blocks", 1, "questions"], [answer("hit", [yes("ever"), yes("fist")]), answer("kicked", [yes("foot")])]);

test("a placebo index has as many acts under the same rule, and names its index", () => {
  const acts = Array.from({ length: 40 }, (_, place) => ({ text: { en: `act ${place}`, "zh-hans": "事" } }));
  const { document, at } = addPlacebo(two(), FIRST, acts, ["en"], { en: "hit · placebo index" });
  const placebo = getAt(document, at);
  assert.deepEqual(at, SECOND);
  assert.equal(placebo.computed.placebo_of, "hit");
  assert.deepEqual(placebo.computed.components.map(({ text }) => text), [{ en: "act 0" }, { en: "act 1" }]);
  assert.deepEqual(placebo.computed.levels, getAt(document, FIRST).computed.levels);
  assert.equal(canHavePlacebo(document.blocks[1], getAt(document, FIRST)), false);
  assert.equal(canHavePlacebo(document.blocks[1], placebo), false);
});

test("a renamed or removed answer is renamed in others or removed from them, and a copy names none", () => {
  const related = setAt(two(), [...SECOND, "computed", "placebo_of"], "hit");
  assert.equal(getAt(edits.setQuestionKey(related, FIRST, "beaten"), SECOND).computed.placebo_of, "beaten");
  assert.equal(getAt(edits.removeQuestion(related, 1, 0), FIRST).computed.placebo_of, undefined);
  const { document, at } = edits.duplicateQuestion(related, 1, 1);
  assert.equal(getAt(document, at).computed.placebo_of, undefined);
  const block = edits.duplicateBlock(related, 1);
  assert.equal(getAt(block.document, [...block.at, "questions", 1]).computed.placebo_of, "hit-2");
});

test("a shared filter is in both answers, changes in both, and is alone again", () => {
  const path = [...FIRST, "computed", "components", 0];
  const shared = setShared(two(), path, 1, true);
  assert.deepEqual(sharers(shared.blocks[1], "ever"), [0, 1]);
  assert.deepEqual(getAt(shared, [...SECOND, "computed", "components", 0]), yes("ever", { shared: true }));
  const typed = setAt(shared, [...path, "text", "en"], "Did you live with a partner?");
  const kept = withSharedInStep(typed, shared);
  assert.equal(getAt(kept, [...SECOND, "computed", "components", 0, "text", "en"]), "Did you live with a partner?");
  const copied = edits.duplicateBlock(kept, 1);
  const keys = getAt(copied.document, [...copied.at, "questions"]).map(({ computed }) => computed.components[0].key);
  assert.deepEqual(keys, ["ever-2", "ever-2"]);
  const alone = setShared(kept, path, 1, false);
  assert.deepEqual(sharers(alone.blocks[1], "ever"), [0]);
  assert.equal(getAt(alone, path).shared, undefined);
});
