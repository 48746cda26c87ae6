import assert from "node:assert/strict";
import { test } from "node:test";

import { fromHex, requestText } from "../../surveys/static/surveys/js/request.js";
import { KEEP_MILLISECONDS, Seal, SealedElsewhere, hex, missingParts } from "../../surveys/static/surveys/js/seal.js";
import { device } from "./device.js";

const openPage = (where, now = () => 0) => new Seal({ survey: "s", now, ...where });

test("bytes are encoded as hexadecimal digits and decoded again", () => {
  const bytes = Uint8Array.from([0, 15, 16, 255]);
  assert.equal(hex(bytes), "000f10ff");
  assert.deepEqual(fromHex(hex(bytes)), bytes);
  assert.deepEqual(fromHex(""), new Uint8Array());
});

test("a page seals once: five calls draw once and return the same text", async () => {
  const here = device();
  const page = openPage(here);
  assert.equal(await page.enter(), "open");
  let draws = 0;
  const texts = await Promise.all(Array.from({ length: 5 }, () => page.seal(() => `body ${(draws += 1)}`)));
  assert.deepEqual(new Set(texts), new Set(["body 1"]));
  assert.equal(draws, 1);
  assert.deepEqual(here.waiting.sealed, { text: "body 1", eraseAfter: KEEP_MILLISECONDS, isTyped: false });
  assert.deepEqual(here.said, [{ kind: "sealed" }]);
});

test("if two pages seal at the same moment, one draws and the other is refused", async () => {
  const here = device();
  const pages = [openPage(here), openPage(here)];
  await Promise.all(pages.map((page) => page.enter()));
  const drawn = [];
  const results = await Promise.allSettled(
    pages.map((page, index) => page.seal(() => (drawn.push(index), `body ${index}`))),
  );
  assert.deepEqual(drawn, [0]);
  assert.ok(results[1].reason instanceof SealedElsewhere);
});

for (const [what, ends] of [
  ["the delivery, though it heard nothing", (_here, page) => page.finish({ kind: "delivered" })],
  ["the browser's storage was cleared", (here) => { here.waiting.sealed = null; }],
]) {
  test(`a page that was open during another page's seal cannot draw after ${what}`, async () => {
    const here = device();
    const [first, second] = [openPage(here), openPage(here)];
    await first.enter();
    await second.enter();
    await first.seal(() => "body");
    await ends(here, first);
    assert.equal(here.waiting.sealed, null);
    await assert.rejects(second.seal(() => assert.fail("it drew")), SealedElsewhere);
  });
}

test("a page that has sealed cannot draw again after its delivery", async () => {
  const here = device();
  const page = openPage(here);
  await page.enter();
  await page.seal(() => "body");
  await page.finish({ kind: "delivered" });
  assert.equal(await page.seal(() => assert.fail("it drew")), "body");
});

test("a page loaded while a body waits gets no ticket, and one loaded after the delivery does", async () => {
  const here = device();
  const [first, second, third] = [openPage(here), openPage(here), openPage(here)];
  await first.enter();
  await first.seal(() => "body");
  assert.equal(await second.enter(), "waiting");
  await second.finish({ kind: "delivered" });
  await assert.rejects(second.seal(() => assert.fail("it drew")), SealedElsewhere);
  assert.equal(await third.enter(), "open");
  assert.equal(await third.seal(() => "another body"), "another body");
});

test("a page that died between writing and announcing still prevents other draws", async () => {
  const here = device();
  const page = openPage(here);
  await page.enter();
  here.waiting.sealed = { text: "body", eraseAfter: KEEP_MILLISECONDS };
  await assert.rejects(page.seal(() => assert.fail("it drew")), SealedElsewhere);
});

test("a body older than seven days is erased when a page loads, and that page may seal", async () => {
  const here = device();
  here.waiting.sealed = { text: "body", eraseAfter: KEEP_MILLISECONDS };
  assert.equal(await openPage(here, () => KEEP_MILLISECONDS - 1).enter(), "waiting");
  const late = openPage(here, () => KEEP_MILLISECONDS);
  assert.equal(await late.enter(), "expired");
  assert.equal(here.waiting.sealed, null);
  assert.equal(await late.seal(() => "new"), "new");
});

