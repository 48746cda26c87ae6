import assert from "node:assert/strict";
import { test } from "node:test";

import * as edits from "../../../surveys/static/surveys/js/authoring/edits.js";
import { blockKeys, freshKey, isMadeUp, proposedKey } from "../../../surveys/static/surveys/js/authoring/keys.js";
import * as protection from "../../../surveys/static/surveys/js/authoring/protection.js";
import { total } from "../../../surveys/static/surveys/js/authoring/probabilities.js";
import { getAt, setAt } from "../../../surveys/static/surveys/js/authoring/paths.js";
import { bestRefusal, strengthOf, truthFor } from "../../../surveys/static/surveys/js/authoring/strength.js";
import { vectors } from "../cast.js";
import { survey } from "./cast.js";

const YEARS = ["blocks", 0, "questions", 1];
const KEPT = ["blocks", 1, "questions", 0];
const keys = (document) => document.blocks.map(({ questions }) => questions.map(({ key }) => key));

test("no edit mutates its document", () => {
  const before = survey();
  const copy = structuredClone(before);
  edits.addBlock(before, true);
  edits.addQuestion(before, 1, "list");
  edits.duplicateBlock(before, 1);
  edits.shiftQuestion(before, 1, 0, -1);
  edits.setProtected(before, 0, true);
  edits.setKind(before, KEPT, "single");
  protection.addOption(before, YEARS);
  assert.deepEqual(before, copy);
});

test("generated keys are distinguished from keys that a person chose", () => {
  const { document, at } = edits.addQuestion(survey(), 1, "yes_no");
  assert.ok(isMadeUp(getAt(document, at).key));
  assert.ok(["kept", "age-2", "question", "question-1b", undefined].every((key) => !isMadeUp(key)));
});

test("a question's key comes once from the first significant words of its text, and is unique", () => {
  const named = {
    "Have you kept a mistake of your own to yourself in the past year?": "kept-mistake-own",
    "Wie oft fühlten Sie sich übermüdet?": "wie-oft-fuhlten",
    "Did you?": null,
    "你是否隐瞒过错误？": null,
  };
  for (const [text, key] of Object.entries(named)) {
    assert.equal(proposedKey(text), key);
  }
  assert.ok(proposedKey("Antidisestablishmentarianism, incomprehensibilities, honorificabilitudinitatibus").length <= 32);
  const { document, at } = edits.addQuestion(survey(), 1, "yes_no");
  const written = (text) => setAt(document, at, { ...getAt(document, at), text: { en: text } });
  const asked = edits.nameByText(written("Are you thirsty?"), at, "en");
  assert.equal(getAt(asked, at).key, "thirsty");
  // A key that a person chose, or that was proposed before, stays.
  const reworded = setAt(asked, [...at, "text"], { en: "Tired?" });
  assert.equal(edits.nameByText(reworded, at, "en"), reworded);
  const twin = edits.addQuestion(asked, 1, "yes_no");
  const again = setAt(twin.document, twin.at, { ...getAt(twin.document, twin.at), text: { en: "Thirsty?" } });
  assert.equal(getAt(edits.nameByText(again, twin.at, "en"), twin.at).key, "thirsty-2");
});

test("blocks and questions can be moved, but not past the ends", () => {
  assert.deepEqual(blockKeys(edits.move(survey(), ["blocks"], 1, 0)), ["silence", "you"]);
  const same = survey();
  assert.equal(edits.move(same, ["blocks"], 0, -1), same);
  assert.equal(edits.shiftQuestion(same, 0, 0, -1).document, same);
  assert.deepEqual(keys(edits.shiftQuestion(survey(), 0, 0, 1).document), [["years", "leads"], ["kept"]]);
});

test("moving a question into a protected block adds probabilities, and moving it out removes them", () => {
  const down = edits.shiftQuestion(survey(), 0, 1, 1);
  assert.deepEqual(keys(down.document), [["leads"], ["years", "kept"]]);
  assert.deepEqual(down.at, ["blocks", 1, "questions", 0]);
  assert.deepEqual(getAt(down.document, down.at).unrelated, [5000, 5000]);
  const up = edits.shiftQuestion(survey(), 1, 0, -1);
  assert.deepEqual(up.at, ["blocks", 0, "questions", 2]);
  assert.equal("unrelated" in getAt(up.document, up.at), false);
});

