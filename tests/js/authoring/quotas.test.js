import assert from "node:assert/strict";
import { test } from "node:test";

import * as edits from "../../../surveys/static/surveys/js/authoring/edits.js";
import { getAt } from "../../../surveys/static/surveys/js/authoring/paths.js";
import { removeOption } from "../../../surveys/static/surveys/js/authoring/protection.js";
import { answerKeys, canHaveQuotas, setQuota } from "../../../surveys/static/surveys/js/authoring/quotas.js";
import { survey } from "./cast.js";

const YEARS = ["blocks", 0, "questions", 1];
const quotas = (document) => getAt(document, [...YEARS, "quotas"]);
const stated = () => {
  const document = survey();
  const [first, second] = answerKeys(getAt(document, YEARS));
  return { first, second, document: setQuota(setQuota(document, YEARS, first, 200), YEARS, second, 300) };
};

test("a quota is set by option, and a question whose last one is emptied says nothing of quotas", () => {
  const { first, second, document } = stated();
  assert.deepEqual(quotas(document), { [first]: 200, [second]: 300 });
  const emptied = [first, second].reduce((next, key) => setQuota(next, YEARS, key, undefined), document);
  assert.deepEqual(emptied, survey());
});

test("a quota follows its option to another key, and goes with it, with another kind and with protection", () => {
  const { first, second, document } = stated();
  assert.deepEqual(quotas(edits.setOptionKey(document, YEARS, 0, "other")), { other: 200, [second]: 300 });
  assert.deepEqual(quotas(removeOption(document, YEARS, 0)), { [second]: 300 });
  assert.equal(quotas(edits.setKind(document, YEARS, "multi")), undefined);
  assert.equal(quotas(edits.setProtected(document, 0, true)), undefined);
  assert.deepEqual(quotas(edits.setQuestionKey(document, YEARS, "since")), { [first]: 200, [second]: 300 });
});

test("open questions with one answer can have quotas, and no others", () => {
  const open = { protected: false };
  assert.deepEqual(
    ["yes_no", "single", "multi", "number", "place"].filter((kind) => canHaveQuotas(open, { kind })),
    ["yes_no", "single"],
  );
  assert.ok(!canHaveQuotas({ protected: true }, { kind: "single" }));
  assert.deepEqual(answerKeys({ kind: "yes_no" }), ["yes", "no"]);
});
