/** Designs, vectors and words that several tests of the disguise share. */

import "../../surveys/static/surveys/js/boxes.js";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { Coins } from "../../surveys/static/surveys/js/coins.js";
import { disguise } from "../../surveys/static/surveys/js/disguise.js";
import { draws, drawGroup } from "../../surveys/static/surveys/js/draws.js";
import { drawQuestions } from "../../surveys/static/surveys/js/drawing.js";
import { bodyLength } from "../../surveys/static/surveys/js/layout.js";
import { pack } from "../../surveys/static/surveys/js/pack.js";
import "../../surveys/static/surveys/js/number-draw.js";
import "../../surveys/static/surveys/js/place-draw.js";
import { unpack } from "../../surveys/static/surveys/js/unpack.js";

/** @param {string} name @returns {any} a file of tests/vectors */
export function vectors(name) {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), "utf8"));
}

/** Returns a source that gives these words in pieces of `size`, and throws when they run out. */
export function fillFrom(words, size = words.length) {
  let next = 0;
  return () => {
    if (next >= words.length) {
      throw new Error("the given words have run out");
    }
    const piece = Uint32Array.from(words.slice(next, next + size));
    next += size;
    return piece;
  };
}

export const yesNo = (key, ...unrelated) => ({ key, kind: "yes_no", options: [], unrelated });

export const choice = (key, kind, options, unrelated = []) => ({ key, kind, options, unrelated });

export const shielded = (key, p, questions, { refusal = null, askedIf = null } = {}) => ({
  key,
  protected: true,
  truth_probability: p,
  refusal,
  asked_if: askedIf,
  questions,
});

export const opened = (key, questions, askedIf = null) => ({
  key,
  protected: false,
  truth_probability: 10000,
  refusal: null,
  asked_if: askedIf,
  questions,
});

export const design = (blocks, policy = "protected", share = null) => ({
  mechanism: 1,
  use: "live",
  group: { policy, direct_share: share },
  blocks,
});

/** Expects a refusal with this code. */
export const code = (expected) => (error) => error.code === expected;

export const hex = (body) => Buffer.from(body).toString("hex");

/** Recomputes every case of this design in a file of vectors, and expects the same result. */
export const answerAnew = (golden, name) => {
  const plan = golden.designs[name];
  assert.equal(draws(plan), golden.draws[name]);
  for (const entry of golden.cases.filter((one) => one.design === name)) {
    const first = new Coins(fillFrom(entry.drawing ?? []));
    const drawn = entry.drawing && drawQuestions(plan, first);
    assert.deepEqual(drawn, entry.drawn);
    assert.equal(first.used, entry.drawing?.length ?? 0);
    // Pieces of the platform's size, so that refills happen in the same places.
    const coins = new Coins(fillFrom(entry.words, draws(plan) + 16));
    const direct = plan.group.policy === "assigned" ? drawGroup(plan, coins, entry.invited) : entry.choice === "direct";
    const { record, body } = disguise(plan, entry.answers, direct, coins, drawn);
    assert.equal(hex(body), entry.body_hex);
    assert.equal(coins.used, entry.words_used);
    assert.equal(body.length, golden.lengths[name]);
    assert.deepEqual(unpack(plan, body), record);
  }
};

/** Unpacks all bodies of the small designs in a file of vectors, and expects Python's verdict for each. */
export const judgeAnew = (golden) => {
  for (const [name, { counts, digest }] of Object.entries(golden.verdicts)) {
    const plan = golden.designs[name];
    const length = bodyLength(plan);
    const codes = Array.from({ length: 256 ** length }, (_, number) => {
      const body = length === 2 ? Uint8Array.of(number >>> 8, number & 255) : Uint8Array.of(number);
      try {
        assert.deepEqual(pack(plan, unpack(plan, body)), body);
        return "read";
      } catch (error) {
        // Formatting a hundred thousand stack traces would take ten times as long as the rest.
        if (error.name !== "Refusal") {
          throw error;
        }
        return error.code;
      }
    });
    assert.equal(codes.filter((each) => each === "read").length, counts.read, name);
    assert.equal(createHash("sha256").update(codes.join("\n")).digest("hex"), digest, name);
  }
};
