import assert from "node:assert/strict";
import { test } from "node:test";

import { Delivery, pauseAfter, verdict } from "../../surveys/static/surveys/js/deliver.js";
import { KEEP_MILLISECONDS, Seal } from "../../surveys/static/surveys/js/seal.js";
import { device } from "./device.js";

const RECEIVED = { status: 200, body: { status: "received" } };

const REFUSED = { status: 422, body: { error: "invitation_refused" } };

/** Returns a device with a sealed body, and a server that gives these responses in turn. */
async function sealedDevice(answers, { now = () => 0, isTyped = false } = {}) {
  const here = device();
  const sent = [];
  const pauses = [];
  const script = [...answers];
  const seal = new Seal({ survey: "s", now, ...here });
  await seal.enter();
  await seal.seal(() => "the body", { isTyped });
  here.said.length = 0;
  const delivery = (pause = async (milliseconds) => void pauses.push(milliseconds)) =>
    new Delivery({
      survey: "s", url: "/api/submissions", seal, waiting: here.waiting, locks: here.locks, now, pause,
      fetch: async (url, options) => {
        sent.push({ url, ...options });
        const { status = 200, body = {}, headers = {}, fail } = script.shift();
        if (fail) {
          throw new TypeError(fail);
        }
        return { status, json: async () => body, headers: new Headers(headers) };
      },
    });
  return { ...here, seal, sent, pauses, delivery };
}

test("after every temporary failure the same bytes are sent again, and the body is erased on 200", async () => {
  const failures = [{ fail: "offline" }, ...[408, 425, 429, 500, 502, 503].map((status) => ({ status }))];
  const { delivery, sent, waiting, said } = await sealedDevice([...failures, RECEIVED]);
  const delays = [];
  assert.deepEqual(await delivery().run((delay) => delays.push(delay.status)), { kind: "delivered", status: 200 });
  assert.deepEqual(sent.map(({ body }) => body), Array(8).fill("the body"));
  assert.deepEqual(delays, [0, 408, 425, 429, 500, 502, 503]);
  assert.equal(waiting.sealed, null);
  assert.deepEqual(said, [{ kind: "delivered", status: 200 }]);
});

test("a request has no cookie, no referrer and its own content type", async () => {
  const { delivery, sent } = await sealedDevice([RECEIVED]);
  await delivery().run(() => {});
  const { method, credentials, referrerPolicy, redirect, headers } = sent[0];
  assert.deepEqual(
    { method, credentials, referrerPolicy, redirect, headers },
    {
      method: "POST", credentials: "omit", referrerPolicy: "no-referrer", redirect: "error",
      headers: { "Content-Type": "application/vnd.sotto.submission+json" },
    },
  );
});

test("a refused invitation is final: the body is erased, and every page on this device is notified", async () => {
  const { delivery, sent, waiting, said } = await sealedDevice([REFUSED]);
  const outcome = { kind: "refused", status: 422, error: "invitation_refused" };
  assert.deepEqual(await delivery().run(() => {}), outcome);
  assert.equal(sent.length, 1);
  assert.equal(waiting.sealed, null);
  assert.deepEqual(said, [outcome]);
});

test("a refused typed code can be corrected for the same body", async () => {
  const { delivery, sent, waiting, seal } = await sealedDevice([REFUSED, RECEIVED], { isTyped: true });
  waiting.sealed.text = JSON.stringify({ survey: "s", code: "wrong", design_id: "d", body: "0f", nonce: "n" });
  const refused = waiting.sealed.text;
  const outcome = await delivery().run(() => {});
  assert.deepEqual(outcome, { kind: "mistyped", status: 422, error: "invitation_refused", text: refused });
  assert.equal(waiting.sealed.text, refused);
  await seal.putRight(outcome.text, "right");
  assert.equal((await delivery().run(() => {})).kind, "delivered");
  assert.deepEqual(sent.map(({ body }) => body), [refused, refused.replace("wrong", "right")]);
  assert.equal(waiting.sealed, null);
});

