/** Composite questions give the same answers as in Python, and only these are sent. */

import assert from "node:assert/strict";
import test from "node:test";

import { askedComponents, chosenOptions, composed, computedValue, isFollower, total, unaskedFollowers } from "../../surveys/static/surveys/js/composite.js";
import { Coins } from "../../surveys/static/surveys/js/coins.js";
import { disguise } from "../../surveys/static/surveys/js/disguise.js";
import { everything } from "../../surveys/static/surveys/js/rotation.js";
import { unpack } from "../../surveys/static/surveys/js/unpack.js";
import { code, fillFrom, hex, vectors } from "./cast.js";

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

/** The draws of one coin that decide alike, each with its weight among 10,000. */
const sides = (share) => [
  { word: 0, weight: share },
  { word: 9999, weight: 10000 - share },
].filter(({ weight }) => weight > 0);

/** A draw per option of a decoy, with its weight. */
const options = (shares) => shares.map((weight, place) => ({ word: shares.slice(0, place).reduce((sum, share) => sum + share, 0), weight }));

const product = (lists) => lists.reduce((all, list) => all.flatMap((one) => list.map((next) => [...one, next])), [[]]);

/** The exact law of what a device sends, by all outcomes of its draws: exact weights by body. @returns {Map<string, bigint>} */
function lawOf(design, answers, direct, drawn) {
  const coins = design.blocks.filter((block) => block.protected).flatMap((block) => [
    coinOf(block),
    ...(block.refusal === null ? [] : [sides(block.refusal)]),
    ...block.questions.map(({ kind, unrelated }) => (kind === "yes_no" ? sides(unrelated[0]) : options(unrelated))),
  ]);
  const law = new Map();
  for (const outcome of product(coins)) {
    const weight = outcome.reduce((all, { weight: own }) => all * BigInt(own), 1n);
    const { body } = disguise(design, answers, direct, new Coins(fillFrom(outcome.map(({ word }) => word))), drawn);
    law.set(hex(body), (law.get(hex(body)) ?? 0n) + weight);
  }
  return law;
}

/** The outcomes of a block's coin. With two strengths there are three: below both, between them, above both. */
function coinOf({ truth_probability: strong, light }) {
  return light === undefined
    ? sides(strong)
    : [
        { word: 0, weight: strong },
        { word: strong, weight: light - strong },
        { word: 9999, weight: 10000 - light },
      ];
}

/** Answers to two yes/no components, of which the second follows the first, and to one that is instructed; with gaps. */
const PATTERNS = product([[0, 1, null], [0, 1, null], [0, 1, null]]);

const scored = {
  key: "level", kind: "single", options: ["none", "some", "both"], unrelated: [5000, 3000, 2000],
  computed: {
    components: [
      yesNo("a"),
      yesNo("b", { asked_if: { component: "a", options: ["yes"] } }),
      { ...yesNo("check"), points: [0, 0], instructed: "no" },
    ],
    uses: [{ question: "moved", points: { yes: 1 } }],
    levels: [{ option: "none" }, { option: "some", from: 1 }, { option: "both", from: 2 }],
    missing: { at_most: 1, as: "no_points" },
  },
};
const ANY = { ...scored, key: "any", kind: "yes_no", options: [], unrelated: [2500] };
ANY.computed = { ...scored.computed, components: scored.computed.components.map((one) => ({ ...one, key: `${one.key}2`, ...(one.asked_if && { asked_if: { component: "a2", options: ["yes"] } }) })), levels: [{ option: "no" }, { option: "yes", from: 1 }], uses: undefined };
const OPEN = { key: "you", protected: false, truth_probability: 10000, refusal: null, asked_if: null, questions: [{ key: "moved", kind: "yes_no", options: [], unrelated: [] }] };
const PART = { key: "acts", protected: true, truth_probability: 4000, refusal: 2000, asked_if: null, questions: [scored, ANY] };
const LAYOUTS = {
  "one part with a skip": { design: { mechanism: 7, use: "live", group: { policy: "protected", direct_share: null }, blocks: [OPEN, PART] } },
  "two strengths, the strong one": {
    design: { mechanism: 7, use: "live", group: { policy: "choice", direct_share: null }, blocks: [OPEN, { ...PART, light: 7000 }] },
  },
  "two strengths, the light one": {
    design: { mechanism: 7, use: "live", group: { policy: "choice", direct_share: null }, blocks: [OPEN, { ...PART, light: 7000 }] },
    direct: true,
  },
  "rotating, the first question": {
    design: { mechanism: 7, use: "live", group: { policy: "protected", direct_share: null }, blocks: [OPEN, { ...PART, questions_per_person: 1 }] },
    drawn: [[0], [0]],
  },
  "rotating, the second question": {
    design: { mechanism: 7, use: "live", group: { policy: "protected", direct_share: null }, blocks: [OPEN, { ...PART, questions_per_person: 1 }] },
    drawn: [[0], [1]],
  },
};

