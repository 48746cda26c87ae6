/** Composite questions give the same answers as in Python, and only these are sent. */

import assert from "node:assert/strict";
import test from "node:test";

import { askedComponents, chosenOptions, composed, computedValue, total } from "../../surveys/static/surveys/js/composite.js";
import { everything } from "../../surveys/static/surveys/js/rotation.js";
import { code, vectors } from "./cast.js";

const GOLDEN = vectors("composites.json");
const RANDOM = vectors("random-composites.json");

const questionOf = (design, key) => design.blocks.flatMap(({ questions }) => questions).find((question) => question.key === key);

for (const [name, design] of Object.entries(GOLDEN.designs)) {
  test(`all cases of ${name} as in Python`, () => {
    const cases = GOLDEN.cases.filter((entry) => entry.design === name);
    assert.ok(cases.length > 40);
    for (const { question, answers, open, asked, sum, value } of cases) {
      const found = questionOf(design, question);
      assert.deepEqual([...askedComponents(found.computed, answers, open).keys()], asked);
      assert.equal(total(found.computed, answers, open), sum);
      assert.equal(computedValue(found, answers, open), value);
    }
  });
}

test("random rules as in Python", () => {
  assert.ok(RANDOM.cases.length >= 1000);
  assert.ok(RANDOM.cases.some(({ answer }) => answer === null));
  for (const { rule, answers, open, asked, sum, answer } of RANDOM.cases) {
    const computed = RANDOM.rules[rule];
    const options = [...new Set(computed.levels.map(({ option }) => option))];
    assert.deepEqual([...askedComponents(computed, answers, open).keys()], asked);
    assert.equal(total(computed, answers, open), sum);
    assert.equal(options[computedValue({ computed, options }, answers, open)] ?? null, answer);
  }
});

const yesNo = (key, more = {}) => ({ key, kind: "yes_no", points: [0, 1], ...more });
const rule = (components, more = {}) => ({
  components,
  levels: [{ option: "no" }, { option: "yes", from: 1 }],
  missing: { at_most: 0, as: "no_points" },
  ...more,
});
const asks = (key, computed) => ({ key, kind: "yes_no", options: [], unrelated: [5000], computed });

test("values that are no answers are refused, also those of a number", () => {
  const number = { key: "n", kind: "number", number: { low: 5, high: 7 }, bands: [{ from: 6, to: 6, points: 1 }] };
  const several = { key: "s", kind: "several", options: [{ key: "a", points: 1 }] };
  const single = { key: "o", kind: "single", options: [{ key: "a", points: 1 }, { key: "b", points: 0 }] };
  const wrong = [[yesNo("a"), 2, "1", true, [1]], [number, 4, 8, 5.5, "6", NaN], [several, 1, [2], [1, 0], []], [single, 2, -1, [0]]];
  for (const [component, ...values] of wrong) {
    for (const value of values) {
      assert.throws(() => total(rule([component]), { [component.key]: value }, {}), code("answer"), `${component.key} ${value}`);
    }
  }
  assert.deepEqual([5, 6, 7].map((n) => total(rule([number]), { n }, {})), [0, 1, 0]);
  // A number without bands has no points.
  assert.equal(total(rule([{ ...number, bands: undefined }, yesNo("a")]), { n: 6, a: 1 }, {}), 1);
});

test("names that every object inherits are no options with points", () => {
  const used = rule([yesNo("a")], { uses: [{ question: "sex", points: { woman: 2 } }] });
  assert.deepEqual(["woman", "toString", null].map((sex) => total(used, { a: 1 }, { sex })), [3, 1, 1]);
});

const DESIGN = {
  mechanism: 7,
  use: "live",
  group: { policy: "protected", direct_share: null },
  blocks: [
    {
      key: "you", protected: false, truth_probability: 10000, refusal: null, asked_if: null,
      questions: [
        { key: "sex", kind: "single", options: ["woman", "man"], unrelated: [] },
        { key: "moved", kind: "yes_no", options: [], unrelated: [] },
        { key: "langs", kind: "multi", options: ["a", "b"], unrelated: [] },
      ],
    },
    {
      key: "acts", protected: true, truth_probability: 5000, refusal: 2000, asked_if: null,
      questions: [asks("any", rule([yesNo("a"), yesNo("b", { asked_if: { component: "a", options: ["yes"] } })])), { ...asks("plain"), computed: undefined }],
    },
    {
      key: "more", protected: true, truth_probability: 5000, refusal: null, asked_if: null,
      questions: [asks("score", rule([yesNo("c"), yesNo("d")], { uses: [{ question: "sex", points: { woman: 1 } }] }))],
    },
  ],
};
const DRAWN = everything(DESIGN);

test("options of open questions are found by their keys", () => {
  assert.deepEqual(chosenOptions(DESIGN, { you: { sex: 1, moved: 0, langs: [1, 0] } }), { sex: "man", moved: "no", langs: null });
  assert.deepEqual(chosenOptions(DESIGN, {}), { sex: null, moved: null, langs: null });
});

test("composite questions are replaced by their answers, and no component is left", () => {
  const answers = { you: { sex: 0 }, acts: { a: 0, b: 1, plain: 1 }, more: { c: 0, d: 0 } };
  assert.deepEqual(composed(DESIGN, answers, DRAWN), { you: { sex: 0 }, acts: { any: 0, plain: 1 }, more: { score: 1 } });
  assert.deepEqual(composed(DESIGN, { ...answers, acts: "skipped" }, DRAWN).acts, "skipped");
});

test("too many gaps make the part a skip, or are refused where none is offered", () => {
  const answers = { you: {}, acts: { a: 1, plain: 1 }, more: { c: 0, d: 0 } };
  assert.equal(composed(DESIGN, answers, DRAWN).acts, "skipped");
  assert.throws(() => composed(DESIGN, { ...answers, more: { c: 0 } }, DRAWN), code("half_answered"));
});

test("a part that is not asked stays absent, and undrawn composites have no answer", () => {
  assert.deepEqual(composed(DESIGN, { you: {}, more: { c: 1, d: 0 } }, DRAWN), { you: {}, more: { score: 1 } });
  assert.deepEqual(composed(DESIGN, { you: {}, acts: { plain: 0 } }, [DRAWN[0], [1], []]).acts, { plain: 0 });
  // An unanswered question beside a composite one stays so; the disguise refuses it.
  assert.deepEqual(composed(DESIGN, { you: {}, acts: { a: 0 } }, [DRAWN[0], DRAWN[1], []]).acts, { any: 0 });
});