for (const answer of [
  ...[400, 403, 404, 409, 410, 413, 415, 422].map((status) => ({ status })),
  { status: 422, body: { error: "unknown_design" } },
  { status: 422, body: { error: "invitation_needed" } },
  { status: 403, body: { error: "invitation_refused" } },
]) {
  test(`${answer.status} ${answer.body?.error ?? ""} stops delivery and keeps the body for a later visit`, async () => {
    const { delivery, sent, waiting, said } = await sealedDevice([answer, RECEIVED]);
    const { kind, status } = await delivery().run(() => {});
    assert.deepEqual({ kind, status }, { kind: "stopped", status: answer.status });
    assert.equal(sent.length, 1);
    assert.equal(waiting.sealed.text, "the body");
    assert.deepEqual(said, []);
    assert.equal((await delivery().run(() => {})).kind, "delivered");
    assert.deepEqual(sent.map(({ body }) => body), ["the body", "the body"]);
  });
}

test("a 200 that is not from the server itself counts as no response", async () => {
  const { delivery, sent } = await sealedDevice([{ status: 200, body: { please: "log in" } }, RECEIVED]);
  assert.equal((await delivery().run(() => {})).kind, "delivered");
  assert.equal(sent.length, 2);
});

test("a body is erased unsent after seven days", async () => {
  let time = 0;
  const { delivery, sent, waiting } = await sealedDevice([], { now: () => time });
  time = KEEP_MILLISECONDS;
  assert.deepEqual(await delivery().run(() => {}), { kind: "expired" });
  assert.equal(waiting.sealed, null);
  assert.deepEqual(sent, []);
});

test("two pages deliver one body once", async () => {
  const { delivery, sent } = await sealedDevice([RECEIVED]);
  const outcomes = await Promise.all([delivery().run(() => {}), delivery().run(() => {})]);
  assert.deepEqual(outcomes.map(({ kind }) => kind), ["delivered", "gone"]);
  assert.equal(sent.length, 1);
});

test("waking ends a pause immediately", async () => {
  const { delivery, sent } = await sealedDevice([{ fail: "offline" }, RECEIVED]);
  const page = delivery(() => new Promise(() => {}));
  assert.equal((await page.run(() => queueMicrotask(() => page.wake()))).kind, "delivered");
  assert.equal(sent.length, 2);
});

test("pauses double from a second to a minute and are never shorter than the server asks", () => {
  assert.deepEqual([1, 2, 3, 6, 7, 50].map((attempts) => pauseAfter(attempts, null)), [1e3, 2e3, 4e3, 32e3, 60e3, 60e3]);
  assert.equal(pauseAfter(1, "30"), 30_000);
  assert.equal(pauseAfter(7, "30"), 60_000);
  assert.equal(pauseAfter(1, "999999"), 3_600_000);
  assert.equal(pauseAfter(1, "Wed, 21 Oct 2026 07:28:00 GMT"), 1_000);
});

test("each status has one meaning", () => {
  assert.equal(verdict(200), "delivered");
  assert.equal(verdict(422, "invitation_refused"), "refused");
  const each = (statuses) => new Set(statuses.map((status) => verdict(status)));
  assert.deepEqual(each([0, 408, 425, 429, 500, 503, 599]), new Set(["retry"]));
  assert.deepEqual(each([201, 301, 400, 403, 404, 409, 410, 413, 415, 422, 451]), new Set(["stopped"]));
});

for (const [what, finish] of [
  ["refuses", async () => { throw new DOMException("full", "UnknownError"); }],
  ["never responds", () => new Promise(() => {})],
]) {
  test(`storage that ${what} when the body is erased does not hide that the answers have arrived`, async (t) => {
    const { delivery, seal, sent } = await sealedDevice([RECEIVED]);
    const real = globalThis.setTimeout;
    t.mock.method(globalThis, "setTimeout", (run) => real(run, 0));
    seal.finish = finish;
    assert.deepEqual(await delivery().run(() => {}), { kind: "delivered", status: 200 });
    assert.equal(sent.length, 1);
  });
}

test("a refused code whose body cannot be erased is not reported as erased", async () => {
  const { delivery, seal } = await sealedDevice([REFUSED]);
  seal.finish = async () => {
    throw new DOMException("full", "UnknownError");
  };
  await assert.rejects(delivery().run(() => {}), { name: "UnknownError" });
});
