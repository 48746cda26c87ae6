import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Coins, LIMIT, NoGenerator, platformFill, SCALE } from "../../surveys/static/surveys/js/coins.js";
import { code, fillFrom } from "./cast.js";

/** Runs a task with another platform generator. */
function withGenerator(generator, task) {
  const platform = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  Object.defineProperty(globalThis, "crypto", { value: generator, configurable: true });
  try {
    return task();
  } finally {
    Object.defineProperty(globalThis, "crypto", platform);
  }
}

test("a word below the limit gives its last four digits, also beyond 2^31", () => {
  const words = [0, 9999, 10000, 2147483647, 2147483648, 4294950000, 4294959999];
  const coins = new Coins(fillFrom(words));
  assert.deepEqual(
    words.map(() => coins.draw()),
    [0, 9999, 0, 3647, 3648, 0, 9999],
  );
  assert.equal(coins.used, 7);
});

test("words at or above the limit are rejected and counted as used", () => {
  const coins = new Coins(fillFrom([4294960000, 4294967295, 7]));
  assert.equal(coins.draw(), 7);
  assert.equal(coins.used, 3);
});

test("every draw has the same number of words", () => {
  assert.equal(LIMIT % SCALE, 0);
  assert.ok(2 ** 32 - LIMIT < SCALE);
  const words = Array.from({ length: SCALE }, (_, place) => LIMIT - SCALE + place);
  const coins = new Coins(fillFrom(words));
  assert.deepEqual(new Set(words.map(() => coins.draw())).size, SCALE);
});

test("words are refilled when they run out, even between rejected ones", () => {
  const coins = new Coins(fillFrom([1, 4294960000, 4294960000, 2, 3], 2));
  assert.deepEqual([coins.draw(), coins.draw(), coins.draw()], [1, 2, 3]);
  assert.equal(coins.used, 5);
});

test("a used word does not stay in memory", () => {
  const words = Uint32Array.of(5, 4294960000, 6, 7);
  const coins = new Coins(() => words);
  coins.draw();
  coins.draw();
  assert.deepEqual([...words], [0, 0, 0, 7]);
});

test("a source without unsigned words stops everything", () => {
  for (const broken of [undefined, null, [1, 2], new Int32Array(4), new Float64Array(4), new Uint32Array(0)]) {
    const coins = new Coins(() => broken);
    assert.throws(() => coins.draw(), NoGenerator);
    assert.throws(() => coins.draw(), NoGenerator);
  }
});

test("the platform fills sixteen more words than there are draws", () => {
  assert.equal(platformFill(4)().length, 20);
  assert.equal(platformFill(0)().length, 16);
});

test("each fill calls the platform's cryptographic generator", () => {
  let asked = 0;
  const generator = {
    getRandomValues(words) {
      asked += 1;
      return words.fill(asked);
    },
  };
  withGenerator(generator, () => {
    const fill = platformFill(1);
    assert.equal(asked, 0);
    assert.equal(fill()[0], 1);
    assert.equal(fill()[16], 2);
  });
});

test("without a cryptographic generator a page knows immediately that it cannot protect answers", () => {
  for (const missing of [undefined, null, {}, { getRandomValues: 1 }]) {
    withGenerator(missing, () => assert.throws(() => platformFill(3), NoGenerator));
  }
});

test("a generator that fails stops the draw and names the cause", () => {
  const failure = new Error("no entropy");
  const generator = {
    getRandomValues() {
      throw failure;
    },
  };
  const coins = withGenerator(generator, () => new Coins(platformFill(3)));
  assert.throws(
    () => coins.draw(),
    (error) => error instanceof NoGenerator && code("no_generator")(error) && error.cause === failure,
  );
});

test("the number of draws must be an integer", () => {
  for (const draws of [-1, 0.5, NaN, "4", undefined]) {
    assert.throws(() => platformFill(draws), RangeError);
  }
});

test("coins, disguise, layout and odds use no page and no weak generator", () => {
  for (const file of ["coins", "disguise", "layout", "odds"]) {
    const text = readFileSync(new URL(`../../surveys/static/surveys/js/${file}.js`, import.meta.url), "utf8");
    assert.doesNotMatch(text, /Math\.random/);
    assert.doesNotMatch(text, /\b(window|document|localStorage|sessionStorage|fetch|XMLHttpRequest)\b/);
    assert.doesNotMatch(text, /\|\s*0\b/);
  }
});
