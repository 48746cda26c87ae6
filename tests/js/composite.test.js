/** Composite questions give the same answers as in Python, and only these are sent. */

import assert from "node:assert/strict";
import test from "node:test";

import { askedComponents, chosenOptions, dependsOnOpen, isFollower, unaskedFollowers } from "../../surveys/static/surveys/js/composite.js";
import { composed, computedValue, total } from "../../surveys/static/surveys/js/composite-answer.js";
import { toSeal } from "../../surveys/static/surveys/js/composite-answers.js";
import { asked as askedPage, begun } from "../../surveys/static/surveys/js/components.js";
import { Coins } from "../../surveys/static/surveys/js/coins.js";
import { disguise } from "../../surveys/static/surveys/js/disguise.js";
import { everything } from "../../surveys/static/surveys/js/rotation.js";
import { unpack } from "../../surveys/static/surveys/js/unpack.js";
import { code, fillFrom, hex, vectors } from "./cast.js";

const GOLDEN = vectors("composites.json");
const RANDOM = vectors("random-composites.json");

/** What a page seals whose screens hold these answers. */
const sealed = (design, answers, drawn) => toSeal({ ...begun({ design, drawn, tables: [] }), answers });

const questionOf = (design, key) => design.blocks.flatMap(({ questions }) => questions).find((question) => question.key === key);

const TOGETHER = new Set(GOLDEN.people.map(({ design }) => design));

