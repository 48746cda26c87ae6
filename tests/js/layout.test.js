import assert from "node:assert/strict";
import { test } from "node:test";

import { bodyLength, isAsked } from "../../surveys/static/surveys/js/layout.js";
import { pack } from "../../surveys/static/surveys/js/pack.js";
import { unpack } from "../../surveys/static/surveys/js/unpack.js";
import { choice, code, design, opened, shielded, vectors, yesNo } from "./cast.js";

const MIXED = design(
  [
    shielded(
      "a",
      3000,
      [
        yesNo("affair", 6000),
        choice("mood", "single", ["x", "y", "z"], [2000, 3000, 5000]),
        choice("drugs", "multi", ["x", "y"], [100, 9900]),
      ],
      { refusal: 1000 },
    ),
  ],
  "choice",
);
const ROUTED = design(
  [
    opened("you", [yesNo("married")]),
    shielded("a", 6000, [yesNo("affair", 5000)], {
      refusal: 2000,
      askedIf: { question: "married", options: ["yes"] },
    }),
  ],
  "assigned",
  5000,
);

const bytes = (bits) => {
  const digits = bits.replaceAll(" ", "");
  return Uint8Array.from({ length: digits.length / 8 }, (_, place) =>
    parseInt(digits.slice(8 * place, 8 * place + 8), 2),
  );
};

const HAND = [
  ["0 11 110 101 0 000000", { direct: false, answers: [[1, 2, [0, 1]]], refused: [false] }],
  ["1 10 100 100 0 000000", { direct: true, answers: [[0, 0, [0, 0]]], refused: [false] }],
  ["0 10 100 100 1 000000", { direct: false, answers: [[null, null, null]], refused: [true] }],
];

test("a record can be packed and read by hand", () => {
  for (const [bits, record] of HAND) {
    assert.deepEqual(pack(MIXED, record), bytes(bits));
    assert.deepEqual(unpack(MIXED, bytes(bits)), record);
  }
});

test("a single choice has as many bits as its last position needs", () => {
  for (const [options, width] of [[2, 1], [3, 2], [4, 2], [5, 3], [8, 3], [9, 4], [128, 7], [129, 8], [200, 8]]) {
    const names = Array.from({ length: options }, (_, option) => `o${option}`);
    const plan = design([opened("b", [choice("q", "single", names)])]);
    assert.equal(bodyLength(plan), Math.ceil((2 + width) / 8));
    const last = { direct: false, answers: [[options - 1]], refused: [false] };
    assert.deepEqual(unpack(plan, pack(plan, last)), last);
  }
});

test("bodies that no device produces are refused with a code", () => {
  for (const [plan, bits, expected] of [
    [MIXED, "0 11 110 101 0 000001", "padding"],
    [MIXED, "0 11 111 101 0 000000", "option"],
    [MIXED, "0 11 000 101 0 000000", "partly_answered"],
    [MIXED, "0 11 001 101 0 000000", "absent_with_value"],
    [MIXED, "0 00 000 000 0 000000", "routing"],
    [MIXED, "0 11 100 100 1 000000", "refused_with_value"],
    [MIXED, "0 10 000 100 1 000000", "partly_answered"],
    [ROUTED, "0 10 10 0 00", "routing"],
    [ROUTED, "0 10 10 1 00", "routing"],
    [ROUTED, "0 11 00 0 00", "routing"],
    [ROUTED, "0 00 10 0 00", "routing"],
    [{ ...MIXED, group: { policy: "protected", direct_share: null } }, "1 11 110 101 0 000000", "group"],
    [{ ...ROUTED, group: { policy: "assigned", direct_share: 0 } }, "1 10 00 0 00", "group"],
    [{ ...ROUTED, group: { policy: "assigned", direct_share: 10000 } }, "0 10 00 0 00", "group"],
  ]) {
    assert.throws(() => unpack(plan, bytes(bits)), code(expected), bits);
  }
});

test("a body of another length or type is refused", () => {
  for (const body of [new Uint8Array(0), new Uint8Array(1), new Uint8Array(3), [0, 0], "0000", null]) {
    assert.throws(() => unpack(MIXED, body), code("length"));
  }
});

test("exactly as many two-byte bodies can be read as there are records", () => {
  const counts = [
    // 2 groups times (2 * 3 * 4 rows, and the skip)
    [MIXED, 2 * 25],
    // 2 groups times (no answer, "no", and "yes" with three outcomes)
    [ROUTED, 2 * 5],
  ];
  for (const [plan, expected] of counts) {
    let read = 0;
    for (let number = 0; number < 256 ** bodyLength(plan); number += 1) {
      const body = bodyLength(plan) === 2 ? Uint8Array.of(number >>> 8, number & 255) : Uint8Array.of(number);
      try {
        assert.deepEqual(pack(plan, unpack(plan, body)), body);
        read += 1;
      } catch (error) {
        assert.equal(error.name, "Refusal");
      }
    }
    assert.equal(read, expected);
  }
});

test("lengths agree with those of the golden vectors", () => {
  const { designs, lengths } = vectors("disguise.json");
  for (const [name, plan] of Object.entries(designs)) {
    assert.equal(bodyLength(plan), lengths[name]);
  }
});

test("all or any of several answers lead to a block, and empty conditions to none", () => {
  const terms = [{ question: "married", options: ["yes"] }, { question: "age", options: ["mid", "old"] }];
  const you = opened("you", [yesNo("married"), choice("age", "single", ["young", "mid", "old"])]);
  for (const married of [null, 0, 1]) {
    for (const age of [null, 0, 1, 2]) {
      const held = [married === 1, age === 1 || age === 2];
      for (const [joined, expected] of [["all", held[0] && held[1]], ["any", held[0] || held[1]]]) {
        const late = shielded("late", 6000, [yesNo("x", 1)], { askedIf: { [joined]: terms } });
        assert.equal(isAsked(design([you, late]), late, [[married, age]]), expected);
      }
    }
  }
});

test("a condition on a question that is not asked earlier is refused", () => {
  const plan = design([shielded("a", 6000, [yesNo("x", 1)], { askedIf: { question: "y", options: ["yes"] } })]);
  assert.throws(() => unpack(plan, new Uint8Array(1)), code("asked_if"));
});
