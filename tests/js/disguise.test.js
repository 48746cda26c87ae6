import assert from "node:assert/strict";
import { test } from "node:test";

import { Coins } from "../../surveys/static/surveys/js/coins.js";
import { disguise } from "../../surveys/static/surveys/js/disguise.js";
import { draws, drawGroup } from "../../surveys/static/surveys/js/draws.js";
import { unpack } from "../../surveys/static/surveys/js/unpack.js";
import { answerAnew, choice, code, design, fillFrom, opened, shielded, vectors, yesNo } from "./cast.js";

const GOLDEN = vectors("disguise.json");

const AFFAIR = design([shielded("a", 6000, [yesNo("affair", 5000)])]);
const IF_MARRIED = { question: "married", options: ["yes"] };
const ROUTED = design(
  [
    opened("you", [yesNo("married"), choice("age", "single", ["22", "27", "32"])]),
    shielded("a", 6000, [yesNo("affair", 5000), yesNo("unhappy", 5000)], { refusal: 2000, askedIf: IF_MARRIED }),
    shielded("b", 5000, [choice("drugs", "multi", ["x", "y"], [1000, 2000])]),
  ],
  "choice",
);
const WHOLE = { you: { married: 1, age: 2 }, a: { affair: 0, unhappy: 1 }, b: { drugs: [0, 1] } };

const run = (plan, answers, direct, words) => {
  const coins = new Coins(fillFrom(words));
  return { ...disguise(plan, answers, direct, coins), used: coins.used };
};

for (const [name, plan] of Object.entries(GOLDEN.designs)) {
  const cases = GOLDEN.cases.filter((entry) => entry.design === name);
  test(`golden vectors, ${name}: ${cases.length} cases`, () => {
    assert.ok(cases.length > 10);
    answerAnew(GOLDEN, name);
  });
}

test("there are at least five hundred golden cases, and some need a third fill", () => {
  assert.ok(GOLDEN.cases.length >= 500);
  const fills = GOLDEN.cases.map((entry) => Math.ceil(entry.words_used / (GOLDEN.draws[entry.design] + 16)));
  assert.ok(Math.max(...fills) >= 3);
});

test("a coin below the truth probability sends the truth, any other a decoy", () => {
  const truth = run(AFFAIR, { a: { affair: 1 } }, false, [5999, 5000]);
  assert.deepEqual(truth.record, { direct: false, answers: [[1]], refused: [false] });
  const decoy = run(AFFAIR, { a: { affair: 1 } }, false, [6000, 5000]);
  assert.deepEqual(decoy.record, { direct: false, answers: [[0]], refused: [false] });
});

test("the number of words used does not depend on answers, group or routing", () => {
  const words = [9000, 4294960000, 9000, 4999, 5000, 9000, 999, 2000, 1];
  const used = [
    [WHOLE, false],
    [WHOLE, true],
    [{ ...WHOLE, a: "skipped" }, false],
    [{ you: { married: 0 }, b: { drugs: [1, 1] } }, false],
    [{ b: { drugs: [0, 0] } }, true],
  ].map(([answers, direct]) => run(ROUTED, answers, direct, words).used);
  assert.deepEqual(used, [8, 8, 8, 8, 8]);
});

test("a direct row is the truth whatever the words", () => {
  const { record } = run(ROUTED, WHOLE, true, new Array(7).fill(9999));
  assert.deepEqual(record, {
    direct: true,
    answers: [[1, 2], [0, 1], [[0, 1]]],
    refused: [false, false, false],
  });
});

test("the record shares no memory with the true answers", () => {
  const answers = structuredClone(WHOLE);
  const { record } = run(ROUTED, answers, true, new Array(7).fill(0));
  answers.b.drugs[0] = 1;
  assert.deepEqual(record.answers[2], [[0, 1]]);
});

