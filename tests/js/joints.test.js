import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { clauses, labelled, listed, remarked } from "../../surveys/static/surveys/js/joints.js";

afterEach(() => delete globalThis.document);

/** Let the page be in a language. */
const speak = (lang) => (globalThis.document = { documentElement: { lang } });

test("labels, lists and clauses have the signs of the page's language", () => {
  assert.equal(labelled("Disguised", "5 of 100"), "Disguised: 5 of 100");
  assert.equal(listed(["HTTPS", "storage"]), "HTTPS, storage");
  assert.equal(clauses(["latitude 31", "in an area"]), "latitude 31, in an area");
  speak("zh-hans");
  assert.equal(labelled("受保护", "5%"), "受保护：5%");
  assert.equal(listed(["HTTPS", "存储"]), "HTTPS、存储");
  assert.equal(clauses(["纬度 31", "在敏感区域内"]), "纬度 31，在敏感区域内");
  speak("ar");
  assert.equal(labelled("مموّهة", "5"), "مموّهة: 5");
  assert.equal(listed(["أ", "ب"]), "أ، ب");
  assert.equal(clauses(["أ", "ب"]), "أ، ب");
  speak("fa");
  assert.equal(listed(["أ", "ب"]), "أ، ب");
  speak("fr");
  assert.equal(labelled("Altérée", "5"), "Altérée\u00a0: 5");
  speak("en");
  assert.equal(labelled("Disguised", "5 of 100"), "Disguised: 5 of 100");
});

test("a remark has the brackets of the page's language", () => {
  speak("de");
  assert.equal(`5${remarked("etwa")}`, "5 (etwa)");
  speak("zh-hant");
  assert.equal(`5${remarked("超出範圍")}`, "5（超出範圍）");
});

test("a page without a language has English signs", () => {
  speak(undefined);
  assert.equal(listed(["a", "b"]), "a, b");
});
