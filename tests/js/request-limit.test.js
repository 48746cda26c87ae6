import assert from "node:assert/strict";
import { test } from "node:test";

import { requestBytes } from "../../surveys/static/surveys/js/request-limit.js";

test("the size of a request has its texts in UTF-8 and its files", () => {
  const around = requestBytes([["a", ""]]);
  assert.equal(requestBytes([["a", "睡眠"]]) - around, 6);
  assert.equal(requestBytes([["a", { size: 5_000_000 }]]) - around, 5_000_000);
});
