import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";

import { NotArrived, part, partsArrived, patiently, sentences } from "../../surveys/static/surveys/js/program.js";

const module = (code) => `data:text/javascript,${encodeURIComponent(code)}`;
/** What the server has for each part: its scripts, one per request; null is a request that fails. */
const script = {};
const asked = [];

registerHooks({
  resolve(specifier, context, next) {
    const [, name] = /^\.\/(fake-[a-z-]+)\.js/.exec(specifier) ?? [];
    if (!name) {
      return next(specifier, context);
    }
    asked.push(specifier);
    const code = script[name].shift();
    if (code === null) {
      throw new TypeError("Failed to fetch dynamically imported module");
    }
    // Node evaluates one address once, so each request is a module of its own.
    return { url: module(`${code} // ${asked.length}`), shortCircuit: true };
  },
});

/** Skips the pauses until the test ends, and lists them. */
function withoutPauses(t) {
  const pauses = [];
  t.mock.method(globalThis, "setTimeout", (run, milliseconds) => {
    pauses.push(milliseconds);
    setImmediate(run);
  });
  asked.length = 0;
  return pauses;
}

test("a part that arrives is requested once, under its own address", async (t) => {
  const pauses = withoutPauses(t);
  script["fake-good"] = ["export const a = 1;"];
  const [first, second] = await Promise.all([part("fake-good"), part("fake-good")]);
  assert.equal(first.a, 1);
  assert.equal(first, second);
  assert.equal(await part("fake-good"), first);
  assert.equal(partsArrived["fake-good"], first);
  assert.deepEqual([asked, pauses], [["./fake-good.js"], []]);
});

test("a part that fails is requested again at another address, after a pause", async (t) => {
  const pauses = withoutPauses(t);
  script["fake-lost"] = [null, null, "export const a = 2;"];
  assert.equal((await part("fake-lost")).a, 2);
  assert.equal(asked[0], "./fake-lost.js");
  assert.equal(new Set(asked).size, 3);
  assert.ok(asked.every((address) => /^\.\/fake-lost\.js(\?\d+)?$/.test(address)));
  assert.deepEqual(pauses, [500, 2_000]);
});

test("a part that was cut off before its last line is requested again", async (t) => {
  withoutPauses(t);
  script["fake-cut"] = ["const a = 1;", "syntax error", "const a = 3; export { a };"];
  assert.equal((await part("fake-cut")).a, 3);
});

test("a part that does not arrive is an error in our own words, and can be requested later", async (t) => {
  withoutPauses(t);
  script["fake-late"] = [null, null, null, null, "export const a = 4;"];
  await assert.rejects(part("fake-late"), (error) => error instanceof NotArrived && !/fetch/.test(error.message));
  assert.equal(partsArrived["fake-late"], undefined);
  assert.equal((await part("fake-late")).a, 4);
  // Each request had another address, because a browser may remember each failure.
  assert.equal(new Set(asked).size, 5);
});

test("texts without their last line are requested again", async (t) => {
  withoutPauses(t);
  script["fake-first-en"] = ["export const texts = {};", "export const texts = {}; export const instead = {};"];
  assert.deepEqual({ ...(await sentences("fake-first", "en")) }, { texts: {}, instead: {} });
  assert.equal(asked.length, 2);
});

test("patience ends with the error of the last request", async (t) => {
  const pauses = withoutPauses(t);
  const isAgain = [];
  const failing = patiently(async (again) => {
    isAgain.push(again);
    throw new Error(`request ${isAgain.length}`);
  });
  await assert.rejects(failing, /request 3/);
  assert.deepEqual([isAgain, pauses], [[false, true, true], [500, 2_000]]);
});
