import assert from "node:assert/strict";
import { test } from "node:test";

import { answerString, isAnswerString, prefixOf } from "../../surveys/static/surveys/js/answer-string.js";
import { DONE, Memory } from "../../surveys/static/surveys/js/frame-memory.js";
import { vectors } from "./cast.js";

const bytes = (digits) => Uint8Array.from(digits.match(/../g), (pair) => Number.parseInt(pair, 16));

test("the device encodes a string as Python does", () => {
  const { strings } = vectors("frame.json");
  assert.ok(strings.length > 4);
  for (const { digest: id, body, random, string } of strings) {
    assert.equal(answerString(id, bytes(body), bytes(random)), string);
    assert.ok(isAnswerString(string, id, body.length / 2));
    assert.ok(!isAnswerString(`${string}A`, id, body.length / 2));
    assert.ok(!isAnswerString(string, "ab".repeat(32), body.length / 2));
    assert.ok(!isAnswerString(undefined, id, body.length / 2));
  }
});

test("each string has its own random bytes", () => {
  const id = "00".repeat(32);
  const made = new Set(Array.from({ length: 20 }, () => answerString(id, bytes("60"))));
  assert.equal(made.size, 20);
  assert.ok([...made].every((one) => one.startsWith(prefixOf(id)) && one.length === 35));
});

function storage() {
  const map = new Map();
  return {
    map,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => map.set(key, value),
    removeItem: (key) => map.delete(key),
  };
}

const locks = { request: async (_, act) => act() };

test("a string is drawn once, and after completion only a record without the string remains", async () => {
  const kept = storage();
  const first = new Memory({ storage: kept, locks, key: "k" });
  assert.ok(await first.works());
  assert.equal(await first.once(() => "one"), "one");
  const second = new Memory({ storage: kept, locks, key: "k" });
  assert.equal(await second.once(() => assert.fail("drawn twice")), "one");
  second.end();
  assert.equal(new Memory({ storage: kept, locks, key: "k" }).read(), DONE);
  assert.ok(![...kept.map.values()].includes("one"));
});

for (const [what, request] of [
  ["refuse", async () => { throw new DOMException("denied", "SecurityError"); }],
  ["never respond", () => new Promise(() => {})],
]) {
  test(`locks that ${what} are reported before the first question, and not used`, async (t) => {
    const real = globalThis.setTimeout;
    t.mock.method(globalThis, "setTimeout", (run) => real(run, 0));
    const memory = new Memory({ storage: storage(), locks: { request }, key: "k" });
    assert.ok(!(await memory.works()));
    assert.equal(await memory.once(() => "one"), "one");
  });
}

test("without storage the open page remembers the string, and says that the device does not", async () => {
  const refusing = { getItem: () => { throw new Error("no"); }, setItem: () => { throw new Error("no"); } };
  for (const none of [null, refusing]) {
    const memory = new Memory({ storage: none, locks, key: "k" });
    assert.ok(!(await memory.works()));
    assert.equal(await memory.once(() => "one"), "one");
    assert.equal(await memory.once(() => assert.fail("drawn twice")), "one");
  }
});
