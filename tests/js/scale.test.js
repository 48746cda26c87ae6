import assert from "node:assert/strict";
import { test } from "node:test";

import { Coins, wordsBelow } from "../../surveys/static/surveys/js/coins.js";
import { disguise } from "../../surveys/static/surveys/js/disguise.js";
import { lostOf100 } from "../../surveys/static/surveys/js/draws.js";
import { unpack } from "../../surveys/static/surveys/js/unpack.js";
import { evenOf100 } from "../../surveys/static/surveys/js/certainty.js";
import { amplification } from "../../surveys/static/surveys/js/place-promises.js";
import { dateText, tickOfDate } from "../../surveys/static/surveys/js/dates.js";
import { binOf as binOfTyped } from "../../surveys/static/surveys/js/typed.js";
import { cellOf, placeAmplification } from "../../surveys/static/surveys/js/place-draw.js";
import { answerAnew, code, fillFrom, vectors } from "./cast.js";

const binOf = (range, text) => binOfTyped(range, text, tickOfDate);

const FILES = ["numbers.json", "open-numbers.json", "places.json", "skips.json", "tiles.json"];

for (const file of FILES) {
  const golden = vectors(file);
  for (const [name, plan] of Object.entries(golden.designs)) {
    const cases = golden.cases.filter((entry) => entry.design === name);
    test(`golden vectors of ${file}, ${name}: ${cases.length} cases`, () => {
      assert.ok(cases.length >= 60);
      answerAnew(golden, name);
    });
  }
}

test("the posterior for even odds, in 100, equals Python's", () => {
  for (const file of FILES) {
    const golden = vectors(file);
    for (const [name, plan] of Object.entries(golden.designs)) {
      const places = plan.blocks.flatMap(({ questions }) => questions).filter(({ kind }) => kind === "place");
      // Without a bound, the attacker is sure.
      const even = places.map(({ disguise }) => (placeAmplification(disguise) ? evenOf100(amplification(disguise)) : 100));
      assert.deepEqual(even, golden.even[name], name);
    }
  }
});

test("an open number is sent as answered or empty, and uses no words", () => {
  const { designs, cases, draws } = vectors("open-numbers.json");
  assert.equal(draws.alone, 0);
  const own = cases.filter((entry) => entry.design === "alone");
  const sent = own.map(({ answers, body_hex: hex }) => {
    const body = Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16));
    return [answers["b-sleep"].sleep ?? null, unpack(designs.alone, body).answers[0][0]];
  });
  assert.ok(sent.every(([answered, stored]) => answered === stored));
  assert.ok(sent.some(([answered]) => answered === null));
});

test("the number in 100 of answers sent as skipped equals Python's", () => {
  const { designs, lost } = vectors("skips.json");
  for (const [name, plan] of Object.entries(designs)) {
    const skippable = plan.blocks.filter((block) => block.refusal !== null && block.questions[0].disguise);
    assert.deepEqual(skippable.map(lostOf100), lost[name], name);
  }
});

test("a draw below a total uses as many words as its bits need, and rejects larger numbers", () => {
  assert.deepEqual([1n, 2n, 2n ** 32n, 2n ** 32n + 1n].map(wordsBelow), [0, 1, 1, 2]);
  const coins = new Coins(fillFrom([0b1101, 0b11111100]));
  assert.equal(coins.below(5n), 4n);
  assert.equal(coins.used, 2);
  assert.equal(new Coins(fillFrom([7, 9])).below(2n ** 40n), 7n * 2n ** 32n + 9n);
});

test("a value that no device sends is refused", () => {
  const plan = vectors("numbers.json").designs["keep or any"];
  // 1 presence bit and 4 value bits for twelve bins, so 12 to 15 are invalid.
  assert.deepEqual(unpack(plan, Uint8Array.of(0b0_1_1011_00)).answers, [[11]]);
  assert.throws(() => unpack(plan, Uint8Array.of(0b0_1_1100_00)), code("option"));
});

test("a typed number becomes its bin, or a problem", () => {
  const hours = { low: -10, high: 239, decimals: 1, bin: 5 };
  assert.deepEqual(
    ["-1", "-0.5", " 7.5 ", "7.50", "+7", "23.9", ".5"].map((text) => binOf(hours, text)),
    [
      [-10, 0],
      [-5, 1],
      [75, 17],
      [75, 17],
      [70, 16],
      [239, 49],
      [5, 3],
    ].map(([tick, bin]) => ({ tick, bin })),
  );
  assert.deepEqual(binOf(hours, "24"), { problem: "outside" });
  assert.deepEqual(binOf(hours, "-1.1"), { problem: "outside" });
  assert.deepEqual(binOf(hours, "7.55"), { problem: "too_fine" });
  for (const text of ["", ".", "-", "7,5", "NaN", "1e3", "Infinity", "0x10", "٣"]) {
    assert.deepEqual(binOf(hours, text), { problem: "not_a_number" }, text);
  }
  assert.deepEqual(binOf(hours, "9".repeat(400)), { problem: "outside" });
});

test("a typed date becomes the same number as in Python, and an invalid date does not", () => {
  for (const [calendar, cases] of Object.entries(vectors("dates.json"))) {
    const all = { low: 1, high: 4_000_000, decimals: 0, bin: 1, calendar };
    for (const [text, tick] of cases) {
      assert.deepEqual(binOf(all, text), tick === null ? { problem: "not_a_number" } : { tick, bin: tick - 1 }, text);
      if (tick !== null) {
        assert.equal(dateText(calendar, tick), text.trim());
      }
    }
  }
  const quarters = { low: 24300, high: 24323, decimals: 0, bin: 3, calendar: "month" };
  assert.deepEqual(["2025-01", "2025-03", "2025-04", "2026-12"].map((text) => binOf(quarters, text).bin), [0, 0, 1, 7]);
  assert.deepEqual(["2024-12", "2027-01"].map((text) => binOf(quarters, text)), Array(2).fill({ problem: "outside" }));
});

test("a point becomes its cell, and a point outside the map the nearest cell", () => {
  const area = vectors("places.json").designs["square mechanism"].blocks[0].questions[0].disguise.area;
  assert.equal(cellOf(area, area.west, area.south), 0);
  assert.equal(cellOf(area, area.east - 1, area.north - 1), 79);
  assert.equal(cellOf(area, area.west + 10000, area.south + 9999), 1);
  assert.equal(cellOf(area, area.east, area.north), 79);
  assert.equal(cellOf(area, -1800000000, 900000000), 70);
});
