import assert from "node:assert/strict";
import { test } from "node:test";

import { fill } from "../../surveys/static/surveys/js/dom.js";
import { wordsFor } from "../../surveys/static/surveys/js/outcome.js";

test("each end of a delivery has its own sentences", () => {
  assert.equal(wordsFor({ kind: "delivered", status: 200 }), "delivered");
  assert.equal(wordsFor({ kind: "refused", status: 409 }), "conflict");
  assert.equal(wordsFor({ kind: "refused", status: 410 }), "closed");
  assert.equal(wordsFor({ kind: "refused", status: 422 }), "unknown");
  assert.equal(wordsFor({ kind: "stopped", status: 400 }), "stopped");
  assert.equal(wordsFor({ kind: "expired" }), "expired");
});

test("what an invitation was refused for is told apart by the server's name for it", () => {
  assert.equal(wordsFor({ kind: "refused", status: 409, error: "used_invitation" }), "used");
  assert.equal(wordsFor({ kind: "refused", status: 409, error: "other_body" }), "conflict");
  assert.equal(wordsFor({ kind: "refused", status: 422, error: "unknown_invitation" }), "uninvited");
  assert.equal(wordsFor({ kind: "refused", status: 422, error: "invitation_needed" }), "uninvited");
  assert.equal(wordsFor({ kind: "refused", status: 422, error: "unknown_design" }), "unknown");
  assert.equal(wordsFor({ kind: "stopped", status: 400, error: "code" }), "stopped");
});

test("a sentence takes its figures, and keeps braces that nobody fills", () => {
  assert.equal(fill("{n} of {total}, {n}", { n: 0, total: 100 }), "0 of 100, 0");
  assert.equal(fill("{unknown}", {}), "{unknown}");
});
