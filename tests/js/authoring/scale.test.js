/** Numbers and places in a definition are alone in their part, and items follow their rectangles. */

import assert from "node:assert/strict";
import test from "node:test";

import { conditionsFor, duplicateQuestion, moveQuestion, setProtected } from "../../../surveys/static/surveys/js/authoring/edits.js";
import { stepsText } from "../../../surveys/static/surveys/js/authoring/scale-form.js";
import {
  addItem,
  addScale,
  addRectangle,
  itemOf,
  overlap,
  removeRectangle,
  setCalendar,
  setMechanism,
  setRectangle,
} from "../../../surveys/static/surveys/js/authoring/scale.js";
import { setAt } from "../../../surveys/static/surveys/js/authoring/paths.js";
import { costs } from "../../../surveys/static/surveys/js/authoring/privacy.js";

const EMPTY = { blocks: [{ key: "open", protected: false, title: {}, questions: [{ key: "q", kind: "yes_no", text: {} }] }] };
const PATH = ["blocks", 1, "questions", 0];
const ONE = { west: 1, south: 1, east: 2, north: 2 };
const question = (document) => document.blocks[1].questions[0];

test("a number gets its own protected part, without coins", () => {
  const { document, at } = addScale(EMPTY, "number");
  assert.deepEqual(at, PATH);
  assert.equal(document.blocks[1].protected, true);
  assert.equal("truth_probability" in document.blocks[1], false);
  assert.equal(question(document).number.mechanism, "square_wave");
});

test("switching between number and month drops the ends, unit and decimals that no longer apply", () => {
  const { document } = addScale(EMPTY, "number");
  const kept = addItem(setMechanism(document, PATH, "keep"), PATH, { from: 0, to: 9 });
  const stated = setAt(setAt(kept, [...PATH, "number", "unit"], { en: "h" }), [...PATH, "number", "decimals"], 1);
  const month = setCalendar(stated, PATH, "month");
  const { epsilon } = question(document).number;
  assert.deepEqual(question(month).number, { mechanism: "keep", epsilon, calendar: "month", bin: 1 });
  assert.deepEqual(question(month).options, [{ key: "option-1", text: {} }]);
  assert.equal(setCalendar(month, PATH, "month"), month);
  const number = setCalendar(setAt(month, [...PATH, "number", "low"], "2025-01"), PATH, undefined);
  assert.deepEqual(question(number).number, { ...question(document).number, mechanism: "keep" });
});

test("a number can be stored as answered, without disguise or skip and with one bin per answer, and back", () => {
  const { document } = addScale(EMPTY, "number");
  const open = setProtected(document, 1, false);
  assert.deepEqual(Object.keys(open.blocks[1]).sort(), ["key", "protected", "questions", "title"]);
  assert.equal(open.blocks[1].protected, false);
  assert.deepEqual(question(open).number, { low: 0, high: 99, bin: 1 });
  assert.deepEqual(costs(open), []);
  assert.deepEqual(conditionsFor(open, 2).map(({ key }) => key), ["q"]);
  const back = setProtected(open, 1, true);
  assert.equal(back.blocks[1].refusal, true);
  assert.deepEqual(question(back).number, { ...question(document).number, bin: 1 });
});

test("disguised again, ranges keep their ends in the widest possible bins", () => {
  const open = setProtected(addScale(EMPTY, "number").document, 1, false);
  const stated = setAt(open, [...PATH, "number"], { low: 0, high: 23.9, bin: 0.1, decimals: 1 });
  const cut = addItem(addItem(stated, PATH, { from: 0, to: 5.9 }), PATH, { from: 9, to: 23.9 });
  const { number } = question(setProtected(cut, 1, true));
  assert.deepEqual([number.mechanism, number.bin], ["keep", 3]);
  const dates = setProtected(setCalendar(open, PATH, "day"), 1, true);
  assert.equal(question(setProtected(dates, 1, false)).number.bin, 1);
});

test("it is skippable by default, as is a copy, and the server's cost of this is shown", () => {
  const { document } = addScale(EMPTY, "place");
  assert.equal(document.blocks[1].refusal, true);
  assert.equal(duplicateQuestion(document, 1, 0).document.blocks[2].refusal, true);
  const budget = { blocks: [{ path: "blocks[1]", epsilon: 2, amplification: 7.3, exact_outside: true, lost: 0.12 }] };
  assert.equal(costs(document, budget)[0].lost, 0.12);
  const whole = { ...document, blocks: [document.blocks[0], { ...document.blocks[1], refusal: null }] };
  assert.equal(costs(whole, budget)[0].lost, null);
});

