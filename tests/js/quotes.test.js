import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { quoted } from "../../surveys/static/surveys/js/quotes.js";

afterEach(() => delete globalThis.document);

test("names have the quotation marks of the page's language", () => {
  const said = { de: "„A“", "de-at": "„A“", en: "“A”", ru: "«A»", fr: "«\u202fA\u202f»", pl: "„A”", "zh-hans": "“A”", "zh-hant": "「A」" };
  for (const [lang, name] of Object.entries(said)) {
    globalThis.document = { documentElement: { lang } };
    assert.equal(quoted("A"), name, lang);
  }
  delete globalThis.document;
  assert.equal(quoted("A"), "“A”");
});
