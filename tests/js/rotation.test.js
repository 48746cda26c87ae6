import assert from "node:assert/strict";
import { test } from "node:test";

import { Coins, platformFill } from "../../surveys/static/surveys/js/coins.js";
import { disguise } from "../../surveys/static/surveys/js/disguise.js";
import { draws } from "../../surveys/static/surveys/js/draws.js";
import { inGroup } from "../../surveys/static/surveys/js/layout.js";
import { groupDesign } from "../../surveys/static/surveys/js/own-group.js";
import { drawQuestions, drawWords } from "../../surveys/static/surveys/js/drawing.js";
import { leastLikelyDecoy, rowOdds, tellingAnswers, worstBooklet, worstRow } from "../../surveys/static/surveys/js/odds.js";
import { everything, rotates } from "../../surveys/static/surveys/js/rotation.js";
import { isBooklet } from "../../surveys/static/surveys/js/unpack.js";
import { turnOf } from "../../surveys/static/surveys/js/turn.js";
import { answerAnew, code, design, fillFrom, hex, judgeAnew, opened, shielded, vectors, yesNo } from "./cast.js";

const GOLDEN = vectors("rotation.json");

for (const name of new Set(GOLDEN.cases.map((entry) => entry.design))) {
  const plan = GOLDEN.designs[name];
  const cases = GOLDEN.cases.filter((entry) => entry.design === name);
  test(`golden vectors of rotating parts, ${name}: ${cases.length} cases`, () => {
    assert.ok(cases.length > 20);
    assert.ok(rotates(plan));
    answerAnew(GOLDEN, name);
  });
}

test("each person's turn is the one that Python computes, and each part is in one wave only", async () => {
  assert.ok(GOLDEN.turns.length > 300);
  for (const { rotation, series, person, wave, turn } of GOLDEN.turns) {
    assert.deepEqual(await turnOf(rotation, { series, wave }, person), turn);
  }
  for (const { rotation, series, person } of GOLDEN.turns.filter(({ wave }) => wave === 1)) {
    const waves = (rotation.blocks.length + (rotation.blanks ?? 0)) / rotation.parts_per_person;
    const all = await Promise.all(Array.from({ length: waves }, (_, index) => turnOf(rotation, { series, wave: index + 1 }, person)));
    assert.deepEqual(all.flat().sort((one, other) => one - other), [...Array(waves * rotation.parts_per_person).keys()]);
  }
});

test("a turn replaces the draw of the first rotation, and blanks ask nothing", () => {
  const plan = { ...design([shielded("a", 5000, [yesNo("a", 5000)]), shielded("b", 5000, [yesNo("b", 5000)])]), rotations: [{ blocks: ["a", "b"], parts_per_person: 2, blanks: 2 }] };
  const drawn = (turn) => drawQuestions(plan, new Coins(fillFrom([0, 0])), turn);
  assert.deepEqual(drawn(null), [[0], [0]]);
  assert.deepEqual(drawn([1, 3]), [[], [0]]);
  assert.deepEqual(drawn([2, 3]), [[], []]);
});

test("every body of a small design is read or refused as in Python", () => judgeAnew(GOLDEN));

test("odds of a booklet's rows equal Python's exactly, and the worst booklet is the same", () => {
  assert.ok(GOLDEN.odds.length > 8);
  for (const { design: name, prevalence, block, worst, worst_booklet: booklet, rows } of GOLDEN.odds) {
    const plan = GOLDEN.designs[name];
    assert.deepEqual(worstBooklet(plan.blocks[block]), booklet);
    assert.deepEqual(leastLikelyDecoy(plan, block), worst);
    for (const { row, ...expected } of rows) {
      assert.deepEqual(rowOdds(plan, prevalence, block, row), expected);
    }
  }
});

test("if answers exclude each other, a row's prior is summed over questions not asked", () => {
  for (const { design: name, prevalence, together, rows } of GOLDEN.exclusive) {
    assert.ok(rows.length > 20);
    for (const { row, ...expected } of rows) {
      assert.deepEqual(rowOdds(GOLDEN.designs[name], prevalence, 0, row, together), expected, JSON.stringify(row));
    }
  }
});

