import assert from "node:assert/strict";
import { test } from "node:test";

import { wanted } from "../../surveys/static/surveys/js/table-keys.js";

const PLAIN = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

test("arrows turn pages in the direction of reading", () => {
  assert.equal(wanted({ ...PLAIN, key: "ArrowLeft" }, false), "prev");
  assert.equal(wanted({ ...PLAIN, key: "ArrowRight" }, false), "next");
  assert.equal(wanted({ ...PLAIN, key: "ArrowRight" }, true), "prev");
  assert.equal(wanted({ ...PLAIN, key: "ArrowLeft" }, true), "next");
});

test("other keys, and arrows with a modifier, are left to the browser", () => {
  for (const key of ["ArrowUp", "ArrowDown", "n", "PageDown", "Enter"]) {
    assert.equal(wanted({ ...PLAIN, key }, false), null);
  }
  for (const modifier of ["altKey", "ctrlKey", "metaKey", "shiftKey"]) {
    assert.equal(wanted({ ...PLAIN, key: "ArrowLeft", [modifier]: true }, false), null);
  }
});