test("copies have unique keys", () => {
  const twice = edits.duplicateBlock(edits.duplicateBlock(survey(), 1).document, 1).document;
  assert.deepEqual(blockKeys(twice), ["you", "silence", "silence-3", "silence-2"]);
  const flat = keys(twice).flat();
  assert.equal(new Set(flat).size, flat.length);
  const { document, at } = edits.duplicateQuestion(survey(), 0, 1);
  assert.deepEqual(keys(document)[0], ["leads", "years", "years-2"]);
  assert.deepEqual(at, ["blocks", 0, "questions", 2]);
  assert.equal(freshKey(["a", "a-2", "a-3"], "a-2"), "a-4");
});

test("protecting a block adds probabilities, and opening it removes them", () => {
  const shielded = edits.setProtected(survey(), 0, true).blocks[0];
  assert.equal(strengthOf(shielded), "medium");
  // One answer limits both questions: r = 1.5 / 9.5.
  assert.equal(shielded.refusal, 1579);
  assert.deepEqual(shielded.questions.map(({ unrelated }) => unrelated), [[5000], [5000, 5000]]);
  const opened = edits.setProtected(survey(), 1, false).blocks[1];
  assert.equal("truth_probability" in opened || "refusal" in opened, false);
  assert.equal("prevalence" in opened.questions[0], false);
});

test("respondents without strong disguise are lightly disguised, or no part has a light strength", () => {
  const before = { group: { policy: "choice" }, blocks: [{ key: "a", light: 7000 }, { key: "b" }] };
  assert.deepEqual(edits.withStrengths(before, true), { ...before, group: { policy: "choice", light: true } });
  const none = edits.withStrengths(edits.withStrengths(before, true), false);
  assert.deepEqual(none, { group: { policy: "choice" }, blocks: [{ key: "a" }, { key: "b" }] });
});

test("the proposed skip probability equals Python's, and follows the questions until it is changed", () => {
  const { designs } = vectors("odds.json");
  const { cases } = vectors("refusal.json");
  assert.ok(cases.length > 10);
  for (const { design, block, best } of cases) {
    const part = designs[design].blocks[block];
    if (part.questions.some(({ kind }) => kind === "multi")) {
      continue; // Only versions from before lists have it; no builder edits them.
    }
    for (const [strength, [truth, refusal]] of Object.entries(best)) {
      assert.equal(bestRefusal(part, strength), refusal, `${design} ${strength}`);
      // The builder never proposes p = 0.
      assert.equal(truthFor({ ...part, refusal }, strength), Math.max(truth, 1), `${design} ${strength}`);
    }
  }
  const more = survey();
  more.blocks[1].refusal = 1579;
  const four = [1, 2, 3].reduce((document) => edits.addQuestion(document, 1, "yes_no").document, more);
  // The whole part limits four questions: a = 18 / 16 and b = 8, so r = a / (a + b) = 9/73.
  assert.equal(four.blocks[1].refusal, 1233);
  const own = survey();
  own.blocks[1].refusal = 1234;
  assert.equal(edits.addQuestion(own, 1, "yes_no").document.blocks[1].refusal, 1234);
  own.blocks[1].refusal = null;
  assert.equal(edits.addQuestion(own, 1, "yes_no").document.blocks[1].refusal, null);
});

test("changing the kind keeps the options and resets the probabilities", () => {
  const single = edits.setKind(survey(), KEPT, "single");
  assert.equal(getAt(single, KEPT).options.length, 2);
  assert.equal(total(getAt(single, KEPT).unrelated), 10000);
  assert.equal("options" in getAt(edits.setKind(survey(), YEARS, "yes_no"), YEARS), false);
});

