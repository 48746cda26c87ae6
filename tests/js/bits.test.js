import assert from "node:assert/strict";
import { test } from "node:test";

import "../../surveys/static/surveys/js/boxes.js";
import { bitFields } from "../../surveys/static/surveys/js/sent.js";

const DESIGN = {
  mechanism: 1,
  use: "live",
  group: { policy: "choice", direct_share: null },
  blocks: [
    {
      key: "you", protected: false, truth_probability: 10000, refusal: null, asked_if: null,
      questions: [{ key: "age", kind: "single", options: ["a", "b", "c"], unrelated: [] }],
    },
    {
      key: "work", protected: true, truth_probability: 5000, refusal: 2000, asked_if: null,
      questions: [
        { key: "late", kind: "yes_no", options: [], unrelated: [5000] },
        { key: "seen", kind: "multi", options: ["a", "b", "c"], unrelated: [5000, 5000, 5000] },
      ],
    },
  ],
};

test("every bit is explained, in the order of the body", () => {
  // 1 direct; age present, c; late present, yes; seen present, 101; not skipped; five padding bits.
  const body = Uint8Array.of(0b1_1_10_1_1_1_1, 0b01_0_00000);
  assert.deepEqual(bitFields(DESIGN, body), [
    { role: "group", bits: "1" },
    { role: "presence", block: 0, question: 0, bits: "1" },
    { role: "value", block: 0, question: 0, bits: "10" },
    { role: "presence", block: 1, question: 0, bits: "1" },
    { role: "value", block: 1, question: 0, bits: "1" },
    { role: "presence", block: 1, question: 1, bits: "1" },
    { role: "value", block: 1, question: 1, bits: "101" },
    { role: "refusal", block: 1, bits: "0" },
    { role: "padding", bits: "00000" },
  ]);
});

test("a body that fills its bytes has no padding", () => {
  const yesNo = (key) => ({ key, kind: "yes_no", options: [], unrelated: [5000] });
  const questions = ["a", "b", "c"].map(yesNo);
  const blocks = [{ ...DESIGN.blocks[1], questions }];
  const fields = bitFields({ ...DESIGN, blocks }, Uint8Array.of(255));
  assert.equal(fields.map(({ bits }) => bits).join(""), "11111111");
  assert.ok(!fields.some(({ role }) => role === "padding"));
});
