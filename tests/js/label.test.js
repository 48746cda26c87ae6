import assert from "node:assert/strict";
import { test } from "node:test";

import { momentOf, oddsSentences } from "../../surveys/static/surveys/js/label.js";
import { SKIPPED } from "../../surveys/static/surveys/js/disguise.js";
import { rowOdds, worstRow } from "../../surveys/static/surveys/js/odds.js";
import { design, shielded, yesNo } from "./cast.js";

const TEXTS = {
  odds_posterior_lead: "stranger",
  odds_posterior: "this {n}",
  odds_posterior_worst: "worst {n}",
  odds_expected: "alike",
  odds_even_lead: "suspects",
  odds_even: "now {m}",
  odds_even_worst: "then {m}",
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
      assert.deepEqual(oddsSentences(TEXTS, odds, "_worst"), [
        { lead: "stranger", text: `worst ${n === 0 ? "<1" : n}` },
        { lead: "suspects", text: `then ${evens[count - 1]}` },
      ]);
    }
  }
});

test("of a row that was sent the label speaks of that row", () => {
  // P = .8, q = .5: .8 (.5 + .25) / (.5 .8 + .25) = .923.
  const odds = rowOdds(plan(5000, 1), stated(1, 2000), 0, [0]);
  assert.deepEqual(oddsSentences(TEXTS, odds, ""), [
    { lead: "stranger", text: "this 92" },
    { lead: "suspects", text: "now 75" },
  ]);
});

test("an answer that everybody is expected to give counts nobody", () => {
  const [general, suspicious] = oddsSentences(TEXTS, worstRow(plan(5000, 1), stated(1, 10_000), 0), "");
  assert.equal(general.text, "alike");
  assert.equal(suspicious.text, "now 75");
});

test("answers that hardly anybody gives are not everybody's", () => {
  for (const share of [0, 1]) {
    const odds = worstRow(plan(5000, 5), stated(5, share), 0);
    assert.equal(odds.posterior, 0);
    assert.equal(oddsSentences(TEXTS, odds, "")[0].text, "this <1");
  }
});

test("a skip is spoken of as a skip, before the seal and after it", () => {
  assert.deepEqual(
    [[SKIPPED, true], [SKIPPED, false], [[1], true], [[1], false]].map(([row, isSent]) => momentOf(row, isSent)),
    ["_skip", "_skip_listed", "", "_listed"],
  );
});

test("no figure says that something is certain", () => {
  const rare = oddsSentences(TEXTS, worstRow(plan(100, 1), stated(1, 10), 0), "");
  assert.equal(rare[0].text, "this <1");
  const sure = oddsSentences(TEXTS, worstRow(plan(9900, 10), stated(10, 9900), 0), "");
  assert.equal(sure[0].text, "this >99");
  assert.equal(sure[1].text, "now >99");
});