for (const [name, { design, direct = false, drawn = everything(design) }] of Object.entries(LAYOUTS)) {
  test(`what is sent has the law of the computed answer alone: ${name}`, () => {
    const [, block] = design.blocks;
    const p = BigInt(direct ? block.light : block.truth_probability);
    const [q, r] = [10000n - p, BigInt(block.refusal)];
    const asked = drawn[1].map((place) => block.questions[place]);
    const laws = new Map();
    for (const [pattern, moved] of product([PATTERNS, [0, 1, undefined]])) {
      const keys = ["a", "b", "check", "a2", "b2", "check2"];
      const given = Object.fromEntries([...pattern, ...pattern].flatMap((value, place) => (value === null ? [] : [[keys[place], value]])));
      const mine = asked.flatMap(({ computed }) => computed.components.map(({ key }) => key));
      const own = Object.fromEntries(Object.entries(given).filter(([key]) => mine.includes(key)));
      const answers = composed(design, { you: moved === undefined ? {} : { moved }, acts: own }, drawn);
      const law = lawOf(design, answers, direct, drawn);
      // The channel by its formula: p for the truth, else a skip with r, else independent random answers.
      const truth = answers.acts === "skipped" ? "skipped" : asked.map(({ key }) => answers.acts[key]).join();
      const shares = asked.map(({ kind, unrelated }) => (kind === "yes_no" ? [10000 - unrelated[0], unrelated[0]] : unrelated));
      const total = [...law.values()].reduce((sum, weight) => sum + weight, 0n);
      const found = new Map();
      for (const [body, weight] of law) {
        const { answers: [, values], refused: [, isSkip] } = unpack(design, Uint8Array.from(Buffer.from(body, "hex")));
        const row = isSkip ? "skipped" : drawn[1].map((place) => values[place]).join();
        assert.ok(!found.has(row), "one body for each row");
        found.set(row, weight);
      }
      const whole = 10000n ** BigInt(asked.length);
      for (const values of product(shares.map((list) => [...list.keys()]))) {
        const likely = values.reduce((all, value, place) => all * BigInt(shares[place][value]), 1n);
        const row = values.join();
        const scale = 10000n * 10000n * whole;
        const expected = (row === truth ? p * 10000n * whole : 0n) + q * (10000n - r) * likely;
        assert.equal((found.get(row) ?? 0n) * scale, expected * total, `${JSON.stringify(given)} ${row}`);
      }
      const scale = 10000n * 10000n;
      assert.equal(found.get("skipped") * scale, ((truth === "skipped" ? p * 10000n : 0n) + q * r) * total);
      // Two patterns with the same computed answers cannot be told apart.
      const key = `${moved} ${truth}`;
      assert.deepEqual(law, laws.get(key) ?? law);
      laws.set(key, law);
    }
    assert.ok([...laws.keys()].some((key) => key.endsWith("skipped")));
    assert.ok(laws.size >= 6);
  });
}

test("unasked followers are those that other answers to components would bring", () => {
  const when = (component) => ({ component, options: ["yes"] });
  const open = { question: "sex", options: ["woman"] };
  const chain = rule([
    yesNo("a"),
    yesNo("b", { asked_if: when("a") }),
    yesNo("c", { asked_if: when("b") }),
    yesNo("d", { asked_if: open }),
    yesNo("e", { asked_if: { all: [when("a"), open] } }),
    yesNo("f", { asked_if: { any: [when("a"), open] } }),
    yesNo("g", { asked_if: when("d") }),
  ]);
  const unasked = (answers, sex) => [...unaskedFollowers(chain, answers, { sex })];
  assert.deepEqual(chain.components.filter(isFollower).map(({ key }) => key), ["b", "c", "e", "f", "g"]);
  assert.deepEqual(unasked({ a: 0, d: 0 }, "woman"), ["b", "c", "e", "g"]);
  assert.deepEqual(unasked({ a: 1, b: 1, d: 1 }, "woman"), []);
  // For a man, d, e and g are never asked: nothing takes their place.
  assert.deepEqual(unasked({ a: 0 }, "man"), ["b", "c", "f"]);
  assert.deepEqual(unasked({ a: 1, b: 0 }, null), ["c"]);
  // A gap meets no condition.
  assert.deepEqual(unasked({}, "woman"), ["b", "c", "e", "g"]);
  // Whatever the answers, as many questions are asked or replaced.
  for (const sex of ["woman", "man", null]) {
    const counts = new Set();
    for (let pattern = 0; pattern < 2 ** 7; pattern += 1) {
      const answers = Object.fromEntries([..."abcdefg"].map((key, place) => [key, (pattern >> place) & 1]));
      counts.add(askedComponents(chain, answers, { sex }).size + unaskedFollowers(chain, answers, { sex }).size);
    }
    assert.equal(counts.size, 1);
  }
});