test("many exclusive pairs are summed without exponential time", () => {
  const questions = Array.from({ length: 40 }, (_, number) => yesNo(`q${number}`, 5000));
  const plan = turning([{ ...shielded("a", 5000, questions), questions_per_person: 2 }]);
  const sets = Array.from({ length: 20 }, (_, pair) => [[2 * pair, 0], [2 * pair + 1, 0]]);
  const shares = Object.fromEntries(questions.map(({ key }) => [key, [5000]]));
  const together = { shares, sets, possible: [String(3n ** 20n), String(4n ** 20n)], worst: null };
  const row = Array.from({ length: 40 }, (_, position) => (position < 2 ? [1, 0][position] : null));
  // The prior is one of three equally likely pairs.
  assert.equal(rowOdds(plan, {}, 0, row, together).priorOf100, 33);
});

const turning = (blocks, more = {}) => ({ ...design(blocks, more.policy), mechanism: 4, ...more });
const ABC = { ...shielded("a", 5000, ["x", "y", "z"].map((key) => yesNo(key, 5000)), { refusal: 2000 }), questions_per_person: 2 };

test("a design without rotation draws nothing and is sent as before", () => {
  const plan = design([opened("you", [yesNo("city")]), shielded("b", 5000, [yesNo("q", 5000)])]);
  const drawn = drawQuestions(plan, new Coins(() => assert.fail("words were drawn")));
  assert.deepEqual(drawn, [[0], [0]]);
  assert.deepEqual(drawn, everything(plan));
  assert.equal(drawWords(plan), 0);
  assert.ok(!rotates(plan));
  const seal = (...more) => disguise(plan, { you: {}, b: { q: 1 } }, false, new Coins(fillFrom([0, 0])), ...more);
  assert.deepEqual(seal(drawn), seal());
  assert.deepEqual(Object.keys(seal().record), ["direct", "answers", "refused"]);
});

test("all booklets are equally likely, by enumeration of every word", () => {
  // Two bits decide: 0 to 2 are the three booklets, and 3 is rejected.
  const counts = {};
  for (let word = 0; word < 8; word += 1) {
    const drawn = drawQuestions(turning([ABC]), new Coins(fillFrom([word, 0])));
    counts[drawn] = (counts[drawn] ?? 0) + (word % 4 === 3 ? 0 : 1);
  }
  assert.deepEqual(counts, { "0,1": 2, "0,2": 2, "1,2": 2 });
});

test("questions are drawn even from parts that are not drawn, so that all devices use equally many words", () => {
  const plan = turning([ABC, shielded("b", 5000, [yesNo("q", 5000)])], {
    rotations: [{ blocks: ["a", "b"], parts_per_person: 1 }],
  });
  for (const [words, expected] of [[[0, 1], [[0, 2], []]], [[1, 1], [[], [0]]]]) {
    const coins = new Coins(fillFrom(words));
    assert.deepEqual(drawQuestions(plan, coins), expected);
    assert.equal(coins.used, 2);
    assert.equal(drawWords(plan), 4);
  }
});

test("exactly the drawn questions must be answered", () => {
  const plan = turning([ABC, shielded("b", 5000, [yesNo("q", 5000)])], {
    rotations: [{ blocks: ["a", "b"], parts_per_person: 1 }],
  });
  const seal = (answers, drawn) => disguise(plan, answers, false, new Coins(fillFrom(new Array(9).fill(0))), drawn);
  const first = [[0, 2], []];
  assert.throws(() => seal({ a: { x: 1, z: 1 } }), code("drawn"));
  assert.throws(() => seal({ a: { x: 1, y: 1, z: 1 } }, first), code("unknown_question"));
  assert.throws(() => seal({ a: { x: 1 } }, first), code("half_answered"));
  assert.throws(() => seal({}, first), code("missing_block"));
  assert.throws(() => seal({ a: { x: 1, z: 1 }, b: { q: 1 } }, first), code("not_asked"));
  assert.throws(() => seal({ a: "skipped" }, [[], [0]]), code("not_asked"));
  assert.deepEqual(seal({ a: { x: 1, z: 0 } }, first).record, {
    direct: false, answers: [[1, null, 0], [null]], refused: [false, false], drawn: first,
  });
});

