/** The two halves of a server's message become a sentence in the page's language. */

import assert from "node:assert/strict";
import test from "node:test";

import { sentence } from "../../../surveys/static/surveys/js/authoring/problems.js";

const speaking = (lang) => {
  globalThis.document = { documentElement: { lang } };
};

test("halves are joined and ended in the style of the page's language", (context) => {
  context.after(() => delete globalThis.document);
  speaking("en");
  assert.equal(sentence({ message: "it is missing", remedy: "state it" }), "It is missing; state it.");
  assert.equal(sentence({ message: "Nothing to do." }), "Nothing to do.");
  speaking("zh-hans");
  assert.equal(sentence({ message: "缺少", remedy: "请写明" }), "缺少；请写明。");
  assert.equal(sentence({ message: "已写明。" }), "已写明。");
});
