import assert from "node:assert/strict";
import { test } from "node:test";

import { Coins } from "../../surveys/static/surveys/js/coins.js";
import { proofOf, proofOfAll, triedCoins } from "../../surveys/static/surveys/js/proof.js";
import { triedOnce } from "../../surveys/static/surveys/js/trial.js";
import { design, shielded, yesNo } from "./cast.js";

const TEXTS = { proof: "{n}", proof_least: "at least {n}" };
const block = (truth, refusal, ...thetas) => ({ ...shielded("b", truth, thetas.map((theta, place) => yesNo(`q${place}`, theta))), refusal });
const single = { key: "x", kind: "single", options: ["x", "y"], unrelated: [5000, 5000] };

test("of 100 people whose true answer is no, 100 (1 - p)(1 - r) theta send yes", () => {
  const said = (...law) => proofOf(TEXTS, block(...law));
  assert.equal(said(6000, null, 5000), "20");
  assert.equal(said(6000, 2500, 5000, 5000), "15");
  assert.equal(said(8000, null, 6000), "12");
  assert.equal(said(9000, 5000, 3000), "2");
  assert.equal(proofOf(TEXTS, { ...block(5000, null, 5000), questions: [single] }), "");
});

test("a sentence on several questions is true of each of them", () => {
  assert.equal(proofOf(TEXTS, block(5000, null, 5000, 3000)), "at least 15");
  // 100 .5 .75 .5 = 18.75: at least 19 would be false.
  assert.equal(proofOfAll(TEXTS, design([block(5000, null, 5000), { ...block(5000, 2500, 5000), key: "c" }])), "at least 18");
});

test("a sentence that would name no one is not said, because a yes would prove much", () => {
  assert.equal(proofOf(TEXTS, block(9900, null, 100)), "");
  assert.equal(proofOfAll(TEXTS, design([block(9900, null, 5000, 100)])), "");
});

test("every strength counts, open and other questions do not", () => {
  const light = { ...block(5000, null, 5000), light: 8000 };
  assert.equal(proofOfAll(TEXTS, design([light])), "at least 10");
  const open = { ...block(5000, null, 5000), protected: false };
  assert.equal(proofOfAll(TEXTS, design([open])), "");
  assert.equal(proofOfAll(TEXTS, design([{ ...block(5000, null, 5000), questions: [single] }])), "");
});

test("the trial has the coins of the question that reveals most", () => {
  const two = design([block(5000, null, 5000), { ...block(8000, 1000, 4000), key: "c" }]);
  assert.deepEqual(triedCoins(two), { truth: 8000, refusal: 1000, theta: 4000 });
  assert.deepEqual(triedCoins(design([{ ...block(3000, null, 5000), questions: [single] }])), { truth: 3000, refusal: 0, theta: 5000 });
  assert.equal(triedCoins(design([{ ...block(5000, null, 5000), protected: false }])), null);
});

test("the trial sends what the device would: every draw is enumerated on a coarse grid", () => {
  const law = { truth: 2500, refusal: 2500, theta: 7500 };
  const grid = [0, 2500, 5000, 7500];
  const sent = { 0: { 0: 0, 1: 0, null: 0 }, 1: { 0: 0, 1: 0, null: 0 } };
  for (const given of [0, 1]) {
    for (const one of grid) {
      for (const two of grid) {
        for (const three of grid) {
          const words = Uint32Array.of(one, two, three);
          sent[given][triedOnce(law, new Coins(() => words), given)] += 1 / 64;
        }
      }
    }
  }
  // No: p + (1 - p)(1 - r)(1 - theta) = .25 + .75 .75 .25; yes: .75 .75 .75; skip: .75 .25.
  assert.deepEqual(sent[0], { 0: 0.390625, 1: 0.421875, null: 0.1875 });
  assert.deepEqual(sent[1], { 0: 0.140625, 1: 0.671875, null: 0.1875 });
});