test("a true or random skip sends presence bits of the drawn questions, the refusal bit and zeros", () => {
  // 9999 draws a decoy; then 0 is below the probability of a skip.
  for (const [answers, words] of [["skipped", [0, 9999]], [{ y: 1, z: 1 }, [9999, 0]]]) {
    const coins = new Coins(fillFrom([...words, 0, 0, 0]));
    const { record, body } = disguise(turning([ABC]), { a: answers }, false, coins, [[1, 2]]);
    // Group 0; x 0 0; y 1 0; z 1 0; skipped.
    assert.equal(hex(body), "15");
    assert.deepEqual(record.drawn, [[1, 2]]);
    assert.equal(coins.used, 5);
  }
});

test("a rotating design is refused under another mechanism, and any other design under this one", () => {
  const seal = (plan) => disguise(plan, {}, false, new Coins(fillFrom([0])), everything(plan));
  for (const mechanism of [1, 2, 3, 5]) {
    assert.throws(() => seal({ ...turning([ABC]), mechanism }), code("mechanism"));
  }
  assert.throws(() => seal({ ...design([shielded("b", 5000, [yesNo("q", 5000)])]), mechanism: 4 }), code("mechanism"));
});

test("only rows of rotating blocks can lack answers, and a booklet must be a listed one", () => {
  const listed = { ...ABC, booklets: [[0, 1], [1, 2]] };
  assert.deepEqual([[1, 2], [0, 2], [1], [0, 1, 2]].map((asked) => isBooklet(listed, asked)), [true, false, false, false]);
  const stated = { x: [1000], y: [1000], z: [1000] };
  // P = .8 .01, q = .8 .25: .008 (.5 + .1) / (.008 .5 + .1) = .0048 / .104.
  assert.equal(rowOdds(turning([listed]), stated, 0, [1, 1, null]).posteriorOf100, 5);
  const { questions_per_person: _, ...whole } = ABC;
  assert.throws(() => rowOdds(design([whole]), stated, 0, [1, 1, null]), code("answer"));
});

test("the most revealing answers are from the worst booklet, with either strength", () => {
  const rare = { ...ABC, refusal: 100, light: 8000, questions: [yesNo("x", 5000), yesNo("y", 3000), yesNo("z", 4000)] };
  const plan = { ...turning([rare]), group: { policy: "choice", direct_share: null } };
  const stated = { x: [1000], y: [1000], z: [1000] };
  assert.deepEqual(worstBooklet(rare), [1, 2]);
  assert.equal(worstRow(groupDesign(plan, false), stated, 0).values, "skipped");
  const [strong, light] = [false, true].map((direct) => tellingAnswers(groupDesign(plan, direct), stated, 0));
  assert.deepEqual(strong.values, [null, 1, 1]);
  assert.ok(light.posterior > strong.posterior);
});

test("draws from the platform's generator are uniform, and parts are independent of questions", () => {
  const lines = [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]];
  const seven = shielded("a", 5000, Array.from({ length: 7 }, (_, number) => yesNo(`q${number}`, 5000)));
  const others = ["b", "c", "d"].map((key) => shielded(key, 5000, [yesNo(key, 5000)]));
  const plan = turning([{ ...seven, questions_per_person: 3, booklets: lines }, ...others], {
    rotations: [{ blocks: ["b", "c", "d"], parts_per_person: 2 }],
  });
  const counts = {};
  const loads = 42_000;
  for (let load = 0; load < loads; load += 1) {
    const drawn = JSON.stringify(drawQuestions(plan, new Coins(platformFill(drawWords(plan)))));
    counts[drawn] = (counts[drawn] ?? 0) + 1;
  }
  assert.equal(Object.keys(counts).length, 21);
  const expected = loads / 21;
  const statistic = Object.values(counts).reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // The quantile for 20 degrees of freedom and a false-alarm rate of one in a million.
  assert.ok(statistic < 65.42, JSON.stringify(counts));
});
