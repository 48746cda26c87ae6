import assert from "node:assert/strict";
import { test } from "node:test";

import { orders } from "../../../surveys/static/surveys/js/ranking.js";
import { asDrawn } from "../../../surveys/static/surveys/js/authoring/drawn-part.js";
import * as edits from "../../../surveys/static/surveys/js/authoring/edits.js";
import { costs } from "../../../surveys/static/surveys/js/authoring/privacy.js";
import { addOption, demandedRefusal, moveOption, removeOption } from "../../../surveys/static/surveys/js/authoring/protection.js";
import { answerCount, asSingle } from "../../../surveys/static/surveys/js/authoring/ranking.js";
import { getAt, setAt } from "../../../surveys/static/surveys/js/authoring/paths.js";
import { survey } from "./cast.js";

const KEPT = ["blocks", 1, "questions", 0];
const YEARS = ["blocks", 0, "questions", 1];

test("orders are those of Python, in the same order", () => {
  // tests/surveys/questionnaire/test_rankings.py holds Python's to the keys below.
  assert.deepEqual(orders(3), [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]);
  assert.equal(new Set(orders(4).map(String)).size, 24);
  assert.deepEqual(orders(4), orders(4).toSorted());
});

test("a ranking is disguised as one choice among the orders of its things", () => {
  const options = ["pay", "hours", "team"].map((key) => ({ key, text: { en: key.toUpperCase() } }));
  const single = asSingle({ key: "leave", kind: "ranking", options });
  assert.equal(single.kind, "single");
  assert.deepEqual(single.options[1], { key: "pay.team.hours", text: { en: "1. PAY 2. TEAM 3. HOURS" } });
  const other = { key: "a", kind: "single", options };
  assert.equal(asSingle(other), other);
});

test("a protected question that becomes a ranking has things, and a chance for each order", () => {
  let next = edits.setKind(survey(), KEPT, "ranking");
  assert.deepEqual(getAt(next, KEPT).options.map(({ key }) => key), ["option-1", "option-2", "option-3"]);
  assert.deepEqual(getAt(next, KEPT).unrelated, [1667, 1667, 1667, 1667, 1666, 1666]);
  // As likely as any of six orders.
  assert.equal(demandedRefusal(next.blocks[1]), next.blocks[1].refusal);
  assert.equal(next.blocks[1].refusal, Math.ceil(10000 / 7));
  next = addOption(next, KEPT);
  assert.deepEqual([getAt(next, KEPT).unrelated.length, getAt(next, KEPT).prevalence.length], [24, 24]);
  assert.equal(moveOption(next, KEPT, 0, 3).blocks[1].questions[0].options[3].key, "option-1");
  // Five have 120: nothing is made of them before one is taken away.
  next = addOption(next, KEPT);
  assert.equal(answerCount(getAt(next, KEPT)), 5);
  next = removeOption(removeOption(next, KEPT, 0), KEPT, 0);
  assert.equal(getAt(next, KEPT).unrelated.length, 6);
  assert.equal("unrelated" in getAt(edits.setKind(survey(), YEARS, "ranking"), YEARS), false);
});

test("what it costs is what the choice costs", () => {
  const ranked = edits.setKind(survey(), KEPT, "ranking");
  const single = setAt(ranked, KEPT, asSingle(getAt(ranked, KEPT)));
  const [cost] = costs(ranked);
  assert.equal(cost.gamma, costs(single)[0].gamma);
  assert.ok(cost.gamma > 1);
  assert.equal(asDrawn(ranked.blocks[1]).questions[0].options.length, 6);
});

test("conditions on an order follow a thing that gets another key", () => {
  const ranked = edits.setKind(survey(), YEARS, "ranking");
  const waiting = setAt(ranked, ["blocks", 1, "asked_if"], { question: "years", options: ["short.long.option-3"] });
  const next = edits.setOptionKey(waiting, YEARS, 1, "longer");
  assert.deepEqual(next.blocks[1].asked_if, { question: "years", options: ["short.longer.option-3"] });
});
