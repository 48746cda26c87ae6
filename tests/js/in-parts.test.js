import assert from "node:assert/strict";
import { test } from "node:test";

import { pieces, sendParts } from "../../surveys/static/surveys/js/in-parts.js";
import { largeFile } from "../../surveys/static/surveys/js/upload.js";

const blob = (text) => Object.assign(new Blob([text]), { name: "large.csv" });
const sizeOf = (bytes) => ({ size: bytes, name: "large.csv", slice: (a, b) => [a, b] });

test("the parts of a file cover it without gaps or overlaps", () => {
  for (const size of [1, 9, 10, 11, 100]) {
    const cuts = pieces(size, 10);
    assert.equal(cuts[0][0], 0);
    assert.equal(cuts.at(-1)[1], size);
    cuts.slice(1).forEach(([start], at) => assert.equal(start, cuts[at][1]));
  }
});

test("a lost part is sent again, to the first part's release, and the last response has the next address", async () => {
  const sent = [];
  let lost = 2;
  const post = async (fields) => {
    if (fields.number === 1 && lost-- > 0) throw new TypeError("no network");
    sent.push([fields.release, fields.number, fields.last]);
    return { release: 7, next: fields.last ? "/there/" : "" };
  };
  const shares = [];
  const file = sizeOf(9_000_000);
  assert.equal(await sendParts(file, post, (share) => shares.push(share), async () => {}), "/there/");
  assert.deepEqual(sent, [["", 0, ""], [7, 1, ""], [7, 2, "on"]]);
  assert.equal(shares.at(-1), 100);
});

test("a refused part is not sent again, nor one that failed four times", async () => {
  let tries = 0;
  const failing = (refused) => async () => {
    tries += 1;
    throw Object.assign(new Error("no"), { refused });
  };
  await assert.rejects(sendParts(blob("a"), failing(true), () => {}, async () => {}));
  assert.equal(tries, 1);
  await assert.rejects(sendParts(blob("a"), failing(false), () => {}, async () => {}));
  assert.equal(tries, 5);
});

test("only a form that accepts parts sends a large file in parts", () => {
  const form = (files, dataset) => ({ dataset, querySelectorAll: () => [{ files }] });
  assert.equal(largeFile(form([sizeOf(9e6)], {})), null);
  assert.equal(largeFile(form([sizeOf(10)], { parts: "/part" })), null);
  assert.equal(largeFile(form([sizeOf(9e6)], { parts: "/part" })).size, 9e6);
});
