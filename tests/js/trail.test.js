import assert from "node:assert/strict";
import { test } from "node:test";

import { Trail } from "../../surveys/static/surveys/js/trail.js";

/** A browser's session history with one page in it. */
function browser(entries = [null], at = 0) {
  const listeners = [];
  const history = {
    get state() {
      return entries[at];
    },
    pushState(state) {
      entries.splice(at + 1, Infinity, state);
      at += 1;
    },
    go(steps) {
      at = Math.min(Math.max(at + steps, 0), entries.length - 1);
      listeners.forEach((listener) => listener({ state: entries[at] }));
    },
    back() {
      history.go(-1);
    },
  };
  const target = { addEventListener: (_, listener) => listeners.push(listener) };
  return { history, target, entries, at: () => at };
}

test("each place adds a history entry, which holds only its number", () => {
  const { history, target, entries } = browser();
  const trail = new Trail(history, target, (place) => place, 9);
  trail.moveTo(1);
  trail.moveTo(4);
  assert.deepEqual(entries, [null, ...[1, 2, 3, 4].map((place) => ({ place }))]);
});

test("the browser's Back gets its place", () => {
  const { history, target } = browser();
  const told = [];
  const trail = new Trail(history, target, (place) => (told.push(place), place), 9);
  trail.moveTo(2);
  history.go(-1);
  trail.back();
  assert.deepEqual(told, [1, 0]);
});

test("a place that cannot be shown leads to the next one that can", () => {
  const { history, target, at } = browser();
  const trail = new Trail(history, target, (place) => Math.min(place, 2), 9);
  trail.moveTo(5);
  history.go(-1);
  assert.equal(at(), 2);
});

test("going back and forward adds no entries", () => {
  const { history, target, entries } = browser();
  const trail = new Trail(history, target, (place) => place, 9);
  trail.moveTo(5);
  trail.moveTo(2);
  trail.moveTo(5);
  assert.equal(entries.length, 6);
});

test("after a reload the visit restarts at the beginning", () => {
  const { history, target, at } = browser([null, { place: 1 }, { place: 2 }], 2);
  new Trail(history, target, (place) => place, 9);
  assert.equal(at(), 0);
  assert.equal(history.scrollRestoration, "manual");
});

test("after the last place with an entry nothing is added, however many places are passed at once", () => {
  const { history, target, entries, at } = browser();
  const pushed = [];
  const { pushState } = history;
  history.pushState = (state) => (pushed.push(state.place), pushState(state));
  const trail = new Trail(history, target, (place) => place, 2);
  trail.moveTo(1);
  trail.moveTo(2);
  assert.deepEqual(pushed, [1, 2, 3]);
  trail.moveTo(3);
  trail.moveTo(7);
  trail.back();
  assert.deepEqual(pushed, [1, 2, 3]);
  assert.equal(at(), 2);
  assert.equal(entries.length, 4);
});

test("there the browser's Back and Forward still move one place at a time, and leave at the beginning", () => {
  const { history, target, entries, at } = browser();
  const told = [];
  const trail = new Trail(history, target, (place) => (told.push(place), place), 2);
  [1, 2, 3, 4, 5].forEach((place) => trail.moveTo(place));
  [-1, -1, 1, -1, -1, -1, -1].forEach((steps) => history.go(steps));
  assert.deepEqual(told, [4, 3, 4, 3, 2, 1, 0]);
  assert.equal(at(), 0);
  assert.equal(entries.length, 4);
});

test("the end of a visit leads back to the first entry, whatever navigation is pending", () => {
  const { history, target, at } = browser();
  const trail = new Trail(history, target, () => 0, 2);
  trail.moveTo(1);
  trail.moveTo(2);
  trail.moveTo(6);
  trail.moveTo(0);
  assert.equal(at(), 0);
  history.go(1);
  assert.equal(at(), 0);
});
