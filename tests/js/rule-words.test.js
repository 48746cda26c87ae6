/** The sentence about a rule is correct for each kind of rule. */

import assert from "node:assert/strict";
import test from "node:test";

import { ruleSaid, rulesSaid } from "../../surveys/static/surveys/js/rule-words.js";

const TEXTS = { composed_points: "points", composed_total: "total", composed_any: "any", composed_many: "many" };

const single = (key, ...points) => ({
  key,
  kind: "single",
  options: points.map((own, at) => ({ key: `${key}${at}`, points: own })),
});
const yesNo = (key, ...points) => ({ key, kind: "yes_no", points });
const levels = (...starts) => starts.map((from, at) => ({ option: `level-${at}`, ...(at ? { from } : {}) }));

const said = (kind, computed) => ruleSaid(TEXTS, { kind, computed }, true);

const FOLLOWED = { asked_if: { component: "filter", options: ["yes"] } };

test("a filter and its follow-up have no points for respondents", () => {
  const components = [yesNo("filter", 0, 2), { ...yesNo("told", 0, 1), ...FOLLOWED }];
  assert.equal(said("single", { components, levels: levels(0, 2, 3) }), "");
  const often = [yesNo("filter", 0, 3), { ...single("often", 0, 1, 2), ...FOLLOWED }];
  assert.equal(said("single", { components: often, levels: levels(0, 3, 4, 5) }), "");
});

test("a follow-up whose answers share a level is added up", () => {
  const often = [yesNo("filter", 0, 3), { ...single("often", 0, 1, 2), ...FOLLOWED }];
  assert.equal(said("single", { components: often, levels: levels(0, 3, 5) }), "points");
});

test("a scale is added up, whatever its number of levels", () => {
  const items = Array.from({ length: 9 }, (_, at) => single(`item${at}`, 0, 1, 2, 3));
  assert.equal(said("yes_no", { components: items, levels: levels(0, 10) }), "points");
  assert.equal(said("single", { components: items, levels: levels(...Array(28).keys()) }), "points");
  assert.equal(said("number", { components: items }), "total");
});

test("answers with several boxes, numbers, steps and open answers are added up", () => {
  const filter = yesNo("filter", 0, 3);
  const boxes = { ...single("boxes", 1, 1), kind: "several", ...FOLLOWED };
  assert.equal(said("single", { components: [filter, boxes], levels: levels(0, 3, 4) }), "points");
  const two = { components: [filter, { ...yesNo("told", 0, 1), ...FOLLOWED }], levels: levels(0, 3, 4) };
  assert.equal(said("single", { ...two, steps: [{}] }), "points");
  assert.equal(said("single", { ...two, uses: [{}] }), "points");
  assert.equal(said("number", { components: [{ key: "hours", kind: "number" }] }), "total");
  assert.equal(said("number", { components: [{ ...boxes, asked_if: undefined }] }), "total");
});

test("a rule that counts says so", () => {
  const acts = [yesNo("a", 0, 1), yesNo("b", 0, 1)];
  assert.equal(said("yes_no", { components: acts, levels: [{ option: "no" }, { option: "yes", from: 1 }] }), "any");
  assert.equal(said("number", { components: acts }), "many");
});

test("a rule of some questions of a part names its answer", () => {
  // Beside two single questions, people read that all five made one answer.
  const any = (key) => ({ key, kind: "yes_no", computed: { components: [yesNo(`${key}1`, 0, 1)], levels: [{ option: "no" }, { option: "yes", from: 1 }] } });
  const say = (question, isOnly) => ruleSaid({ composed_any: "any", composed_any_each: "each" }, question, isOnly);
  assert.deepEqual(rulesSaid([any("acts")], 1, say), [{ of: "", line: "any" }]);
  assert.deepEqual(rulesSaid([any("acts")], 3, say), [{ of: "acts", line: "any" }]);
  assert.deepEqual(rulesSaid([any("acts"), any("more")], 2, say), [{ of: "", line: "each" }]);
  assert.deepEqual(rulesSaid([any("acts"), any("more")], 3, say), ["acts", "more"].map((of) => ({ of, line: "any" })));
});
