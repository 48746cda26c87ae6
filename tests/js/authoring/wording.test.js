import assert from "node:assert/strict";
import { test } from "node:test";

import * as wording from "../../../surveys/static/surveys/js/authoring/wording.js";
import { begin, record, redo, undo } from "../../../surveys/static/surveys/js/authoring/history.js";
import { survey } from "./cast.js";

const HELP = ["blocks", 1, "questions", 0, "help"];

test("texts stay in the order of the languages, and an emptied one is removed", () => {
  let next = wording.writeText(survey(), ["blocks", 1, "title"], "zh-hans", "沉默");
  assert.deepEqual(Object.keys(next.blocks[1].title), ["en", "zh-hans"]);
  next = wording.writeText(next, ["blocks", 1, "title"], "en", "  ");
  assert.deepEqual(next.blocks[1].title, { "zh-hans": "沉默" });
});

test("help without a text in any language is removed", () => {
  const next = wording.writeText(survey(), HELP, "en", "", { optional: true });
  assert.equal("help" in next.blocks[1].questions[0], false);
  assert.deepEqual(wording.writeText(survey(), ["title"], "en", "").title, { "zh-hans": "工作" });
});

test("removing a language removes every text in it; the last language stays", () => {
  const english = wording.removeLanguage(survey(), "zh-hans");
  assert.deepEqual(english.languages, ["en"]);
  assert.equal(JSON.stringify(english).includes("工作") || JSON.stringify(english).includes("安娜"), false);
  assert.equal(wording.removeLanguage(english, "en"), english);
  const chinese = wording.removeLanguage(survey(), "en");
  assert.equal("help" in chinese.blocks[1].questions[0], false);
});

test("the form of address is chosen by language, is removed with it, and has to be read again", () => {
  const checks = { en: { readers: 2, passed: 1 }, "zh-hans": { readers: 1, passed: 0 } };
  const formal = wording.addressedAs({ ...survey(), sentences: { format: 1, languages: {}, checks } }, "zh-hans", "formal");
  assert.deepEqual(formal.formality, { "zh-hans": "formal" });
  assert.deepEqual(formal.sentences, { format: 1, languages: {}, checks: { en: checks.en } });
  assert.equal("sentences" in wording.addressedAs(survey(), "zh-hans", "formal"), false);
  assert.equal("formality" in wording.removeLanguage(formal, "zh-hans"), false);
  assert.deepEqual(wording.removeLanguage(formal, "en").formality, { "zh-hans": "formal" });
});

test("a frame that was stated only in the removed language is removed too", () => {
  const stated = wording.writeText(survey(), ["about", "frame"], "zh-hans", "名册", { optional: true });
  assert.equal("frame" in wording.removeLanguage(stated, "zh-hans").about, false);
  assert.deepEqual(wording.removeLanguage(stated, "en").about.frame, { "zh-hans": "名册" });
});

test("removing a language also removes its units and explanations", () => {
  const [open, ...others] = survey().blocks;
  const spoken = { ...open.questions[0], number: { low: 0, unit: { "zh-hans": "元" } } };
  const texts = { first: { en: "One", "zh-hans": "一" }, second: { "zh-hans": "二" } };
  const blocks = [{ ...open, questions: [spoken] }, ...others];
  const english = wording.removeLanguage({ ...survey(), blocks, explanations: { question: "arm", texts } }, "zh-hans");
  assert.deepEqual(english.explanations, { question: "arm", texts: { first: { en: "One" }, second: {} } });
  assert.deepEqual(english.blocks[0].questions[0].number, { low: 0 });
});

test("removing a language also changes texts that have an undeclared language", () => {
  const [open, ...others] = survey().blocks;
  const blocks = [{ ...open, title: { en: "Work", "zh-hans": "工作", fr: "Travail" } }, ...others];
  const english = wording.removeLanguage({ ...survey(), languages: ["en", "zh-hans"], blocks }, "zh-hans");
  assert.deepEqual(english.blocks[0].title, { en: "Work", fr: "Travail" });
});

test("a language is added once, with its tag in the spelling of definitions", () => {
  const arabic = wording.addLanguage(survey(), wording.readTag(" AR "));
  assert.deepEqual(arabic.languages, ["en", "zh-hans", "ar"]);
  assert.equal(wording.addLanguage(arabic, "ar"), arabic);
  assert.equal(wording.readTag("pt_BR"), "pt-br");
  for (const text of ["", "english", "e", "zh hans", "en-x-private"]) {
    assert.equal(wording.readTag(text), null);
  }
  assert.deepEqual(wording.putFirst(arabic, "ar").languages, ["ar", "en", "zh-hans"]);
});

test("a survey without declared languages has those of its title", () => {
  assert.deepEqual(wording.languagesOf({ title: { fr: "Travail" } }), ["fr"]);
  assert.deepEqual(wording.languagesOf({}), ["en"]);
});

test("text direction follows the script if there is one, otherwise the language", () => {
  for (const [tag, direction] of [["ar", "rtl"], ["he", "rtl"], ["ur-pk", "rtl"], ["az-arab", "rtl"], ["ku-latn", "ltr"], ["en", "ltr"], ["arn", "ltr"]]) {
    assert.equal(wording.directionOf(tag), direction, tag);
  }
});

test("undo goes back, redo goes forward, and a new step discards undone steps", () => {
  let history = begin("a");
  history = record(record(history, "b"), "c");
  history = undo(history);
  assert.equal(history.present.document, "b");
  assert.equal(redo(history).present.document, "c");
  history = record(history, "d");
  assert.deepEqual(history.future, []);
  assert.equal(undo(undo(undo(undo(history)))).present.document, "a");
});

test("typing into one field is one step, and into another field the next one", () => {
  let history = begin("");
  for (const [text, tag] of [["a", "x"], ["ab", "x"], ["ab.", "y"]]) {
    history = record(history, text, { tag });
  }
  assert.equal(undo(history).present.document, "ab");
  assert.equal(undo(undo(history)).present.document, "");
  const typed = record(undo(history), "abc", { tag: "x" });
  assert.equal(undo(typed).present.document, "ab");
});
