import assert from "node:assert/strict";
import { before, test } from "node:test";

import { button, el, fill, plural, svg } from "../../surveys/static/surveys/js/dom.js";
import { SKIPPED } from "../../surveys/static/surveys/js/draws.js";
import { promisesOf } from "../../surveys/static/surveys/js/promise.js";
import { oddsLabel, wholeLabel, wholeNotes } from "../../surveys/static/surveys/js/odds-label.js";
import { fakeDocument } from "./fake_page.js";

before(() => {
  globalThis.document = fakeDocument();
});

test("strings become text, and false or missing children are left out", () => {
  const click = () => 1;
  const node = el("p", { class: "a", hidden: true, title: null, lang: undefined, id: false, click }, "<b>", null, undefined, false, el("i"));
  assert.deepEqual(node.attributes, { class: "a", hidden: "" });
  assert.deepEqual(node.listeners, { click });
  assert.deepEqual([node.children.length, node.text], [2, "<b>"]);
  assert.deepEqual(button("Send", click).attributes, { type: "button", class: "button" });
  assert.equal(svg("circle").tag, "circle");
});

test("a sentence keeps placeholders without a value", () => {
  assert.equal(fill("{n} of {all}", { n: 0 }), "0 of {all}");
});

const TEXTS = {
  promise: "{m} by all, {k} by one",
  disguised: "strongly",
  disguised_lightly: "lightly",
  odds_whole_apart: "apart",
  odds_direct: "direct",
  odds_whole_any: "any",
  odds_whole_times: "{g} times",
  odds_posterior: "shown {k} {n}",
  odds_posterior_worst: "worst {k} {n}",
  odds_posterior_skip: "skip {k} {n}",
  odds_expected: "everybody",
  odds_about: "about {number}",
  odds_none: "<1",
  odds_all: ">99",
};
const whole = (m, times = 1) => ({ of_100: m, once_in: null, one_of_100: 80, one_once_in: null, times });

test("a promise is shown for each strength that has one, and nothing without one", () => {
  assert.deepEqual(promisesOf(TEXTS, whole(95), null), ["95 by all, 80 by one"]);
  assert.deepEqual(promisesOf(TEXTS, whole(95), whole(99)), ["strongly: 95 by all, 80 by one", "lightly: 99 by all, 80 by one"]);
  assert.equal(wholeLabel(TEXTS, null, false), false);
  assert.equal(wholeLabel(TEXTS, null, true).text, "direct");
  const said = wholeLabel(TEXTS, { ...whole(95), not_composed: true }, true, whole(99));
  assert.deepEqual(said.children.map(({ text }) => text), [
    "strongly: 95 by all, 80 by one apart",
    "lightly: 99 by all, 80 by one",
    "direct",
  ]);
});

test("large numbers follow the page's language", () => {
  const rare = { of_100: null, once_in: 20_000, one_of_100: 80, one_once_in: null, times: 19_999 };
  assert.deepEqual(promisesOf({ ...TEXTS, promise_rare: "once in {n}" }, rare, null), ["once in 20,000"]);
});

test("notes give the likelihood ratio if there is a bound", () => {
  assert.deepEqual(wholeNotes(TEXTS, null), []);
  assert.deepEqual(wholeNotes(TEXTS, whole(95, 19)).map(({ text }) => text), ["any", "19 times"]);
});

test("the sentence has a hundred dots, which are never all filled", () => {
  const odds = { prior: 0.1, posterior: 0.999, priorOf100: 10, posteriorOf100: 100 };
  const label = oddsLabel(TEXTS, odds, { value: 1 });
  assert.equal(label.text, "shown 10 >99");
  const dots = label.all("circle");
  assert.equal(dots.length, 100);
  assert.equal(dots.filter(({ attributes }) => attributes.class === "dot dot--on").length, 99);
  assert.equal(oddsLabel(TEXTS, odds, { value: 1 }, false).text, "worst 10 >99");
  assert.equal(oddsLabel(TEXTS, odds, SKIPPED).text, "skip 10 >99");
  const alike = oddsLabel(TEXTS, { ...odds, posterior: 1 }, { value: 1 });
  assert.deepEqual([alike.text, alike.all("circle").length], ["everybody", 0]);
});

test("whole numbers in sentences are grouped, and texts stay as they are", () => {
  assert.equal(fill("{a} of {b}, {c}, {d}", { a: 1000, b: 2000, c: "1000", d: 1.5 }), "1,000 of 2,000, 1000, 1.5");
});

test("no blank stays between two Chinese characters where a word stands for a number", () => {
  assert.equal(fill("每 100 人中有 {n} 人", { n: "不到 1" }), "每 100 人中有不到 1 人");
  assert.equal(fill("每 100 人中有 {n} 人", { n: 3 }), "每 100 人中有 3 人");
  assert.equal(fill("{n} of 100", { n: "fewer than 1" }), "fewer than 1 of 100");
});

test("a text with a count has the form of the page's language, else its general one", () => {
  const texts = { part_one: "One question", part: "{n} questions", bare: "{n} 道题" };
  const speak = (lang) => (globalThis.document = { documentElement: { lang } });
  const before = globalThis.document;
  try {
    speak("en");
    assert.equal(plural(texts, "part", 1), "One question");
    assert.equal(plural(texts, "part", 2), "{n} questions");
    speak("ar");
    const six = { q_zero: "0", q_one: "1", q_two: "2", q_few: "3", q_many: "11", q: "100" };
    assert.deepEqual([0, 1, 2, 3, 11, 100].map((count) => plural(six, "q", count)), Object.values(six));
    speak("zh-hans");
    assert.equal(plural(texts, "bare", 1), "{n} 道题");
  } finally {
    globalThis.document = before;
  }
});
