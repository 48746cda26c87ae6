/** What waits until nothing is pressed, and that nothing waits for ever. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Presses } from "../../../surveys/static/surveys/js/authoring/presses.js";

/** Presses on a target, and what they ran. */
function watched() {
  const target = new EventTarget();
  /** @type {(() => void)[]} */
  const after = [];
  const presses = new Presses(target, (run) => after.push(run));
  const said = /** @type {string[]} */ ([]);
  const fire = (/** @type {string} */ name, more = {}) => target.dispatchEvent(Object.assign(new Event(name), more));
  const settle = () => after.splice(0).forEach((run) => run());
  return { fire, settle, said, ask: (/** @type {string} */ word) => presses.whenReleased(() => said.push(word)) };
}

test("without a press it runs at once", () => {
  const { ask, said } = watched();
  ask("now");
  assert.deepEqual(said, ["now"]);
});

for (const [down, up, more] of /** @type {const} */ ([
  ["pointerdown", "pointerup", {}],
  ["pointerdown", "pointercancel", {}],
  ["pointerdown", "pointermove", { buttons: 0 }],
  ["keydown", "keyup", { key: " " }],
])) {
  test(`between ${down} and ${up} it waits, until the click has been handled`, () => {
    const { fire, settle, ask, said } = watched();
    fire(down, more);
    ask("first");
    ask("second");
    assert.deepEqual(said, []);
    fire(up, more);
    assert.deepEqual(said, [], "the click comes after the release");
    settle();
    assert.deepEqual(said, ["first", "second"]);
    ask("third");
    assert.equal(said.length, 3);
  });
}

test("a dragged pointer and other keys change nothing", () => {
  const { fire, settle, ask, said } = watched();
  fire("keydown", { key: "Enter" });
  ask("typed");
  fire("pointerdown");
  fire("pointermove", { buttons: 1 });
  fire("keyup", { key: "a" });
  settle();
  ask("dragged");
  assert.deepEqual(said, ["typed"]);
});
