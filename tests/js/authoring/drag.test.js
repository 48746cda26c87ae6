import assert from "node:assert/strict";
import { test } from "node:test";

import { accepts, dropPlace } from "../../../surveys/static/surveys/js/authoring/drag.js";
import { addressFrom } from "../../../surveys/static/surveys/js/authoring/new.js";
import { App, legible } from "../../../surveys/static/surveys/js/authoring/app.js";
import { survey } from "./cast.js";

const boxes = [0, 20, 40].map((top) => ({ top, bottom: top + 20 }));

test("a part goes before or after the row under the pointer, whichever half it is in", () => {
  assert.deepEqual(dropPlace(boxes, 5), { index: 0, isAfter: false });
  assert.deepEqual(dropPlace(boxes, 35), { index: 1, isAfter: true });
  assert.deepEqual(dropPlace(boxes, -50), { index: 0, isAfter: false });
  assert.deepEqual(dropPlace(boxes, 500), { index: 2, isAfter: true });
  assert.equal(dropPlace([], 5), null);
});

test("blocks go beside blocks, questions beside questions and into blocks", () => {
  assert.ok(accepts("blocks[0]", "blocks[1]"));
  assert.ok(!accepts("blocks[0]", "blocks[1].questions[0]"));
  assert.ok(accepts("blocks[0].questions[0]", "blocks[1]"));
  assert.ok(!accepts("blocks[0].questions[0]", "head"));
});

function app() {
  const texts = { moved: "{name} {place}/{total}", moved_in: "{name} {place}/{total} in {owner}", removed: "{name}" };
  const draft = { document: survey(), published: 0, problems: [] };
  const made = new App({ draft, urls: {}, texts, timeZones: [], names: new Map() });
  made.said = [];
  made.announce = (text) => made.said.push(text);
  return made;
}

test("a dropped part lands where it was shown, stays chosen, and says where it is", () => {
  const one = app();
  one.put("blocks[0].questions[0]", "blocks[0].questions[1]", true);
  assert.equal(one.selected, "blocks[0].questions[1]");
  assert.deepEqual(one.said, ["Do you lead? 2/2 in You"]);
  one.put("blocks[0].questions[1]", "blocks[1]", true);
  assert.equal(one.selected, "blocks[1].questions[0]");
  one.put("blocks[1]", "blocks[0]", false);
  assert.equal(one.document.blocks[0].key, "silence");
  assert.equal(one.said.at(-1), "Silence 1/2");
});

test("what is chosen after a deletion is there, and undo brings back what was deleted", () => {
  const one = app();
  one.select("blocks[1].questions[0]");
  one.drop("blocks[1].questions[0]");
  assert.equal(one.selected, "blocks[1]");
  one.drop("blocks[1]");
  assert.equal(one.selected, "blocks[0]");
  one.drop("blocks[0]");
  assert.equal(one.selected, "head");
  one.undo();
  one.undo();
  one.undo();
  assert.deepEqual(one.document, survey());
});

test("a draft of any shape can be opened, and one in order is left as it is", () => {
  const whole = survey();
  assert.equal(legible(whole), whole);
  assert.deepEqual(legible({ blocks: [null, { key: "a" }, 3] }).blocks, [{ key: "a", questions: [] }]);
  assert.deepEqual(legible({}).blocks, []);
});

test("an address is proposed from a title, where it has letters for one", () => {
  assert.equal(addressFrom("  Élan & Übermut, 2026! "), "elan-ubermut-2026");
  assert.equal(addressFrom("工作"), "");
  assert.equal(addressFrom("a".repeat(80)).length, 50);
});
