import assert from "node:assert/strict";
import { test } from "node:test";

import * as rules from "../../../surveys/static/surveys/js/authoring/one-answer.js";
import { madeUpAnswers } from "../../../surveys/static/surveys/js/authoring/made-up-people.js";
import { getAt, setAt } from "../../../surveys/static/surveys/js/authoring/paths.js";
import { composed, KEPT } from "./composed.js";
import { survey } from "./cast.js";

const HERE = [...KEPT, "computed", "components"];
const ruleOf = (document) => getAt(document, KEPT).computed;

/** A survey with a list of acts, of which at least one must be true. */
function acts(count, more = {}) {
  const components = Array.from({ length: count }, (_, place) => ({ key: `act${place}`, kind: "yes_no", text: { en: "?" }, points: [0, 1] }));
  const computed = { components, levels: [{ option: "no" }, { option: "yes", from: 1 }], missing: { at_most: Math.floor(count / 5), as: "no_points" } };
  return setAt(survey(), KEPT, { ...getAt(survey(), KEPT), computed: { ...computed, ...more } });
}

test("a pasted column fills the cells below and passes over rows without numbers", () => {
  assert.deepEqual(rules.readCells("1\n-2\n\n x\n"), [[1], [-2], [null], [null]]);
  assert.deepEqual(rules.readCells("0\t1\t2\r\n3;4"), [[0, 1, 2], [3, 4]]);
  const { document, count, left } = rules.pastePoints(acts(3), KEPT, 1, 1, rules.readCells("5\n6\n7"));
  assert.deepEqual(ruleOf(document).components.map(({ points }) => points), [[0, 1], [0, 5], [0, 6]]);
  assert.deepEqual([count, left], [2, 1]);
  const block = rules.pastePoints(acts(2), KEPT, 0, 0, rules.readCells("9 8\n7 6"));
  assert.deepEqual(ruleOf(block.document).components.map(({ points }) => points), [[9, 8], [7, 6]]);
});

test("reversing an item turns its points round, and twice is once", () => {
  const document = composed();
  const once = rules.reversed(document, KEPT, 1);
  assert.deepEqual(rules.pointsOf(ruleOf(once).components[1]), [2, 0]);
  assert.deepEqual(rules.reversed(once, KEPT, 1), document);
});

test("the way follows from the rule", () => {
  assert.equal(rules.wayOf(getAt(acts(3), KEPT)), "at_least");
  assert.equal(rules.wayOf(getAt(composed(), KEPT)), "points");
  const many = rules.setWay(acts(3), KEPT, "how_many", { names: [{ en: "0" }, { en: "1" }, { en: "2 or more" }] });
  assert.equal(rules.wayOf(getAt(many, KEPT)), "how_many");
  assert.deepEqual(ruleOf(many).levels.map(({ from }) => from), [undefined, 1, 2]);
  const { options, unrelated, prevalence } = getAt(many, KEPT);
  assert.deepEqual(options.map(({ text }) => text.en), ["0", "1", "2 or more"]);
  assert.deepEqual([unrelated, prevalence].map((shares) => shares.reduce((sum, each) => sum + each, 0)), [10_000, 10_000]);
  const back = rules.setWay(many, KEPT, "at_least", { least: 2 });
  assert.equal(rules.wayOf(getAt(back, KEPT)), "at_least");
  assert.deepEqual(ruleOf(back), { ...ruleOf(acts(3)), levels: [{ option: "no" }, { option: "yes", from: 2 }] });
  const scored = rules.setWay(composed(), KEPT, "at_least");
  assert.equal(ruleOf(scored).steps ?? ruleOf(scored).uses ?? ruleOf(scored).base, undefined);
});

test("the rule for gaps follows the usual one until someone changes it", () => {
  let document = acts(9);
  document = rules.addComponent(document, KEPT, "yes_no").document;
  assert.deepEqual(ruleOf(document).missing, { at_most: 2, as: "no_points" });
  const scored = rules.setPoint(document, KEPT, 0, 1, 3);
  assert.deepEqual(ruleOf(scored).missing, { at_most: 2, as: "mean" });
  const own = setAt(document, [...KEPT, "computed", "missing"], { at_most: 0, as: "mean" });
  assert.deepEqual(ruleOf(rules.addComponent(own, KEPT, "yes_no").document).missing, { at_most: 0, as: "mean" });
});

