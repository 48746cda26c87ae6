/** Designs, vectors and words that several tests of the disguise share. */

import { readFileSync } from "node:fs";

/** @param {string} name @returns {any} a file of tests/vectors */
export function vectors(name) {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), "utf8"));
}

/** A source that hands out given words in pieces of `size`, and fails when they have run out. */
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