test("nothing moves into its part, it moves into no other, and a copy gets its own part", () => {
  const { document } = addScale(EMPTY, "place");
  assert.equal(moveQuestion(document, { block: 0, place: 0 }, { block: 1, place: 0 }).document, document);
  assert.equal(moveQuestion(document, { block: 1, place: 0 }, { block: 0, place: 0 }).document, document);
  const copied = duplicateQuestion(document, 1, 0);
  assert.deepEqual(copied.at, ["blocks", 2, "questions", 0]);
  assert.notEqual(copied.document.blocks[2].questions[0].key, question(document).key);
});

test("an item follows its rectangle, and is removed with it", () => {
  const drawn = addRectangle(addScale(EMPTY, "place").document, PATH, ONE);
  const named = addItem(drawn, PATH, { rectangles: [ONE] });
  assert.equal(itemOf(question(named), 0), 0);
  const moved = setRectangle(named, PATH, 0, { ...ONE, east: 3 });
  assert.deepEqual(question(moved).options[0].rectangles, [{ ...ONE, east: 3 }]);
  const gone = question(removeRectangle(moved, PATH, 0));
  assert.deepEqual(gone.place.sensitive, []);
  assert.equal("options" in gone, false);
});

test("invalid areas from a file count as none, and a new rectangle replaces them", () => {
  const { document } = addScale(EMPTY, "place");
  const foreign = structuredClone(document);
  question(foreign).place.sensitive = { type: "FeatureCollection", features: [] };
  question(foreign).options = "none";
  assert.equal(itemOf(question(foreign), 0), -1);
  assert.deepEqual(question(addRectangle(foreign, PATH, ONE)).place.sensitive, [ONE]);
  assert.deepEqual(question(setMechanism(foreign, PATH, "utility_grid")).place.sensitive, []);
});

test("overlapping rectangles are reported, adjacent ones are not", () => {
  assert.equal(overlap([ONE, { west: 2, south: 1, east: 3, north: 2 }, null, {}]), false);
  assert.equal(overlap([ONE, { west: 5, south: 1, east: 6, north: 2 }, { west: 1.5, south: 0, east: 9, north: 1.1 }]), true);
});

test("bands are removed if the mechanism cannot distinguish them", () => {
  const kept = setMechanism(addScale(EMPTY, "number").document, PATH, "keep");
  const named = addItem(kept, PATH, { from: 0, to: 9 });
  assert.equal(question(setMechanism(named, PATH, "keep")).options.length, 1);
  assert.equal("options" in question(setMechanism(named, PATH, "hybrid")), false);
});

test("a new place protects the whole map, which has no sensitive areas", () => {
  const { document } = addScale(EMPTY, "place");
  assert.deepEqual(question(document).place, { mechanism: "square", epsilon: 1.38, cell: 100, area: {} });
  const areas = setMechanism(document, PATH, "utility_grid");
  assert.deepEqual(question(areas).place.sensitive, []);
  assert.deepEqual(question(setMechanism(areas, PATH, "square")), question(document));
});

test("the cost of a place comes from the server, and is not part of the sum", () => {
  const { document } = addScale(EMPTY, "place");
  const budget = { blocks: [{ path: "blocks[1]", epsilon: 2, amplification: 7.4, exact_outside: true }] };
  const [found] = costs(document, budget);
  assert.deepEqual([found.epsilon, found.isApart], [2, true]);
  assert.equal(costs(document)[0].epsilon, null);
});

test("the steps of a number say which answers cannot be told apart", () => {
  const texts = { number_steps: "{step}: {first} and {next}", number_steps_to: "{first} to {last}" };
  assert.equal(stepsText({ low: 0, high: 99, bin: 5 }, texts), "5: 0 and 1 to 4");
  assert.equal(stepsText({ low: 1, high: 40, bin: 2 }, texts), "2: 1 and 2");
  assert.equal(stepsText({ low: 0, high: 1.9, bin: 0.5, decimals: 1 }, texts), "0.5: 0.0 and 0.1 to 0.4");
  for (const exact of [{ low: 0, high: 30, bin: 1 }, { low: 0, bin: 0.1, decimals: 1 }, { bin: 5 }, {}]) {
    assert.equal(stepsText(exact, texts), "");
  }
});
