import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { clauses, joined, labelled, listed, spaced } from "../../surveys/static/surveys/js/joints.js";

afterEach(() => delete globalThis.document);

/** Let the page be in a language. */
const speak = (lang) => (globalThis.document = { documentElement: { lang } });

test("sentences are joined without a blank after a full-width sign", () => {
  assert.equal(joined(["It is so.", "It stays so."]), "It is so. It stays so.");
  assert.equal(joined(["就是这样。", "不会变。"]), "就是这样。不会变。");
  assert.equal(joined(["It is so.", false, undefined, "", "It stays so."]), "It is so. It stays so.");
  assert.equal(joined([]), "");
});

test("labels, lists and clauses have the signs of the page's language", () => {
  assert.equal(labelled("Disguised", "5 of 100"), "Disguised: 5 of 100");
  assert.equal(listed(["HTTPS", "storage"]), "HTTPS, storage");
  assert.equal(clauses(["latitude 31", "in an area"]), "latitude 31, in an area");
  speak("zh-hans");
  assert.equal(labelled("受保护", "5%"), "受保护：5%");
  assert.equal(listed(["HTTPS", "存储"]), "HTTPS、存储");
  assert.equal(clauses(["纬度 31", "在敏感区域内"]), "纬度 31，在敏感区域内");
  speak("en");
  assert.equal(labelled("Disguised", "5 of 100"), "Disguised: 5 of 100");
});

test("a page without a language has English signs", () => {
  speak(undefined);
  assert.equal(listed(["a", "b"]), "a, b");
});

test("nodes are separated as sentences are, by the text before them", () => {
  const node = (textContent) => ({ textContent });
  const [english, chinese] = [node("It is so."), node("就是这样。")];
  assert.deepEqual(spaced([english, "It stays so."]), [english, " ", "It stays so."]);
  assert.deepEqual(spaced([chinese, false, "不会变。"]), [chinese, "不会变。"]);
  assert.deepEqual(spaced(["不会变。", chinese]), ["不会变。", chinese]);
  assert.deepEqual(spaced([null, "alone"]), ["alone"]);
});