test("points that are codes allow no gap", () => {
  const coded = (...points) => ({ components: points.map((own) => ({ kind: "single", options: own.map((each) => ({ key: "o", points: each })) })) });
  assert.equal(rules.usualGaps(coded([0, 1, 2], [0, 3, 6], [0], [0], [0])).at_most, 0);
  assert.equal(rules.usualGaps(coded([0, 1, 2], [0, 1, 2], [0], [0], [0])).at_most, 1);
});

test("removing a component removes every reference to it, and a step that is empty then", () => {
  const document = rules.removeComponent(composed(), [...HERE, 0]);
  const rule = ruleOf(document);
  assert.deepEqual(rule.components.map(({ key }) => key), ["b"]);
  assert.deepEqual(rule.components[0].asked_if, { question: "years", options: ["long"] });
  assert.deepEqual(rule.steps, [{ key: "s", of: ["b"], levels: [{ points: 0 }, { from: 2, points: 1 }] }]);
  const chained = setAt(composed(), [...KEPT, "computed", "steps"], [
    { key: "s", of: ["a"], levels: [{ points: 0 }] },
    { key: "t", of: ["s"], levels: [{ points: 0 }] },
  ]);
  assert.equal(ruleOf(rules.removeComponent(chained, [...HERE, 0])).steps, undefined);
});

test("renaming a component or its option renames it in conditions and steps", () => {
  const rule = ruleOf(rules.setComponentKey(composed(), [...HERE, 0], "first"));
  assert.equal(rule.components[1].asked_if.any[0].component, "first");
  assert.deepEqual(rule.steps[0].of, ["first", "b"]);
  const third = { key: "c", kind: "yes_no", text: {}, points: [0, 1], asked_if: { component: "b", options: ["y"] } };
  const followed = setAt(composed(), HERE, [...ruleOf(composed()).components, third]);
  const option = ruleOf(rules.setComponentOptionKey(followed, [...HERE, 1], 1, "often"));
  assert.deepEqual(option.components[2].asked_if, { component: "b", options: ["often"] });
});

test("an attention check has no points and is in no step", () => {
  const rule = ruleOf(rules.setInstructed(composed(), [...HERE, 0], "no"));
  assert.deepEqual([rule.components[0].points, rule.components[0].instructed, rule.steps[0].of], [[0, 0], "no", ["b"]]);
  const back = ruleOf(rules.setInstructed(setAt(composed(), [...KEPT, "computed"], rule), [...HERE, 0], null));
  assert.equal(back.components[0].instructed, undefined);
});

test("a level is added with an answer of its own and removed with it; another level may keep the answer", () => {
  const thirds = [3334, 3333, 3333];
  const even = setAt(setAt(composed(), [...KEPT, "unrelated"], thirds), [...KEPT, "prevalence"], thirds);
  const added = rules.addLevel(even, KEPT);
  assert.deepEqual(ruleOf(added).levels.at(-1), { option: "option-4", from: 4 });
  assert.equal(getAt(added, KEPT).unrelated.length, 4);
  const removed = rules.removeLevel(added, KEPT, 3);
  assert.deepEqual(getAt(removed, KEPT).options, getAt(composed(), KEPT).options);
  const first = rules.removeLevel(composed(), KEPT, 0);
  assert.deepEqual(ruleOf(first).levels[0], { option: "some" });
  const shared = setAt(composed(), [...KEPT, "computed", "levels", 2, "option"], "no");
  assert.ok(getAt(rules.removeLevel(shared, KEPT, 0), [...KEPT, "options"]).some(({ key }) => key === "no"));
  assert.equal(ruleOf(rules.removeLevel(composed(), KEPT, 1)).base, undefined);
});

test("the answer becomes a number in a part of its own and yes or no again", () => {
  const number = rules.setSent(acts(3), KEPT, "number", { low: 0, high: 3 });
  const { kind, number: range, unrelated, computed } = getAt(number, KEPT);
  assert.deepEqual([kind, range.low, range.high, unrelated, computed.levels], ["number", 0, 3, undefined, undefined]);
  assert.deepEqual([number.blocks[1].truth_probability, number.blocks[1].refusal], [undefined, true]);
  const back = rules.setSent(number, KEPT, "yes_no");
  assert.deepEqual(getAt(back, KEPT).computed.levels, [{ option: "no" }, { option: "yes", from: 1 }]);
  assert.deepEqual([back.blocks[1].truth_probability, back.blocks[1].refusal], [5581, 1579]);
});