test("options are added, removed and moved with their probabilities, and a choice still sums to 100%", () => {
  let next = edits.setKind(survey(), KEPT, "single");
  next = protection.addOption(next, KEPT);
  assert.deepEqual(getAt(next, KEPT).options.map(({ key }) => key), ["option-1", "option-2", "option-3"]);
  assert.equal(total(getAt(next, KEPT).unrelated), 10000);
  getAt(next, KEPT).unrelated = [4000, 4889, 1111];
  next = protection.moveOption(next, KEPT, 2, 0);
  assert.deepEqual(getAt(next, KEPT).unrelated, [1111, 4000, 4889]);
  next = protection.removeOption(next, KEPT, 1);
  assert.equal(total(getAt(next, KEPT).unrelated), 10000);
  assert.equal(protection.moveOption(next, KEPT, 0, -1), next);
});

test("options of a draft without stated prevalences can be added, moved and removed", () => {
  const unstated = setAt(edits.setKind(survey(), KEPT, "single"), [...KEPT, "prevalence"], null);
  let next = protection.addOption(unstated, KEPT);
  next = protection.moveOption(next, KEPT, 2, 0);
  next = protection.removeOption(next, KEPT, 1);
  assert.equal(getAt(next, KEPT).unrelated.length, 2);
});

test("a pasted list fills empty options, adds the others once, and keeps the sum at 100%", () => {
  const bare = edits.setKind(survey(), KEPT, "single");
  const lines = "1. Tea\tTee\n\n• Coffee\r\n  Tea \n(c) Cocoa\tKakao\n3 sugars\n";
  const { document: next, added } = protection.pasteOptions(bare, KEPT, lines, ["en", "de"]);
  const question = getAt(next, KEPT);
  assert.equal(added, 4);
  assert.deepEqual(question.options.map(({ text }) => text), [
    { en: "Tea", de: "Tee" }, { en: "Coffee" }, { en: "Cocoa", de: "Kakao" }, { en: "3 sugars" },
  ]);
  assert.equal(new Set(question.options.map(({ key }) => key)).size, 4);
  for (const shares of [question.unrelated, question.prevalence]) {
    assert.equal(shares.length, 4);
    assert.equal(total(shares), 10000);
  }
  const again = protection.pasteOptions(next, KEPT, "Tea\n\t\n", ["en", "de"]);
  assert.equal(again.added, 0);
  assert.equal(again.document, next);
});

test("a pasted list is cut at the maximum number of options", () => {
  const open = survey();
  const many = Array.from({ length: 300 }, (_, place) => `answer ${place}`).join("\n");
  assert.equal(getAt(protection.pasteOptions(open, YEARS, many, ["en"]).document, YEARS).options.length, 200);
});

test("shares that do not sum to 100% are detected and fixed", () => {
  const off = edits.setKind(survey(), KEPT, "single");
  const wrong = structuredClone(off);
  getAt(wrong, KEPT).unrelated = [4000, 2000];
  assert.ok(edits.isOff(getAt(wrong, KEPT), "unrelated"));
  assert.deepEqual(getAt(protection.mended(wrong, KEPT, "unrelated"), KEPT).unrelated, [6667, 3333]);
  assert.ok(!edits.isOff(getAt(off, KEPT), "unrelated"));
});

test("a condition follows new keys of its question and options", () => {
  const renamed = edits.setQuestionKey(survey(), YEARS, "tenure");
  assert.equal(renamed.blocks[1].asked_if.question, "tenure");
  const option = edits.setOptionKey(survey(), YEARS, 1, "ages");
  assert.deepEqual(option.blocks[1].asked_if.options, ["ages"]);
});

test("several conditions follow new keys of their questions and options", () => {
  for (const joined of ["all", "any"]) {
    const document = survey();
    const [first] = edits.termsOf(document.blocks[1].asked_if);
    document.blocks[1].asked_if = edits.conditionOf([first, { question: "leads", options: ["yes"] }], joined);
    const renamed = edits.setQuestionKey(document, YEARS, "tenure").blocks[1].asked_if;
    assert.deepEqual(renamed[joined].map(({ question }) => question), ["tenure", "leads"]);
    const option = edits.setOptionKey(document, YEARS, 1, "ages").blocks[1].asked_if;
    assert.deepEqual(option[joined].map(({ options }) => options), [["ages"], ["yes"]]);
  }
});