test("if the disk refuses the body, trying again keeps the same draw", async () => {
  const here = device();
  here.waiting.failures = 1;
  const page = openPage(here);
  await page.enter();
  let draws = 0;
  const draw = () => `body ${(draws += 1)}`;
  await assert.rejects(page.seal(draw), /disk is full/);
  assert.deepEqual(here.said, []);
  assert.equal(await page.seal(draw), "body 1");
  assert.equal(draws, 1);
});

test("the request contains only what the server needs, with a new key and nonce each time", () => {
  const parts = { survey: "s", designId: "ab".repeat(32), body: Uint8Array.of(0, 15, 255) };
  const [one, two] = [JSON.parse(requestText(parts)), JSON.parse(requestText(parts))];
  assert.deepEqual(Object.keys(one), ["survey", "key", "design_id", "body", "nonce"]);
  assert.deepEqual([one.survey, one.design_id, one.body], ["s", "ab".repeat(32), "000fff"]);
  assert.match(one.key, /^[0-9a-f]{32}$/);
  assert.match(one.nonce, /^[0-9a-f]{64}$/);
  assert.notEqual(one.key, two.key);
  assert.notEqual(one.nonce, two.nonce);
});

test("with an invitation, its code replaces the key", () => {
  const parts = { survey: "s", designId: "ab".repeat(32), body: Uint8Array.of(1), code: "1111111111111111112B" };
  const request = JSON.parse(requestText(parts));
  assert.deepEqual(Object.keys(request), ["survey", "code", "design_id", "body", "nonce"]);
  assert.equal(request.code, parts.code);
});

const INVITED = { survey: "s", designId: "ab".repeat(32), body: Uint8Array.of(1, 2), code: "1111111111111111112B" };

/** Returns a device with a waiting answer under a typed code, and a page on it. */
async function typedDevice() {
  const here = device();
  const page = openPage(here, () => 5);
  await page.enter();
  const text = await page.seal(() => requestText(INVITED), { isTyped: true });
  here.said.length = 0;
  return { here, page, text };
}

test("correcting a code keeps body, nonce and the seven days", async () => {
  const { here, page, text } = await typedDevice();
  const mended = await page.putRight(text, "00000000000000000000");
  assert.deepEqual(JSON.parse(mended), { ...JSON.parse(text), code: "00000000000000000000" });
  assert.deepEqual(Object.keys(JSON.parse(mended)), Object.keys(JSON.parse(text)));
  assert.deepEqual(here.waiting.sealed, { text: mended, eraseAfter: 5 + KEEP_MILLISECONDS, isTyped: true });
  assert.deepEqual(here.said, [{ kind: "sealed" }]);
});

test("if two pages correct a code, one succeeds, and nothing is overwritten or restored", async () => {
  const { here, page, text } = await typedDevice();
  const first = await page.putRight(text, "00000000000000000000");
  assert.equal(await openPage(here).putRight(text, "1111111111111111112B"), null);
  assert.equal(here.waiting.sealed.text, first);
  await page.finish({ kind: "delivered" });
  assert.equal(await page.putRight(first, "1111111111111111112B"), null);
  assert.equal(here.waiting.sealed, null);
});

test("a missing browser feature is named", () => {
  const whole = {
    isSecureContext: true,
    crypto: { getRandomValues() {}, subtle: {} },
    indexedDB: { databases() {} },
    navigator: { locks: { query() {} } },
    BroadcastChannel: class {},
  };
  assert.deepEqual(missingParts(whole), []);
  assert.deepEqual(missingParts({ ...whole, crypto: undefined }), ["crypto.getRandomValues", "crypto.subtle"]);
  assert.deepEqual(missingParts({ ...whole, indexedDB: undefined }), ["IndexedDB"]);
  assert.deepEqual(missingParts({ ...whole, navigator: {} }), ["Web Locks"]);
  assert.deepEqual(missingParts({ ...whole, isSecureContext: false }), ["https"]);
});
