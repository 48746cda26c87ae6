import assert from "node:assert/strict";
import { test } from "node:test";

import { fill } from "../../surveys/static/surveys/js/dom.js";
import { wordsFor } from "../../surveys/static/surveys/js/carrier.js";

test("each outcome of a delivery has its own sentences", () => {
  assert.equal(wordsFor({ kind: "delivered", status: 200 }), "delivered");
  assert.equal(wordsFor({ kind: "refused", status: 422, error: "invitation_refused" }), "uninvited");
  assert.equal(wordsFor({ kind: "stopped", status: 410, error: "closed" }), "closed");
  for (const status of [400, 409, 422]) {
    assert.equal(wordsFor({ kind: "stopped", status }), "stopped");
  }
  assert.equal(wordsFor({ kind: "expired" }), "expired");
});

test("a sentence is filled with its figures, and keeps other braces", () => {
  assert.equal(fill("{n} of {total}, {n}", { n: 0, total: 100 }), "0 of 100, 0");
  assert.equal(fill("{unknown}", {}), "{unknown}");
});