test("conditions are written in their simplest form", () => {
  const one = { question: "leads", options: ["yes"] };
  assert.equal(edits.conditionOf([], "any"), undefined);
  assert.equal(edits.conditionOf([one], "any"), one);
  assert.deepEqual(edits.termsOf(edits.conditionOf([one, one], "any")), [one, one]);
  assert.deepEqual(edits.termsOf(null), []);
});

test("only earlier open questions with one answer can decide who is asked", () => {
  const document = edits.addQuestion(survey(), 0, "list").document;
  // A condition on a line of an open list is one on a yes/no question.
  assert.deepEqual(edits.conditionsFor(document, 1).map(({ key }) => key), ["leads", "years", "question-1", "question-2"]);
  assert.deepEqual(edits.conditionsFor(document, 0), []);
});

test("ticking exclusive answers keeps other statements", () => {
  const questions = [
    { key: "never", kind: "yes_no" },
    { key: "week", kind: "yes_no" },
    { key: "means", kind: "single", options: [{ key: "gas" }] },
  ];
  const block = { questions, exclusive: [["means=gas", "never", "gone"], ["week", "means=gas"]] };
  assert.deepEqual(edits.withExclusive(block, "week", true), [["never", "week", "means=gas"], ["week", "means=gas"]]);
  assert.deepEqual(edits.withExclusive(block, "never", false), [["means=gas"], ["week", "means=gas"]]);
  assert.deepEqual(edits.withExclusive({ questions }, "never", true), [["never"]]);
  assert.equal(edits.withExclusive({ questions, exclusive: [["never"]] }, "never", false), "");
});

test("exclusive answers follow new keys of questions and options", () => {
  const { document: before, at } = edits.addQuestion(survey(), 1, "single");
  const { key, options } = getAt(before, at);
  before.blocks[1].exclusive = [[`${key}=${options[0].key}`, `${key}=${options[1].key}`]];
  const renamed = edits.setOptionKey(before, at, 0, "other");
  assert.deepEqual(renamed.blocks[1].exclusive, [[`${key}=other`, `${key}=${options[1].key}`]]);
  const again = edits.setQuestionKey(renamed, at, "means");
  assert.deepEqual(again.blocks[1].exclusive, [["means=other", `means=${options[1].key}`]]);
  const copied = edits.duplicateBlock(again, 1).document.blocks;
  assert.deepEqual(copied.map((block) => block.exclusive).slice(1, 3), [
    [["means=other", `means=${options[1].key}`]], [["means-2=other", `means-2=${options[1].key}`]],
  ]);
});

test("exclusive answers are dropped with their questions", () => {
  const before = edits.addQuestion(edits.addQuestion(survey(), 1, "yes_no").document, 1, "yes_no").document;
  const [one, two, three] = before.blocks[1].questions.map(({ key }) => key).slice(-3);
  before.blocks[1].exclusive = [[one, two, three], [two, three]];
  const last = before.blocks[1].questions.length - 1;
  const left = [
    edits.removeQuestion(before, 1, last),
    edits.moveQuestion(before, { block: 1, place: last }, { block: 0, place: 0 }).document,
    edits.setKind(before, ["blocks", 1, "questions", last], "single"),
  ];
  assert.deepEqual(left.map(({ blocks }) => blocks[1].exclusive), left.map(() => [[one, two]]));
  assert.equal("exclusive" in edits.removeQuestion(left[0], 1, last - 1).blocks[1], false);
});

test("a question that is no longer a single choice loses its look", () => {
  const rating = setAt(survey(), [...YEARS, "look"], "rating");
  assert.equal(getAt(rating, YEARS).kind, "single");
  assert.equal("look" in getAt(edits.setKind(rating, YEARS, "yes_no"), YEARS), false);
});
