import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { addQuestion, conditionsFor, setKind } from "../../../surveys/static/surveys/js/authoring/edits.js";
import { chosenKinds, KINDS } from "../../../surveys/static/surveys/js/authoring/kinds.js";
import { isReadable } from "../../../surveys/static/surveys/js/authoring/readable.js";
import { addScale } from "../../../surveys/static/surveys/js/authoring/scale.js";

const all = { ...KINDS };

afterEach(() => {
  Object.assign(KINDS, all);
});

const part = (isProtected) => ({ key: "part", protected: isProtected, truth_probability: 5000, questions: [] });

/** Kinds of one question; a list is several yes/no questions. */
const ofOne = () => chosenKinds().filter((kind) => kind !== "list");

for (const kind of ofOne()) {
  test(`without the kind ${kind}, the builder offers and edits all others, and publishes none of this kind`, () => {
    const { document } = addQuestion({ blocks: [part(true)] }, 0, kind);
    const before = document.blocks[0];
    assert.ok(isReadable(before));
    delete KINDS[kind];
    assert.ok(!isReadable(before));
    assert.ok(!chosenKinds().includes(kind));
    for (const other of ofOne()) {
      const next = setKind(document, ["blocks", 0, "questions", 0], other);
      assert.ok(isReadable(next.blocks[0]), other);
    }
    assert.deepEqual(conditionsFor({ blocks: [{ ...before, protected: false }, part(true)] }, 1), []);
    assert.equal(addScale(document, "number").document.blocks.length, 2);
  });
}
