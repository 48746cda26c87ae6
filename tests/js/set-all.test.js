import assert from "node:assert/strict";
import { test } from "node:test";

import { setAll } from "../../surveys/static/surveys/js/set-all.js";

function select(value, ...offers) {
  return { value, options: [value, ...offers].map((offer) => ({ value: offer })) };
}

test("only columns with the first role that can have the second one are set", () => {
  const selects = [select("known", "out"), select("known"), select("out", "known"), select("kept", "out")];
  assert.equal(setAll(selects, "known", "out"), 1);
  assert.deepEqual(selects.map((one) => one.value), ["out", "known", "out", "kept"]);
});

test("any role can be the first one, and columns that already have the second are not counted", () => {
  const selects = [select("known", "out"), select("out", "known"), select("time")];
  assert.equal(setAll(selects, "", "out"), 1);
  assert.equal(setAll(selects, "", "out"), 0);
});