for (const [name, design] of Object.entries(GOLDEN.designs).filter(([own]) => !TOGETHER.has(own))) {
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

for (const name of TOGETHER) {
  test(`several composite questions of one part as in Python: ${name}`, () => {
    const people = GOLDEN.people.filter((person) => person.design === name);
    assert.ok(people.length >= 60);
    for (const { answers, drawn, computed } of people) {
      assert.deepEqual(composed(GOLDEN.designs[name], answers, drawn), computed);
      // The screens hold the same answers.
      assert.deepEqual(sealed(GOLDEN.designs[name], answers, drawn).answers, computed);
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

/** The law is the channel by its formula: p for the truth, else a skip with r, else independent random answers. */
function checkLaw(law, { design, drawn, place, p, truth, said }) {
  const block = design.blocks[place];
  const asked = drawn[place].map((position) => block.questions[position]);
  const [q, r] = [10000n - p, BigInt(block.refusal ?? 0)];
  const shares = asked.map(({ kind, unrelated }) => (kind === "yes_no" ? [10000 - unrelated[0], unrelated[0]] : unrelated));
  const total = [...law.values()].reduce((sum, weight) => sum + weight, 0n);
  const found = new Map();
  for (const [body, weight] of law) {
    const { answers, refused } = unpack(design, Uint8Array.from(Buffer.from(body, "hex")));
    const row = refused[place] ? "skipped" : drawn[place].map((position) => answers[place][position]).join();
    assert.ok(!found.has(row), "one body for each row");
    found.set(row, weight);
  }
  const whole = 10000n ** BigInt(asked.length);
  for (const values of product(shares.map((list) => [...list.keys()]))) {
    const likely = values.reduce((all, value, position) => all * BigInt(shares[position][value]), 1n);
    const row = values.join();
    const scale = 10000n * 10000n * whole;
    const expected = (row === truth ? p * 10000n * whole : 0n) + q * (10000n - r) * likely;
    assert.equal((found.get(row) ?? 0n) * scale, expected * total, `${said} ${row}`);
  }
  const scale = 10000n * 10000n;
  assert.equal((found.get("skipped") ?? 0n) * scale, ((truth === "skipped" ? p * 10000n : 0n) + q * r) * total);
}

for (const [name, { design, direct = false, drawn = everything(design) }] of Object.entries(LAYOUTS)) {
  test(`what is sent has the law of the computed answer alone: ${name}`, () => {
    const [, block] = design.blocks;
    const p = BigInt(direct ? block.light : block.truth_probability);
    const asked = drawn[1].map((place) => block.questions[place]);
    const laws = new Map();
    for (const [pattern, moved] of product([PATTERNS, [0, 1, undefined]])) {
      const keys = ["a", "b", "check", "a2", "b2", "check2"];
      const given = Object.fromEntries([...pattern, ...pattern].flatMap((value, place) => (value === null ? [] : [[keys[place], value]])));
      const mine = asked.flatMap(({ computed }) => computed.components.map(({ key }) => key));
      const own = Object.fromEntries(Object.entries(given).filter(([key]) => mine.includes(key)));
      const answers = composed(design, { you: moved === undefined ? {} : { moved }, acts: own }, drawn);
      const law = lawOf(design, answers, direct, drawn);
      const truth = answers.acts === "skipped" ? "skipped" : asked.map(({ key }) => answers.acts[key]).join();
      checkLaw(law, { design, drawn, place: 1, p, truth, said: JSON.stringify(given) });
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

/** Every way in which one device can answer the components of its composite questions, with gaps if a part can be skipped. */
function patterns({ questions, refusal }, drawn) {
  const components = new Map(drawn.flatMap((place) => questions[place].computed.components.map((one) => [one.key, one])));
  const values = [...components.values()].map(({ kind, options }) => [...(kind === "yes_no" ? [0, 1] : options.keys()), ...(refusal === null ? [] : [undefined])]);
  return product(values).map((list) => Object.fromEntries([...components.keys()].map((key, place) => [key, list[place]])));
}

for (const [name, drawn] of [
  ["two follow-ups of one filter", [[0, 1]]],
  ["index and placebo", [[0, 1]]],
  ["two halves", [[0, 1]]],
  ["two filters, one after the other", [[0], [0, 1]]],
  ["two filters, one after the other", [[0], [0, 2]]],
  ["two filters, one after the other", [[0], [1, 2]]],
]) {
  test(`what is sent has the law of the computed answers alone: ${name}, ${JSON.stringify(drawn)}`, () => {
    const design = GOLDEN.designs[name];
    const place = design.blocks.length - 1;
    const { key, questions, truth_probability: p } = design.blocks[place];
    const opened = place ? [{ sex: 0 }, { sex: 1 }, {}] : [undefined];
    const laws = new Map();
    for (const [own, open] of product([patterns(design.blocks[place], drawn[place]), opened])) {
      const { answers } = sealed(design, { ...(open && { you: open }), [key]: own }, drawn);
      assert.deepEqual(Object.keys(answers).sort(), [key, ...(open ? ["you"] : [])]);
      const truth = answers[key] === "skipped" ? "skipped" : drawn[place].map((position) => answers[key][questions[position].key]).join();
      // A law depends on the computed answers only, so each is enumerated once.
      const named = `${open?.sex} ${truth}`;
      if (!laws.has(named)) {
        laws.set(named, lawOf(design, answers, false, drawn));
        checkLaw(laws.get(named), { design, drawn, place, p: BigInt(p), truth, said: named });
      }
    }
    assert.ok(laws.size >= 4);
  });
}

test("the odds of a shared filter that the promise states are those of what devices send", () => {
  const stated = { "two follow-ups of one filter": [[[0, 1]]], "two filters, one after the other": [[[0], [0, 1]], [[0], [0, 2]], [[0], [1, 2]]] };
  assert.deepEqual(Object.keys(GOLDEN.filter_odds), Object.keys(stated));
  for (const [name, draws] of Object.entries(stated)) {
    const design = GOLDEN.designs[name];
    const place = design.blocks.length - 1;
    const block = design.blocks[place];
    let [most, least] = [1n, 1n];
    for (const drawn of draws) {
      const shared = drawn[place].map((own) => block.questions[own].computed.components.filter((one) => one.shared).map(({ key }) => key));
      // Filters of which the device asks two questions that contain them, with the laws of people by their answer to it.
      for (const filter of shared[0].filter((key) => shared[1].includes(key))) {
        const laws = new Map();
        for (const [own, open] of product([patterns(block, drawn[place]), place ? [{ sex: 0 }, { sex: 1 }, {}] : [undefined]])) {
          const { answers } = sealed(design, { ...(open && { you: open }), [block.key]: own }, drawn);
          const law = answers[block.key] !== "skipped" && `${own[filter]}`;
          const truth = JSON.stringify(answers[block.key]);
          if (law && !laws.get(law)?.has(truth)) {
            laws.set(law, (laws.get(law) ?? new Map()).set(truth, lawOf(design, { [block.key]: answers[block.key], ...(place && { you: {} }) }, false, drawn)));
          }
        }
        for (const [one, other] of product([[...laws.keys()], [...laws.keys()]]).filter(([a, b]) => a !== b)) {
          for (const [mine, others] of product([[...laws.get(one).values()], [...laws.get(other).values()]])) {
            for (const [body, weight] of mine) {
              const against = others.get(body);
              if (weight * least > most * against) {
                [most, least] = [weight, against];
              }
            }
          }
        }
      }
    }
    const [numerator, denominator] = GOLDEN.filter_odds[name].split("/").map(BigInt);
    assert.equal(most * denominator, least * numerator, name);
  }
});

test("a shared filter is asked once, and only with a composite question that was drawn", () => {
  const design = GOLDEN.designs["two filters, one after the other"];
  const keys = (drawn, answers) => {
    const state = { ...begun({ design, drawn, tables: [] }), answers };
    const { questions } = state.design.blocks[1];
    return state.drawn[1].filter((place) => state.isAsked(state, 1, place)).map((place) => questions[place].key);
  };
  assert.deepEqual(keys([[0], [0, 1]], { you: { sex: 0 }, b: { ever: 1, lately: 1 } }), ["ever", "one", "alone", "lately", "then"]);
  assert.deepEqual(keys([[0], [1, 2]], { you: { sex: 0 }, b: { ever: 1, lately: 1 } }), ["ever", "alone", "lately", "then", "also"]);
  assert.deepEqual(keys([[0], [1, 2]], { you: { sex: 0 }, b: { ever: 0, lately: 1 } }), ["ever", "alone"]);
  assert.deepEqual(keys([[0], [0, 2]], { you: { sex: 1 }, b: { ever: 1, lately: 1 } }), ["ever", "one"]);
});

test("a page states a shared filter once, and counts it once", () => {
  const design = GOLDEN.designs["two filters, one after the other"];
  const words = { questions: design.blocks[1].questions.map(({ computed }) => ({ components: computed.components.map(({ key }) => ({ key, text: key })) })) };
  const page = askedPage({ design, wording: [{ questions: [] }, words] });
  const every = ["ever", "one", "alone", "lately", "then", "also"];
  assert.deepEqual(page.design.blocks[1].questions.map(({ key }) => key), every);
  assert.deepEqual(page.wording[1].questions.map(({ key }) => key), every);
  // Of two composite questions the largest sets have alone and then, one or also, and both filters.
  assert.equal(page.design.blocks[1].questions_per_person, 5);
  const listed = { ...design, blocks: [design.blocks[0], { ...design.blocks[1], booklets: [[0, 2], [1, 2]] }] };
  assert.equal(askedPage({ design: listed, wording: [{ questions: [] }, words] }).design.blocks[1].questions_per_person, 5);
  // The first question allows no gap, so the filter can be left empty in none.
  assert.deepEqual(page.design.blocks[1].questions.map(({ mayLeave }) => mayLeave), [false, false, true, true, true, true]);
});

test("neutral questions follow the components that they replace, count once, and reach no answer", () => {
  const when = { component: "a", options: ["yes"] };
  const shared = (key, own) => asks(key, rule([yesNo("a", { shared: true }), yesNo(own, { asked_if: when })]));
  const block = { ...DESIGN.blocks[1], questions: [shared("one", "b"), shared("two", "c")] };
  const design = { ...DESIGN, mechanism: 8, blocks: [block] };
  const texts = (own, neutral) => ({ components: [{ text: "a" }, { text: own }], neutral: [neutral] });
  const wording = [{ questions: [texts("b", "tea?"), texts("c", "rain?")] }];
  const page = askedPage({ design, wording });
  const [own] = page.design.blocks;
  assert.deepEqual(own.questions.map(({ key }) => key), ["a", "b", "b neutral", "c", "c neutral"]);
  assert.deepEqual(page.wording[0].questions.map(({ text }) => text), ["a", "b", "tea?", "c", "rain?"]);
  assert.equal(own.most_shown, 3);
  const drawn = everything(design);
  const shown = (answers) => {
    const state = { ...begun({ design, drawn, tables: [] }, wording), answers: { acts: answers } };
    return [state.drawn[0].filter((place) => state.isAsked(state, 0, place)).map((place) => own.questions[place].key), toSeal(state).answers];
  };
  const sent = { acts: { one: 0, two: 0 } };
  for (const tea of [0, 1, undefined]) {
    assert.deepEqual(shown({ a: 0, "b neutral": tea, "c neutral": tea }), [["a", "b neutral", "c neutral"], sent]);
  }
  assert.deepEqual(shown({ a: 1, b: 0, c: 1, "b neutral": 1 }), [["a", "b", "c"], { acts: { one: 1, two: 1 } }]);
});

test("a component depends on open questions if any term of its condition names one", () => {
  const after = { component: "contact", options: ["yes"] };
  const only = { question: "sex", options: ["woman"] };
  const conditions = [undefined, after, only, { all: [after, only] }, { any: [after, after] }];
  assert.deepEqual(conditions.map((condition) => dependsOnOpen({ asked_if: condition })), [false, false, true, true, false]);
});