test("a group is drawn only under the policy assigned, for exactly its share of draws", () => {
  for (const share of [0, 1, 2700, 9999, 10000]) {
    const plan = design(AFFAIR.blocks, "assigned", share);
    const coins = new Coins(fillFrom(Array.from({ length: 10000 }, (_, draw) => draw)));
    const direct = Array.from({ length: 10000 }, () => drawGroup(plan, coins)).filter(Boolean).length;
    assert.equal(direct, share);
  }
  for (const policy of ["protected", "choice"]) {
    assert.throws(() => drawGroup(design(AFFAIR.blocks, policy), new Coins(fillFrom([0]))), code("group_policy"));
  }
});

test("an impossible group is refused", () => {
  const refused = (plan, direct) =>
    assert.throws(() => run(plan, { a: { affair: 1 } }, direct, [0, 0]), code("group"));
  refused(AFFAIR, true);
  refused(design(AFFAIR.blocks, "assigned", 0), true);
  refused(design(AFFAIR.blocks, "assigned", 10000), false);
  refused(design(AFFAIR.blocks, "choice"), undefined);
  refused(design(AFFAIR.blocks, "choice"), 1);
});

test("a mechanism from the future is refused", () => {
  assert.throws(() => run({ ...AFFAIR, mechanism: 2 }, { a: { affair: 1 } }, false, [0, 0]), code("mechanism"));
});

test("decoys whose shares do not sum to 100% are refused", () => {
  const plan = design([shielded("a", 0, [choice("drugs", "single", ["x", "y"], [1000, 2000])])]);
  assert.throws(() => run(plan, { a: { drugs: 0 } }, false, [9999, 9999]), code("shares_sum"));
});

const REFUSED_ANSWERS = [
  [{ x: {} }, "unknown_block"],
  [{ b: { drugs: [0, 1], x: 1 } }, "unknown_question"],
  [{ b: { affair: 1 } }, "unknown_question"],
  [{ a: { affair: 1 } }, "half_answered"],
  [{ a: {} }, "half_answered"],
  [{ a: undefined }, "missing_block"],
  [{ b: "skipped" }, "skip_not_offered"],
  [{ you: "skipped" }, "skip_not_offered"],
  [{ b: "no" }, "malformed"],
  [{ b: [1] }, "malformed"],
  [{ b: null }, "malformed"],
  [{ you: { married: 0 } }, "not_asked"],
  ...[2, -1, true, 0.5, "1", null, [1], NaN].map((value) => [{ a: { affair: value, unhappy: 1 } }, "answer"]),
  ...[3, -1, "22", null, undefined].map((value) => [{ you: { married: 1, age: value } }, "answer"]),
  ...[1, [], [0], [0, 1, 1], [0, 2], [0, true], [0, null], "01", new Array(2)].map((value) => [
    { b: { drugs: value } },
    "answer",
  ]),
];

test("answers that the design does not allow are refused before a word is drawn", () => {
  for (const [changes, expected] of REFUSED_ANSWERS) {
    const coins = new Coins(fillFrom(new Array(7).fill(0)));
    assert.throws(() => disguise(ROUTED, { ...WHOLE, ...changes }, false, coins), code(expected));
    assert.equal(coins.used, 0);
  }
  for (const answers of [null, undefined, [], "you", 1]) {
    assert.throws(() => run(ROUTED, answers, false, [0]), code("malformed"));
  }
});

test("no refusal repeats an answer", () => {
  const secret = 987654321;
  assert.throws(
    () => run(ROUTED, { ...WHOLE, a: { affair: secret, unhappy: 1 } }, false, [0]),
    (error) => error.code === "answer" && !error.message.includes(String(secret)),
  );
});

test("inherited object keys are not answers", () => {
  const plan = design([opened("constructor", [yesNo("toString")]), shielded("b", 5000, [yesNo("valueOf", 5000)])]);
  const { record } = run(plan, { b: { valueOf: 1 } }, false, [0, 0]);
  assert.deepEqual(record.answers, [[null], [1]]);
  assert.throws(() => run(plan, { b: {} }, false, [0, 0]), code("half_answered"));
});

test("without words nothing is disguised", () => {
  const coins = new Coins(() => new Uint32Array(0));
  assert.throws(() => disguise(AFFAIR, { a: { affair: 1 } }, false, coins), code("no_generator"));
});
