import assert from "node:assert/strict";
import { test } from "node:test";

import * as edits from "../../../surveys/static/surveys/js/authoring/edits.js";
import { addLine, pasteLines, stemAbove } from "../../../surveys/static/surveys/js/authoring/lists.js";
import { partOf } from "../../../surveys/static/surveys/js/authoring/problems.js";
import { getAt, setAt } from "../../../surveys/static/surveys/js/authoring/paths.js";
import { survey } from "./cast.js";

const YEARS = ["blocks", 0, "questions", 1];
const linesIn = (document, block) => document.blocks[block].questions.filter(({ stem }) => stem);

test("a new list is a stem and two yes/no questions, with probabilities in a protected part", () => {
  const { document, at } = edits.addQuestion(survey(), 1, "list");
  assert.deepEqual(document.stems, [{ key: "list-1", text: {} }]);
  assert.deepEqual(at, ["blocks", 1, "questions", 1]);
  assert.deepEqual(linesIn(document, 1).map(({ kind, stem, unrelated }) => [kind, stem, unrelated]), [
    ["yes_no", "list-1", [5000]], ["yes_no", "list-1", [5000]],
  ]);
  assert.equal("unrelated" in linesIn(edits.addQuestion(survey(), 0, "list").document, 0)[0], false);
  const twice = edits.addQuestion(document, 1, "list").document;
  assert.deepEqual(twice.stems.map(({ key }) => key), ["list-1", "list-2"]);
});

test("a choice becomes a list of its options and back, and conditions follow an option to its line", () => {
  const listed = edits.setKind(survey(), YEARS, "list");
  assert.deepEqual(linesIn(listed, 0).map(({ key, text }) => [key, text]), [
    ["years_short", { en: "Short" }], ["years_long", { en: "Long" }],
  ]);
  assert.deepEqual(listed.stems, [{ key: "years", text: { en: "How long?" } }]);
  assert.deepEqual(listed.blocks[1].asked_if, { question: "years_long", options: ["yes"] });
  const again = edits.setKind(listed, YEARS, "single");
  assert.deepEqual(getAt(again, YEARS), getAt(survey(), YEARS));
  assert.equal("stems" in again, false);
});

test("a line that is taken out follows its list, and a list without lines loses its stem", () => {
  const listed = edits.setKind(survey(), YEARS, "list");
  const out = edits.setKind(listed, YEARS, "yes_no");
  assert.deepEqual(out.blocks[0].questions.map(({ key, stem }) => [key, stem]), [
    ["leads", undefined], ["years_long", "years"], ["years_short", undefined],
  ]);
  const none = edits.removeQuestion(out, 0, 1);
  assert.equal("stems" in none, false);
  assert.equal("stems" in edits.removeBlock(listed, 0), false);
});

test("lines are added below a line, and pasted lines fill empty ones first, once each", () => {
  const { document, at } = edits.addQuestion(survey(), 1, "list");
  const one = addLine(document, at);
  assert.deepEqual(one.at, ["blocks", 1, "questions", 2]);
  assert.equal(linesIn(one.document, 1).length, 3);
  const { document: pasted, added } = pasteLines(document, at, "1. Tea\tTee\nCoffee\nTea\n- Cocoa", ["en", "de"]);
  assert.equal(added, 3);
  assert.deepEqual(linesIn(pasted, 1).map(({ text }) => text), [{ en: "Tea", de: "Tee" }, { en: "Coffee" }, { en: "Cocoa" }]);
  assert.equal(new Set(linesIn(pasted, 1).map(({ key }) => key)).size, 3);
  const many = Array.from({ length: 700 }, (_, place) => `line ${place}`).join("\n");
  const full = pasteLines(document, at, many, ["en"]).document;
  assert.equal(full.blocks.flatMap(({ questions }) => questions).length, 500);
});

test("a copied part has a list of its own, and a copied line stays in its list", () => {
  const listed = edits.setKind(survey(), YEARS, "list");
  const copied = edits.duplicateBlock(listed, 0).document;
  assert.deepEqual(copied.stems.map(({ key }) => key), ["years", "years-2"]);
  assert.deepEqual(linesIn(copied, 1).map(({ stem }) => stem), ["years-2", "years-2"]);
  const line = edits.duplicateQuestion(listed, 0, 1).document;
  assert.equal(linesIn(line, 0).length, 3);
  assert.equal(line.stems.length, 1);
});

test("the outline names the stem above the first line, and problems of the stem belong to it", () => {
  const listed = edits.setKind(survey(), YEARS, "list");
  assert.equal(stemAbove(listed, listed.blocks[0], 1).key, "years");
  assert.equal(stemAbove(listed, listed.blocks[0], 2), undefined);
  assert.equal(partOf("stems[0].text.en", listed), "blocks[0].questions[1]");
  assert.equal(partOf("stems[7].text.en", listed), "head");
  const unknown = setAt(listed, [...YEARS, "stem"], "gone");
  assert.equal(edits.shownKind(unknown, getAt(unknown, YEARS)), "yes_no");
});
