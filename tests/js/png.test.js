import assert from "node:assert/strict";
import { test } from "node:test";

import { crc, dotsOf, sized } from "../../surveys/static/surveys/js/png.js";

test("the checksum follows PNG", () => {
  // The last chunk of every PNG has only its name.
  assert.equal(crc(new TextEncoder().encode("IEND")), 0xae426082);
});

test("a picture has its size on paper after the header", async () => {
  const head = new Uint8Array(33).fill(7);
  const rest = new Uint8Array([1, 2, 3]);
  const bytes = new Uint8Array(await sized(Uint8Array.from([...head, ...rest]).buffer, 11811).arrayBuffer());
  assert.equal(bytes.length, 33 + 21 + 3);
  assert.deepEqual([...bytes.slice(0, 33)], [...head]);
  assert.deepEqual([...bytes.slice(-3)], [...rest]);
  const chunk = new DataView(bytes.buffer, 33, 21);
  assert.equal(new TextDecoder().decode(bytes.slice(37, 41)), "pHYs");
  assert.deepEqual([chunk.getUint32(0), chunk.getUint32(8), chunk.getUint32(12), chunk.getUint8(16)], [9, 11811, 11811, 1]);
  assert.equal(chunk.getUint32(17), crc(bytes.slice(37, 50)));
});

test("a picture for paper has 300 dots per inch, a card its size in pixels", () => {
  assert.equal(dotsOf("25.4mm"), 300);
  assert.equal(dotsOf("1200"), 1200);
});
