import assert from "node:assert/strict";
import { test } from "node:test";

import { innocentSentence, often } from "../../surveys/static/surveys/js/block.js";
import { isRarePromise, joined, oddsSentence, promiseInShort, promiseSentence, promisesOf } from "../../surveys/static/surveys/js/label.js";
import { SKIPPED } from "../../surveys/static/surveys/js/draws.js";
import { rowOdds, worstRow } from "../../surveys/static/surveys/js/odds.js";
import { design, shielded, vectors, yesNo } from "./cast.js";

const TEXTS = {
  odds_posterior: "of {k} this {n}",
  odds_posterior_worst: "of {k} worst {n}",
  odds_posterior_skip: "skips {n}",
  odds_expected: "alike",
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
  assert.deepEqual(Object.keys(PROMISE).filter((key) => !said.includes(`<${key}>`)), ["promise_short", "promise_short_skip", "promise_short_shared", "promise_short_waves", "promise_short_waves_rare"]);
});

test("a promise that needs sentences of the file of rare texts says so", () => {
  const keys = Object.fromEntries(Object.keys(PROMISE).map((key) => [key, `<${key}>`]));
  const seen = vectors("promise.json").promises.map(({ held }) => {
    const said = promiseSentence(keys, held) + promiseInShort(keys, held);
    assert.equal(/_rare|_waves|_anchors|_shared/.test(said), isRarePromise(held), said);
    return isRarePromise(held);
  });
  assert.deepEqual(new Set(seen), new Set([true, false]));
  assert.equal(isRarePromise(null), false);
});

test("sentences are joined without a blank after a full-width sign", () => {
  assert.equal(joined(["It is so.", "It stays so."]), "It is so. It stays so.");
  assert.equal(joined(["就是这样。", "不会变。"]), "就是这样。不会变。");
});

test("the first screen states every figure that is known, in short or in full", () => {
  const usual = { of_100: 95, once_in: null, one_of_100: 80, one_once_in: null, skip_of_100: 90, skip_once_in: null };
  assert.match(promiseInShort(PROMISE, usual), /80% .* 90% from “Prefer not to say”, .* 95%/);
  const waves = { count: 2, of_100: 99, once_in: null, one_of_100: 95, one_once_in: null, skip_of_100: null };
  assert.match(promiseInShort(PROMISE, { ...usual, waves }), /95% from all you send\. At most 99% sure .* all 2 surveys/);
  assert.match(promiseInShort(PROMISE, { ...usual, waves: { ...waves, of_100: null, once_in: 362 } }), /Nearly sure .* wrong 1 time in 362/);
  const shared = { ...usual, shared_of_100: 91, shared_once_in: null };
  assert.match(promiseInShort(PROMISE, shared), /95% from all you send\. At most 91% sure of a question on which several/);
  const rare = { ...usual, skip_of_100: null, skip_once_in: 120 };
  assert.equal(promiseInShort(PROMISE, rare), promiseSentence(PROMISE, rare));
  // Published before pages stated skips: its words stay.
  const { skip_once_in: _, ...older } = usual;
  assert.equal(promiseInShort(PROMISE, older), promiseInShort(PROMISE, { ...older, skip_of_100: null }));
});

test("the first screen states the promise in one sentence for each strength that has one", () => {
  const texts = { ...PROMISE, disguised: "Strongly", disguised_lightly: "Lightly" };
  const [usual, stronger] = [{ of_100: 95, one_of_100: 80 }, { of_100: 90, one_of_100: 70 }];
  const [first, second] = [usual, stronger].map((held) => promiseInShort(texts, held));
  assert.match(first, /^Someone .* at most 80% sure .* 95% [^.]*\.$/);
  assert.deepEqual(promisesOf(texts, usual, null, promiseInShort), [first]);
  assert.deepEqual(promisesOf(texts, stronger, usual, promiseInShort), [`Strongly: ${second}`, `Lightly: ${first}`]);
  assert.deepEqual(promisesOf(texts, null, null, promiseInShort), []);
  const rare = { of_100: null, one_of_100: 90, once_in: 1000 };
  assert.equal(promiseInShort(texts, rare), promiseSentence(texts, rare));
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
      assert.equal(oddsSentence(TEXTS, odds, odds.values, false), `of ${said(k)} worst ${said(n)}`);
    }
  }
});

test("after sealing, the label describes the row sent", () => {
  // P = .8, q = .5: .8 (.5 + .25) / (.5 .8 + .25) = .923.
  const odds = rowOdds(plan(5000, 1), stated(1, 2000), 0, [0]);
  assert.equal(oddsSentence(TEXTS, odds, [0]), "of 80 this 92");
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
    assert.equal(oddsSentence(TEXTS, odds, SKIPPED, isShown), "skips 50");
  }
});

test("no figure suggests certainty", () => {
  assert.equal(oddsSentence(TEXTS, worstRow(plan(100, 1), stated(1, 10), 0), [1]), "of <1 this <1");
  assert.equal(oddsSentence(TEXTS, worstRow(plan(9900, 10), stated(10, 9900), 0), [1]), "of 90 this >99");
});

test("the label says for how many in 100 innocent people the device sends yes: 100 (1 - p)(1 - r) theta", () => {
  const texts = { block_innocent: "{n}", block_innocent_least: "at least {n}" };
  const said = (p, refusal, ...thetas) =>
    innocentSentence(texts, { truth_probability: p, refusal, questions: thetas.map((theta) => ({ kind: "yes_no", unrelated: [theta] })) });
  assert.equal(said(6000, null, 5000), "20");
  assert.equal(said(6000, 2500, 5000, 5000), "15");
  assert.equal(said(8000, null, 6000), "12");
  assert.equal(said(5000, null, 5000, 3000), "at least 15");
  assert.equal(said(9000, 5000, 3000), "2");
  assert.equal(innocentSentence(texts, { truth_probability: 5000, refusal: null, questions: [{ kind: "single", options: ["x", "y"], unrelated: [5000, 5000] }] }), "");
});