test("steps and points of open questions can be made, changed and removed", () => {
  let document = rules.addStep(acts(3), KEPT);
  document = rules.setStepSource(document, KEPT, 0, "act2", true);
  document = rules.setStepPoints(document, KEPT, 0, "act2", [0, 5]);
  document = rules.setStepKey(rules.addStep(document, KEPT), KEPT, 0, "core");
  document = rules.setStepSource(document, KEPT, 1, "core", true);
  assert.deepEqual(ruleOf(document).steps.map(({ key, of }) => [key, of]), [["core", ["act0", "act2"]], ["step-2", ["act0", "core"]]]);
  document = rules.setStepSource(document, KEPT, 0, "act2", false);
  assert.equal(ruleOf(document).steps[0].points, undefined);
  document = rules.removeStep(document, KEPT, 0);
  assert.deepEqual(ruleOf(document).steps.map(({ of }) => of), [["act0"]]);
  document = rules.setUse(document, KEPT, "leads", "yes", 1);
  document = rules.setUse(document, KEPT, "leads", "no", -1);
  assert.deepEqual(ruleOf(document).uses, [{ question: "leads", points: { yes: 1, no: -1 } }]);
  document = rules.setUse(rules.setUse(document, KEPT, "leads", "yes", 0), KEPT, "leads", "no", 0);
  assert.equal(ruleOf(document).uses, undefined);
});

test("another kind of component keeps its texts and the options that both kinds have", () => {
  const several = ruleOf(rules.setComponentKind(composed(), [...HERE, 1], "several")).components[1];
  assert.deepEqual(several.options, getAt(composed(), [...HERE, 1]).options);
  const number = ruleOf(rules.setComponentKind(composed(), [...HERE, 0], "number"));
  assert.deepEqual(number.components[0].text, getAt(composed(), [...HERE, 0]).text);
  assert.equal(number.steps[0].points, undefined);
});

test("a rule that no form can show is told from others", () => {
  assert.ok(rules.isLegible(ruleOf(composed())));
  const broken = [5, null, {}, { components: 3 }, { components: [3], missing: {} }, { components: [{}], missing: {} }, { ...ruleOf(composed()), steps: [{}] }];
  assert.deepEqual(broken.map(rules.isLegible), broken.map(() => false));
});

test("three made-up people answer with the fewest points, some, and the most", () => {
  const [least, some, most] = madeUpAnswers(ruleOf(acts(10)));
  assert.deepEqual(Object.values(least), Array(10).fill(0));
  assert.deepEqual(Object.values(most), Array(10).fill(1));
  assert.deepEqual([some.act0, some.act1, some.act3, some.act9], [1, 0, 1, undefined]);
});

test("an answer for each heading is offered if two headings have two of the questions", () => {
  const headings = [{ questions: ["hit", "kick"] }, { questions: ["shame", "scare", "gone"] }];
  assert.equal(rules.hasHeadings({ headings }, ["hit", "kick", "shame", "scare"]), true);
  assert.equal(rules.hasHeadings({ headings }, ["hit", "kick", "shame"]), false);
  assert.equal(rules.hasHeadings({}, ["hit"]), false);
  assert.equal(rules.hasHeadings({ headings: [{}, 3] }, ["hit"]), false);
});

test("the earlier rule is offered if all of its questions are in the part, even with others", () => {
  const one = (key, keys, shared = "") => ({
    key,
    computed: { components: keys.map((own) => ({ key: own, ...(shared.includes(own) && { shared: true }) })), missing: {} },
  });
  const draft = { blocks: [], set_aside: [one("score", ["a", "b"]), one("first", ["f", "g"], "f"), one("second", ["f", "h"], "f"), { questions: [] }] };
  const found = (keys, more = {}) => rules.earlierRule({ ...draft, ...more }, keys)?.key;
  assert.equal(found(["b", "a", "other"]), "score");
  assert.equal(found(["a"]), undefined);
  assert.equal(found([]), undefined);
  // Answers that share a filter return together.
  assert.equal(found(["f", "g"]), undefined);
  assert.equal(found(["f", "g", "h"]), "second");
  const chain = { set_aside: [one("left", ["s", "t"], "s"), one("middle", ["s", "u"], "su"), one("right", ["u", "v"], "u")] };
  assert.equal(found(["s", "u", "v"], chain), undefined);
  assert.equal(found(["s", "t", "u", "v"], chain), "right");
  // A number has a separate part.
  assert.equal(found(["a"], { blocks: [{ questions: [{ key: "b", kind: "number" }] }] }), "score");
  assert.equal(found(["a", "b"], { set_aside: 5 }), undefined);
});
