import assert from "node:assert/strict";
import { test } from "node:test";

import { joined, spaced } from "../../surveys/static/surveys/js/sentences.js";

test("sentences are joined without a blank after a full-width sign", () => {
  assert.equal(joined(["It is so.", "It stays so."]), "It is so. It stays so.");
  assert.equal(joined(["就是这样。", "不会变。"]), "就是这样。不会变。");
  assert.equal(joined(["It is so.", false, undefined, "", "It stays so."]), "It is so. It stays so.");
  assert.equal(joined([]), "");
  assert.equal(joined(["「甲」", "「乙」"]), "「甲」「乙」");
  assert.equal(joined(["他说“不会变。”", "对"]), "他说“不会变。”对");
  assert.equal(joined(["It says “yes”", "It stays so."]), "It says “yes” It stays so.");
});

test("nodes are separated as sentences are, by the text before them", () => {
  const node = (textContent) => ({ textContent });
  const [english, chinese] = [node("It is so."), node("就是这样。")];
  assert.deepEqual(spaced([english, "It stays so."]), [english, " ", "It stays so."]);
  assert.deepEqual(spaced([chinese, false, "不会变。"]), [chinese, "不会变。"]);
  assert.deepEqual(spaced(["不会变。", chinese]), ["不会变。", chinese]);
  assert.deepEqual(spaced([null, "alone"]), ["alone"]);
});
