import assert from "node:assert/strict";
import { test } from "node:test";

import { getAt, parsePath, pathText, setAt } from "../../../surveys/static/surveys/js/authoring/paths.js";
import { divide, isUnwritten, isWithin, partOf, problemsOf, sentence } from "../../../surveys/static/surveys/js/authoring/problems.js";
import { survey } from "./cast.js";

test("paths are formatted and parsed as on the server", () => {
  for (const text of ["", "title.zh-hans", "blocks[1].questions[0].options[2].text.en", "opens_at"]) {
    assert.equal(pathText(parsePath(text)), text);
  }
  assert.deepEqual(parsePath("blocks[10].key"), ["blocks", 10, "key"]);
});

test("setting a value leaves the old document unchanged, and shares unchanged parts", () => {
  const before = survey();
  const copy = structuredClone(before);
  const after = setAt(before, ["blocks", 1, "questions", 0, "text", "zh-hans"], "沉默");
  assert.deepEqual(before, copy);
  assert.equal(getAt(after, parsePath("blocks[1].questions[0].text.zh-hans")), "沉默");
  assert.equal(after.blocks[0], before.blocks[0]);
  assert.equal(getAt(after, ["nowhere", 3, "deep"]), undefined);
});

test("undefined removes a member, and the others keep their order", () => {
  const after = setAt(survey(), ["practice"], undefined);
  assert.equal("practice" in after, false);
  assert.deepEqual(Object.keys(setAt(survey(), ["slug"], "other")), Object.keys(survey()));
});

test("each problem belongs to one entry of the outline", () => {
  const parts = {
    "": "head",
    slug: "head",
    "about.contact.en": "about",
    "group.direct_share": "group",
    "blocks": "head",
    "blocks[1].title.en": "blocks[1]",
    "blocks[1].questions": "blocks[1]",
    "blocks[1].questions[0].unrelated": "blocks[1].questions[0]",
  };
  for (const [path, part] of Object.entries(parts)) {
    assert.equal(partOf(path), part);
  }
  const problems = Object.keys(parts).map((path) => ({ path, message: "", remedy: "" }));
  assert.equal(problemsOf(problems, "blocks[1]").length, 2);
});

test("blocks[1] is not inside blocks[11], nor key inside keys", () => {
  assert.ok(isWithin("blocks[1].key", "blocks[1]"));
  assert.ok(!isWithin("blocks[11].key", "blocks[1]"));
  assert.ok(!isWithin("keys", "key"));
});

test("a problem is shown at the nearest enclosing field, else at a field inside it, else above the form", () => {
  const here = "blocks[0].questions[1]";
  const fields = [`${here}.text`, `${here}.text.en`, `${here}.options`, `${here}.unrelated[0]`];
  const problem = (path) => ({ path, message: "", remedy: "" });
  const { byField, rest } = divide(
    [`${here}.text.en`, `${here}.options[1].text`, `${here}.unrelated`, here].map(problem),
    fields,
  );
  assert.deepEqual([...byField.keys()], [`${here}.text.en`, `${here}.options`, `${here}.unrelated[0]`]);
  assert.deepEqual(rest, [problem(here)]);
});

test("two halves become a sentence", () => {
  assert.equal(sentence({ message: "it is missing", remedy: "state it" }), "It is missing; state it.");
  assert.equal(sentence({ message: "缺少文字", remedy: "请填写。" }), "缺少文字; 请填写。");
});

test("a missing text is distinguished from a wrong one", () => {
  const document = { ...survey(), title: { en: " ", "zh-hans": "[x]" } };
  const about = (path) => isUnwritten(document, ["en", "zh-hans"], { path });
  assert.ok(about("title.en"));
  assert.ok(about("blocks[1].title.zh-hans"));
  assert.ok(!about("title.zh-hans"));
  assert.ok(!about("blocks[1].questions"));
  assert.ok(!about("blocks[1].nothing"));
});
