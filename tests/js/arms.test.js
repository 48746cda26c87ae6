import assert from "node:assert/strict";
import { test } from "node:test";

import { armAt, armQuestions, drawArms, explanation, invitedDraw, takeArms, takeTexts } from "../../surveys/static/surveys/js/arms.js";
import { Coins } from "../../surveys/static/surveys/js/coins.js";
import { disguise } from "../../surveys/static/surveys/js/disguise.js";
import * as flow from "../../surveys/static/surveys/js/flow.js";
import { unpack } from "../../surveys/static/surveys/js/unpack.js";
import { answerAnew, choice, code, design, fillFrom, opened, shielded, vectors, yesNo } from "./cast.js";

const GOLDEN = vectors("arms.json");

for (const [name, plan] of Object.entries(GOLDEN.designs)) {
  const cases = GOLDEN.cases.filter((entry) => entry.design === name);
  test(`golden vectors of arms, ${name}: ${cases.length} cases`, () => {
    assert.ok(cases.length > 12);
    for (const { arming, arms, invited } of cases) {
      const coins = new Coins(fillFrom(arming));
      assert.deepEqual(drawArms(plan, coins, invited), arms);
      assert.equal(coins.used, arming.length);
    }
    answerAnew(GOLDEN, name);
  });
}

test("an invitation has the same number after each load, and decides only one thing", async () => {
  for (const { design: name, code: invitation, invited, arming, arms } of GOLDEN.cases.filter((entry) => entry.code)) {
    const plan = GOLDEN.designs[name];
    assert.equal(await invitedDraw("experiment", plan.invited, invitation), invited);
    const page = { design: plan, survey: "experiment" };
    for (const words of [arming, arming, [0, 0, 0]]) {
      const taken = await takeArms(page, invitation, () => fillFrom(words));
      assert.equal(taken.invited, plan.invited === "group" ? invited : null);
      const place = armQuestions(plan).findIndex(({ key }) => key === plan.invited);
      assert.equal(taken.arms[place], arms[place]);
      assert.deepEqual(taken.answers, Object.fromEntries(armQuestions(plan).map(({ key }, at) => [key, { [key]: taken.arms[at] }])));
    }
    // A preview has no code, so the device draws.
    const drawn = await takeArms(page, null, () => fillFrom([9999, 9999]));
    assert.deepEqual([drawn.arms, drawn.invited], [armQuestions(plan).map(({ shares }) => shares.length - 1), null]);
  }
});

const TOLD = { ...choice("told", "single", ["short", "long"]), shares: [4000, 6000] };
const PLAN = { ...design([opened("told", [TOLD]), shielded("b", 5000, [yesNo("q", 5000)])]), mechanism: 6 };

test("each arm gets exactly its share of all possible draws", () => {
  const counts = [0, 0];
  for (let draw = 0; draw < 10000; draw += 1) {
    counts[armAt(TOLD, draw)] += 1;
  }
  assert.deepEqual(counts, [4000, 6000]);
  assert.deepEqual(armQuestions(PLAN), [TOLD]);
});

test("an arm is sent as drawn, and a body without one is refused", () => {
  const seal = (told) => disguise(PLAN, { told, b: { q: 1 } }, false, new Coins(fillFrom([0, 0])));
  assert.deepEqual(seal({ told: 1 }).record.answers[0], [1]);
  assert.throws(() => seal({}), code("arms"));
  // Group, then presence and value of the arm, then the answer.
  assert.deepEqual(unpack(PLAN, Uint8Array.of(0b01111000)).answers, [[1], [1]]);
  assert.throws(() => unpack(PLAN, Uint8Array.of(0b00011000)), code("arms"));
  assert.throws(() => disguise({ ...PLAN, mechanism: 1 }, { told: { told: 1 }, b: { q: 1 } }, false, new Coins(fillFrom([0, 0]))), code("mechanism"));
});

test("an arm question is never shown, and its answer is sealed with the others", () => {
  const state = flow.begin(PLAN, { arms: { told: { told: 0 } } });
  assert.deepEqual(flow.screens(state).map(({ id }) => id), ["intro-0", "question-1-0", "review"]);
  assert.deepEqual(flow.partOf(state, 1), { number: 1, total: 1 });
  assert.deepEqual(flow.toSeal(state).answers, { told: { told: 0 }, b: {} });
});

test("a part that depends on an arm is asked only in that arm", () => {
  const asked_if = { question: "told", options: ["long"] };
  const plan = { ...PLAN, blocks: [PLAN.blocks[0], { ...PLAN.blocks[1], asked_if }] };
  const asked = [0, 1].map((arm) => flow.asked(flow.begin(plan, { arms: { told: { told: arm } } }))[1]);
  assert.deepEqual(asked, [false, true]);
});

test("questions use the texts of the drawn arm, and other questions keep theirs", () => {
  const words = { text: "", wordings: { arm: 1, texts: ["a", "b"] } };
  const wording = [{ questions: [{ text: "as it is" }, words] }];
  takeTexts(wording, [1, 0]);
  assert.equal(words.text, "a");
  takeTexts(wording, [1, 1]);
  assert.deepEqual(wording[0].questions.map(({ text }) => text), ["as it is", "b"]);
});

test("the drawn arm's explanation is shown, with the survey's odds filled in", () => {
  const texts = { promise_short: "{k}, {m}.", promise_short_same: "{m}.", of_hundred: "{n} in 100" };
  const odds = (m, k) => ({ of_100: m, once_in: null, one_of_100: k, one_once_in: null });
  const explanations = { arm: 0, texts: ["no {odds}", "one\n\n{trial}\n{odds} two"] };
  const [one, all] = ["20 in 100", "5 in 100"];
  assert.deepEqual(explanation({ explanations, whole: odds(95, 80) }, [1], texts), ["one", "{trial}", `${one}, ${all}. two`]);
  assert.deepEqual(explanation({ explanations, whole: odds(80, 70), light: odds(95, 80) }, [0], texts), [`no ${one}, ${all}.`]);
  // One figure for one answer and for everything is said once.
  assert.deepEqual(explanation({ explanations, whole: odds(95, 95) }, [0], texts), [`no ${all}.`]);
});
