import assert from "node:assert/strict";
import { test } from "node:test";

import { often } from "../../surveys/static/surveys/js/before.js";
import { percent } from "../../surveys/static/surveys/js/certainty.js";
import { promiseSentence } from "../../surveys/static/surveys/js/promise.js";
import { SKIPPED } from "../../surveys/static/surveys/js/draws.js";
import { rowOdds, worstRow } from "../../surveys/static/surveys/js/odds.js";
import { oddsSentence } from "../../surveys/static/surveys/js/odds-label.js";
import { worstCase } from "../../surveys/static/surveys/js/worst-case.js";
import { design, shielded, vectors, yesNo } from "./cast.js";

const TEXTS = {
  odds_posterior: "of {k} this {n}",
  odds_posterior_worst: "of {k} worst {n}",
  odds_posterior_skip: "skips {n}",
  odds_expected: "alike",
  odds_about: "about {number}",
  odds_none: "<1",
  odds_all: ">99",
  often_about: "about {often}",
  often_half: "half the time",
  often_once: "1 time in {b}",
  often_times: "{a} times in {b}",
};

/** The sentences in English, as Python writes them. */
const PROMISE = Object.fromEntries(vectors("promise.json").texts.map(({ key, text }) => [key, text]));

test("the device words the promise exactly as Python does", () => {
  const { promises } = vectors("promise.json");
  assert.ok(promises.length > 10);
  for (const { held, sentence } of promises) {
    assert.equal(promiseSentence(PROMISE, held), sentence);
  }
  // Every text except the short ones is in some sentence.
  const keys = Object.fromEntries(Object.keys(PROMISE).map((key) => [key, `<${key}>`]));
  const said = promises.map(({ held }) => promiseSentence(keys, held)).join("");
  assert.deepEqual(Object.keys(PROMISE).filter((key) => !said.includes(`<${key}>`)), ["promise_short", "promise_short_same", "promise_short_skip", "promise_short_waves"]);
});

const SHORT = { ...PROMISE, of_hundred: "{n} in 100", once_in: "1 in {n}" };
const certain = (of_100, one_of_100, more = {}) => ({ of_100, once_in: null, one_of_100, one_once_in: null, ...more });

test("the first screen says how often someone who knows most would still be wrong", () => {
  assert.equal(
    worstCase(SHORT, certain(95, 80)),
    "Worst case: someone who suspects you, 50:50, is still wrong 20 in 100 times from one answer, 5 in 100 from all you send.",
  );
  const rare = { of_100: null, once_in: 362, one_of_100: 99, one_once_in: null };
  assert.match(worstCase(SHORT, rare), /wrong 1 in 100 times from one answer, 1 in 362 from all you send\.$/);
  assert.match(worstCase(SHORT, { ...rare, one_of_100: null, one_once_in: 1200 }), /wrong 1 in 1,200 times from one answer/);
  assert.equal(worstCase(SHORT, null, undefined), "");
});

test("one figure for one answer and for everything is said once", () => {
  assert.equal(worstCase(SHORT, certain(95, 95)), "Worst case: someone who suspects you, 50:50, is still wrong 5 in 100 times from all you send.");
  assert.equal(worstCase(SHORT, certain(95, 80), certain(90, 95)), worstCase(SHORT, certain(95, 95)));
});

test("the figure for one answer is that of the full sentence, and a skip that reveals more has its own", () => {
  const skips = (skip_of_100, skip_once_in = null, all = 95) => certain(all, 80, { skip_of_100, skip_once_in });
  const said = (held) => worstCase(SHORT, held).replace(/^.* is still /, "");
  assert.equal(said(skips(90)), "wrong 20 in 100 times from one answer, 5 in 100 from all you send. From “Prefer not to say”: 10 in 100.");
  assert.equal(said(skips(70)), "wrong 20 in 100 times from one answer, 5 in 100 from all you send.");
  assert.match(said(skips(null, 120)), /wrong 20 in 100 times from one answer, .* From “Prefer not to say”: 1 in 120\.$/);
  // The worst case is the same for one answer and for everything, so that of a skip is not higher.
  assert.equal(said(skips(80, null, 80)), "wrong 20 in 100 times from all you send.");
  // If there are two strengths, use the worst of each figure.
  assert.match(worstCase(SHORT, skips(90), certain(95, 85)), /wrong 15 in 100 times from one answer, .*: 10 in 100\.$/);
  assert.doesNotMatch(worstCase(SHORT, skips(90), certain(95, 93)), /Prefer not to say/);
});

test("it says so of all surveys of a series, too", () => {
  const waves = (more) => certain(95, 80, { waves: { count: 2, ...certain(99, 95), ...more } });
  assert.match(worstCase(SHORT, waves()), /all you send\. In all 2 surveys of this series: 1 in 100\.$/);
  assert.match(worstCase(SHORT, waves({ of_100: null, once_in: 362 })), /series: 1 in 362\.$/);
});

