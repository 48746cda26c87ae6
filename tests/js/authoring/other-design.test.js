/** Named designs in Sotto's chances: the published figures, both ways, and what is refused. */

import assert from "node:assert/strict";
import test from "node:test";

import { amplification, epsilonOf } from "../../../surveys/static/surveys/js/authoring/budget.js";
import {
  answersWithEvenDecoys,
  asksOf,
  DESIGNS,
  inOtherDesigns,
  readChance,
  translated,
  withDesign,
} from "../../../surveys/static/surveys/js/authoring/other-design.js";

const of = (design, ...texts) => translated(design, texts.map(readChance));

test("each design is the p, theta and epsilon that textbooks give it", () => {
  const published = [
    ["warner", ["70"], 4000, 5000, "0.847"],
    ["forced", ["1/6", "1/6"], 6666, 5000, "1.609"],
    ["kuk", ["80", "20"], 6000, 5000, "1.386"],
    ["unrelated", ["70", "1/12"], 7000, 833, "3.367"],
    ["crosswise", ["15"], 7000, 5000, "1.735"],
  ];
  for (const [design, texts, truth, unrelated, epsilon] of published) {
    const found = of(design, ...texts);
    assert.deepEqual([found.truth, found.unrelated, found.epsilon.toFixed(3)], [truth, unrelated, epsilon], design);
  }
});

test("a design whose no is Sotto's yes says so, and a mirrored one is the same design", () => {
  assert.equal(of("crosswise", "15").isTurned, true);
  assert.equal(of("crosswise", "85").isTurned, false);
  const { isTurned: _, ...turned } = of("kuk", "20", "80");
  const { isTurned: __, ...straight } = of("kuk", "80", "20");
  assert.deepEqual(turned, straight);
});

test("what is taken is what the builder computes of the part: its epsilon differs by rounding alone, and is not larger", () => {
  for (let yes = 100; yes < 6000; yes += 700) {
    for (let no = 100; no < 3900; no += 700) {
      const found = translated("forced", [{ up: BigInt(yes), down: 10000n }, { up: BigInt(no), down: 10000n }]);
      const part = { protected: true, refusal: null, questions: [{ key: "a", kind: "yes_no", unrelated: [5000] }] };
      const taken = withDesign(part, found);
      const epsilon = epsilonOf(amplification({ blocks: [taken] }, 0));
      assert.ok(Math.abs(epsilon - found.epsilon) < 0.01, `${yes} ${no} ${epsilon} ${found.epsilon}`);
      assert.ok(Math.abs(inOtherDesigns(found.truth, found.unrelated).epsilon - epsilon) < 1e-12);
    }
  }
});

test("back is the way it came", () => {
  for (const design of DESIGNS.slice(0, 5)) {
    for (const unrelated of [5000, 833, 9000]) {
      for (const truth of [1, 3000, 7000, 9999]) {
        const chances = inOtherDesigns(truth, unrelated).designs[design];
        if (chances === null) {
          assert.ok(unrelated !== 5000 && asksOf(design).length === 1);
          continue;
        }
        const found = translated(design, chances.map((chance) => ({ up: BigInt(Math.round(chance * 1e8)), down: 100_000_000n })));
        assert.deepEqual([found.truth, found.unrelated, found.isTurned], [truth, unrelated, false], `${design} ${truth}`);
      }
    }
  }
});

test("a report that only one answer can give has no finite epsilon, and is refused by what is certain", () => {
  assert.equal(of("mangat", "60"), "certain_no");
  assert.equal(of("triangular", "25"), "certain_no");
  assert.equal(of("forced", "0", "1/6"), "certain_yes");
  assert.equal(of("forced", "1/6", "0"), "certain_no");
  assert.equal(of("kuk", "0", "40"), "certain_yes");
  assert.equal(of("kuk", "40", "100"), "certain_no");
  assert.equal(of("warner", "100"), "certain");
  assert.equal(of("warner", "0"), "certain");
});

test("what says nothing, forces too much or is too fine is refused", () => {
  assert.equal(of("warner", "50"), "constant");
  assert.equal(of("crosswise", "1/2"), "constant");
  assert.equal(of("kuk", "30", "30"), "constant");
  assert.equal(of("unrelated", "0", "30"), "constant");
  assert.equal(of("forced", "50", "50"), "constant");
  assert.equal(of("forced", "60", "50"), "over");
  assert.equal(of("unrelated", "70", "1/999999"), "fine");
});

test("chances are percentages or fractions, and nothing else", () => {
  assert.deepEqual(readChance(" 2/3 "), { up: 2n, down: 3n });
  assert.deepEqual(readChance("16,67 %"), { up: 1667n, down: 10000n });
  for (const wrong of ["", "3/2", "1/0", "-1", "101", "a half", "1.234", "1/2/3"]) {
    assert.equal(readChance(wrong), null, wrong);
  }
});

test("at equal epsilon no theta needs fewer answers than one half, at any share", () => {
  for (const share of [0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.9]) {
    for (let unrelated = 50; unrelated < 10000; unrelated += 150) {
      for (const truth of [500, 2000, 5000, 8000, 9500]) {
        const needed = answersWithEvenDecoys(truth, unrelated, share);
        assert.ok(needed <= 100, `${share} ${unrelated} ${truth} ${needed}`);
      }
    }
    assert.equal(answersWithEvenDecoys(4000, 5000, share), 100);
  }
  // By hand: l = .7 * .2 + .3 / 12 = .165, .165 * .835 / .49 = .2812. Even: gamma = 29, p = 28/30, l = .22, and
  // .22 * .78 / p^2 = .1970, of which .2812 is the 100th part 70 times.
  assert.equal(answersWithEvenDecoys(7000, 833, 0.2), 70);
});
