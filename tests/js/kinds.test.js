import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { Coins } from "../../surveys/static/surveys/js/coins.js";
import { disguise } from "../../surveys/static/surveys/js/disguise.js";
import { draws } from "../../surveys/static/surveys/js/draws.js";
import { asksBoxes, KINDS, kindOf } from "../../surveys/static/surveys/js/kinds.js";
import { isAsked } from "../../surveys/static/surveys/js/layout.js";
import { unpack } from "../../surveys/static/surveys/js/unpack.js";
import { choice, code, design, fillFrom, opened, shielded, vectors, yesNo } from "./cast.js";

const scale = (file, name) => vectors(file).designs[name];

/** A design for each kind of question, and a true answer. */
const ASKED = {
  yes_no: [design([shielded("b", 5000, [yesNo("q", 5000)])]), 1],
  single: [design([shielded("b", 5000, [choice("q", "single", ["x", "y"], [4000, 6000])])]), 1],
  multi: [design([shielded("b", 5000, [choice("q", "multi", ["x", "y"], [4000, 6000])])]), [1, 0]],
  number: [scale("numbers.json", "keep or any"), 0],
  place: [scale("places.json", "square mechanism"), 0],
};
const all = { ...KINDS };

afterEach(() => {
  Object.assign(KINDS, all);
});

function sent(kind) {
  const [plan, value] = ASKED[kind];
  const [block] = plan.blocks;
  const coins = new Coins(fillFrom(new Array(draws(plan) + 16).fill(7)));
  const { record, body } = disguise(plan, { [block.key]: { [block.questions[0].key]: value } }, false, coins);
  assert.deepEqual(unpack(plan, body), record);
}

for (const kind of Object.keys(ASKED)) {
  test(`without the kind ${kind}, a page handles all others and refuses this one`, () => {
    // Boxes are shown, and their lines are sent.
    assert.deepEqual(Object.keys(KINDS).sort(), [...Object.keys(ASKED), "several"].sort());
    delete KINDS[kind];
    for (const other of Object.keys(ASKED).filter((each) => each !== kind)) {
      sent(other);
    }
    assert.throws(() => sent(kind), code("kind"));
  });
}

test("choices are shown with the answers they give, yes first", () => {
  const texts = { yes: "Yes", no: "No" };
  const shown = (kind, options) => kindOf({ kind }).choices({ options }, texts).map(({ text, value }) => [text, value]);
  assert.deepEqual(shown("yes_no", []), [["Yes", 1], ["No", 0]]);
  assert.deepEqual(shown("single", ["x", "y"]), [["x", 0], ["y", 1]]);
  assert.deepEqual(shown("multi", ["x", "y"]), [["x", 0], ["y", 1]]);
});

test("a part that depends on a multiple choice is not asked", () => {
  const later = opened("later", [yesNo("last")], { question: "q", options: ["x"] });
  const plan = design([opened("b", [choice("q", "multi", ["x", "y"])]), later]);
  assert.equal(isAsked(plan, later, [[[1, 0]]]), false);
});

test("numbers are never sent undisguised, nor places if the whole map is sensitive", () => {
  const isPartly = ({ blocks: [{ questions: [question] }] }) => kindOf(question).isPartlyExact(question);
  assert.equal(isPartly(ASKED.number[0]), false);
  assert.equal(isPartly(ASKED.place[0]), false);
});

test("boxes are loaded for lists with that look and for tick-all questions of earlier versions only", () => {
  const [lines, several] = [ASKED.yes_no, ASKED.multi].map(([plan]) => plan);
  const page = (plan, boxes) => ({ design: plan, wording: [{ boxes: undefined }, { boxes }] });
  assert.equal(asksBoxes(page(lines, undefined)), false);
  assert.equal(asksBoxes(page(lines, {})), true);
  assert.equal(asksBoxes(page(several, undefined)), true);
});
