/** A frame computes the turn of the person that the page around it names, as Python does, and refuses what names nobody. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Turn, personIn } from "../../surveys/static/surveys/js/frame-turn.js";
import { personIn as personOnPage } from "../../surveys/static/surveys/js/panel.js";
import { vectors } from "./cast.js";
import { fakeDocument } from "./fake_page.js";

globalThis.document = fakeDocument();
const STATES = ["turn_waiting", "turn_wrong", "turn_two", "turn_yes", "turn_no", "turn_on"];
const TEXTS = Object.fromEntries(STATES.map((state) => [state, state === "turn_wrong" ? "turn_wrong {number}" : state]));
const ALONE = { blocks: ["part"], parts_per_person: 1, blanks: 1 };
const CODE = "1111111111111111112B";

const turnOfFrame = (more = {}) => new Turn({ design: { rotations: [ALONE] }, turn: { series: "diary", wave: 1 }, code: false, texts: TEXTS, ...more });
const nodes = (turn) => turn.nodes(document.createElement("button"), () => {});
const said = (turn) => nodes(turn)[0].text;

test("the turn is that of the shared vectors", async () => {
  const { turns } = vectors("rotation.json");
  const single = turns.filter(({ rotation }) => rotation.blocks.length === 1);
  assert.ok(single.length > 20);
  for (const { rotation, series, person, wave, turn } of single) {
    const frame = turnOfFrame({ design: { rotations: [rotation] }, turn: { series, wave } });
    assert.equal(await frame.take(person), true);
    assert.equal(said(frame), turn.includes(0) ? "turn_yes" : "turn_no");
  }
});

test("without a person nothing can be started", () => {
  const [text, row] = nodes(turnOfFrame());
  assert.equal(text.text, "turn_waiting");
  assert.equal(row.all("button")[0].disabled, true);
});

test("what can be no person's number is shown and refused, on the page too, and can be corrected", async () => {
  for (const wrong of ["", " 1", "1 ", "{id}", "[id]", "<id>", "%ID%", "a\nb", "undefined", "NaN", "null", "9".repeat(201), 7, null, {}, "\ud800"]) {
    assert.equal(personIn(wrong, false), null, String(wrong));
    const frame = turnOfFrame();
    assert.equal(await frame.take(wrong), true);
    assert.equal(said(frame), `turn_wrong ${String(wrong).slice(0, 40)}`);
    assert.equal(nodes(frame).length, 1);
    await frame.take("4711");
    assert.match(said(frame), /turn_(yes|no)/);
  }
  for (const wrong of ["{id}", "[id]", " 1", "undefined"]) {
    assert.equal(personOnPage(`#id=${encodeURIComponent(wrong)}`), null, wrong);
  }
  assert.equal(personOnPage("#id=%E0%A4"), null);
  assert.equal(personOnPage("#id=p%204711"), personIn("p 4711", false));
  assert.equal(personOnPage(""), null);
});

test("a second person is refused for good, also while the first one's turn is computed", async () => {
  const frame = turnOfFrame();
  await frame.take("one");
  assert.equal(await frame.take("one"), false);
  assert.equal(await frame.take("two"), true);
  assert.equal(said(frame), "turn_two");
  assert.equal(await frame.take("one"), false);
  const hurried = turnOfFrame();
  await Promise.all([hurried.take("one"), hurried.take("two")]);
  assert.equal(said(hurried), "turn_two");
});

test("a code is read as on the survey's own page", () => {
  assert.equal(personIn("11111-11111-11111-1112b", true), CODE);
  for (const wrong of ["4711", CODE.replace("2B", "2C"), 7, ""]) {
    assert.equal(personIn(wrong, true), null);
  }
});

test("if nothing is asked, a button sends that", async () => {
  const person = (await Promise.all(["1", "2", "3", "4", "5", "6", "7", "8"].map(async (each) => {
    const frame = turnOfFrame();
    await frame.take(each);
    return said(frame) === "turn_no" && each;
  }))).find(Boolean);
  const frame = turnOfFrame();
  await frame.take(person);
  const pressed = [];
  const [, row] = frame.nodes(document.createElement("button"), (button) => pressed.push(button));
  const [button] = row.all("button");
  assert.equal(button.text, "turn_on");
  button.listeners.click();
  assert.deepEqual(pressed, [button]);
});