test("with two strengths it is the worst of both, whichever is worse in what", () => {
  assert.equal(worstCase(SHORT, certain(95, 70), certain(90, 80)), worstCase(SHORT, certain(95, 80)));
  const rare = { of_100: null, once_in: 500, one_of_100: 90, one_once_in: null };
  assert.match(worstCase(SHORT, rare, certain(95, 80)), /10 in 100 times from one answer, 1 in 500/);
  assert.equal(worstCase(SHORT, null, certain(95, 80)), worstCase(SHORT, certain(95, 80)));
});

test("no stated doubt exceeds what the promise allows, for every promise of the vectors", () => {
  const { promises } = vectors("promise.json");
  for (const { held } of promises) {
    // Equal figures are stated once: for everything, or for one answer.
    const [, most, rest] = worstCase(SHORT, held).match(/^(.*?send\.)(.*)$/);
    const figures = (said) => [...said.matchAll(/(\d+) in ([\d,]+)/g)].map(([, up, down]) => Number(up) / Number(down.replaceAll(",", "")));
    const [one, all = one] = figures(most);
    const [skip = one] = figures(/Prefer not to say”: [^.]*/.exec(rest)?.[0] ?? "");
    const allowed = (sure, once) => (sure === null ? 1 / once : 1 - sure / 100) + 1e-12;
    assert.ok(one <= allowed(held.one_of_100, held.one_once_in));
    assert.ok(held.skip_once_in === undefined || skip <= allowed(held.skip_of_100, held.skip_once_in));
    assert.ok(all <= allowed(held.of_100, held.once_in));
    assert.ok((held.shared_of_100 ?? null) === null || all <= allowed(held.shared_of_100));
  }
});

test("probabilities are worded as people say them, with \"about\" if inexact", () => {
  for (const [share, said] of [
    [5000, "half the time"],
    [5001, "about half the time"],
    [8000, "4 times in 5"],
    [6000, "3 times in 5"],
    [5454, "about half the time"],
    [6923, "about 2 times in 3"],
    [1000, "1 time in 10"],
    [200, "1 time in 50"],
    [9800, "49 times in 50"],
    [1, "1 time in 10,000"],
  ]) {
    assert.equal(often(TEXTS, share), said, String(share));
  }
});

const plan = (p, count) =>
  design([shielded("b", p, Array.from({ length: count }, (_, number) => yesNo(`q${number}`, 5000)))]);
const stated = (count, share) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`q${n}`, [share]]));

test("the label shows the definition's N for each p and one to five questions", () => {
  for (const p of [0.3, 0.5, 0.7]) {
    for (const count of [1, 2, 3, 4, 5]) {
      const prior = 0.2 ** count;
      const decoy = (1 - p) * 0.5 ** count;
      const n = Math.round((100 * prior * (p + decoy)) / (p * prior + decoy));
      const odds = worstRow(plan(p * 10_000, count), stated(count, 2000), 0);
      const k = Math.round(100 * prior);
      const said = (count) => (count === 0 ? "<1" : count);
      const about = (count) => (count > 0 ? `about ${count}` : "<1");
      assert.equal(oddsSentence(TEXTS, odds, odds.values, false), `of ${said(k)} worst ${about(n)}`);
    }
  }
});

test("after sealing, the label describes the row sent", () => {
  // P = .8, q = .5: .8 (.5 + .25) / (.5 .8 + .25) = .923.
  const odds = rowOdds(plan(5000, 1), stated(1, 2000), 0, [0]);
  assert.equal(oddsSentence(TEXTS, odds, [0]), "of 80 this about 92");
});

test("an answer that everyone is expected to give counts no one", () => {
  assert.equal(oddsSentence(TEXTS, worstRow(plan(5000, 1), stated(1, 10_000), 0), [1]), "alike");
});

test("rare answers are not described as everyone's", () => {
  for (const share of [0, 1]) {
    const odds = worstRow(plan(5000, 5), stated(5, share), 0);
    assert.equal(odds.posterior, 0);
    assert.equal(oddsSentence(TEXTS, odds, odds.values), "of <1 this <1");
  }
});

test("a skip is described as a skip, before and after sealing", () => {
  const odds = { posterior: 0.5, priorOf100: 20, posteriorOf100: 50 };
  for (const isShown of [true, false]) {
    assert.equal(oddsSentence(TEXTS, odds, SKIPPED, isShown), "skips about 50");
  }
});

test("no figure suggests certainty", () => {
  assert.equal(oddsSentence(TEXTS, worstRow(plan(100, 1), stated(1, 10), 0), [1]), "of <1 this <1");
  assert.equal(oddsSentence(TEXTS, worstRow(plan(9900, 10), stated(10, 9900), 0), [1]), "of 90 this >99");
});

test("shares have the digits of the page's language", () => {
  globalThis.document = { documentElement: { lang: "fa" } };
  try {
    assert.equal(oddsSentence(TEXTS, { priorOf100: 20, posteriorOf100: 64 }, 1), "of ۲۰ this about ۶۴");
    assert.equal(percent(TEXTS, 31.2), "۳۱");
  } finally {
    delete globalThis.document;
  }
});
