import assert from "node:assert/strict";
import test from "node:test";

import { peopleAt, placeOf } from "../../../surveys/static/surveys/js/authoring/plan.js";

test("the slider goes monotonically from 50 to 10,000 people", () => {
  const numbers = Array.from({ length: 51 }, (_, place) => peopleAt(place));
  assert.equal(numbers[0], 50);
  assert.equal(numbers[50], 10000);
  assert.ok(numbers.every((people, place) => place === 0 || people > numbers[place - 1]));
  assert.ok(numbers.every((people) => Number(people.toPrecision(2)) === people));
});

test("a number of people gets the nearest position, and any other text the first", () => {
  for (let place = 0; place <= 50; place += 1) {
    assert.equal(placeOf(peopleAt(place)), place);
  }
  assert.deepEqual([placeOf(10), placeOf(1e7), placeOf(""), placeOf("many")], [0, 50, 0, 0]);
});
