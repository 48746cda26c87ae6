import assert from "node:assert/strict";
import { test } from "node:test";

import { oddsSentences, wholeSentence } from "../../surveys/static/surveys/js/label.js";
import { SKIPPED } from "../../surveys/static/surveys/js/disguise.js";
import { rowOdds, worstRow } from "../../surveys/static/surveys/js/odds.js";
import { design, shielded, yesNo } from "./cast.js";

const TEXTS = {
  odds_posterior_lead: "stranger",
  odds_posterior: "of {k} this {n}",
  odds_posterior_worst: "of {k} worst {n}",
  odds_posterior_skip: "skips {n}",
  odds_expected: "alike",
  odds_even_lead: "suspects",
  odds_even: "then {m}",
  odds_even_skip: "then skipped {m}",
  odds_whole_most: "most {m}",
  odds_whole_rare: "once in {n}",
  odds_none: "<1",
  odds_all: ">99",
};

const plan = (p, count) =>
  design([shielded("b", p, Array.from({ length: count }, (_, number) => yesNo(`q${number}`, 5000)))]);
const stated = (count, share) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`q${n}`, [share]]));

test("the label says N and M of the definition for each p and one to five questions", () => {
  for (const [p, evens] of [
    [0.3, [65, 73, 82, 89, 94]],
    [0.5, [75, 83, 90, 94, 97]],
    [0.7, [85, 91, 95, 97, 99]],
  ]) {
    for (const count of [1, 2, 3, 4, 5]) {
      const prior = 0.2 ** count;
      const decoy = (1 - p) * 0.5 ** count;
      const n = Math.round((100 * prior * (p + decoy)) / (p * prior + decoy));
      const odds = worstRow(plan(p * 10_000, count), stated(count, 2000), 0);
      const k = Math.round(100 * prior);
      const said = (count) => (count === 0 ? "<1" : count);
      assert.deepEqual(oddsSentences(TEXTS, odds, odds.values, false), [
        { lead: "stranger", text: `of ${said(k)} worst ${said(n)}` },
        { lead: "suspects", text: `then ${evens[count - 1]}` },
      ]);
    }
  }
});

test("of a row that was sent the label speaks of that row", () => {
  // P = .8, q = .5: .8 (.5 + .25) / (.5 .8 + .25) = .923.
  const odds = rowOdds(plan(5000, 1), stated(1, 2000), 0, [0]);
  assert.deepEqual(oddsSentences(TEXTS, odds, [0]), [
    { lead: "stranger", text: "of 80 this 92" },
    { lead: "suspects", text: "then 75" },
  ]);
});

test("an answer that everybody is expected to give counts nobody", () => {
  const [general, suspicious] = oddsSentences(TEXTS, worstRow(plan(5000, 1), stated(1, 10_000), 0), [1]);
  assert.equal(general.text, "alike");
  assert.equal(suspicious.text, "then 75");
});

test("answers that hardly anybody gives are not everybody's", () => {
  for (const share of [0, 1]) {
    const odds = worstRow(plan(5000, 5), stated(5, share), 0);
    assert.equal(odds.posterior, 0);
    assert.equal(oddsSentences(TEXTS, odds, odds.values)[0].text, "of <1 this <1");
  }
});

test("a skip is spoken of as a skip, before the seal and after it", () => {
  const odds = { posterior: 0.5, priorOf100: 20, posteriorOf100: 50, evenOf100: 81 };
  for (const isShown of [true, false]) {
    assert.deepEqual(
      oddsSentences(TEXTS, odds, SKIPPED, isShown).map(({ text }) => text),
      ["skips 50", "then skipped 81"],
    );
  }
});

test("the first line says a count up to 99 of 100, and above it how rarely it is wrong", () => {
  assert.equal(wholeSentence(TEXTS, { of_100: 91, once_in: null }), "most 91");
  assert.equal(wholeSentence(TEXTS, { of_100: null, once_in: 244 }), "once in 244");
});

test("no figure says that something is certain", () => {
  const rare = oddsSentences(TEXTS, worstRow(plan(100, 1), stated(1, 10), 0), [1]);
  assert.equal(rare[0].text, "of <1 this <1");
  const sure = oddsSentences(TEXTS, worstRow(plan(9900, 10), stated(10, 9900), 0), [1]);
  assert.equal(sure[0].text, "of 90 this >99");
  assert.equal(sure[1].text, "then >99");
});
