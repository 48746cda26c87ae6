import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeDocument } from "./fake_page.js";

globalThis.document = fakeDocument({ documents: { textContent: '{"survey": "work", "language": "en"}' } });
const { begin, started: atOnce } = await import("../../surveys/static/surveys/js/start.js");
const sentencesAtOnce = atOnce.first.catch(() => null);

/** Starts at an address; `files` are the servers' contents by URL. */
async function startedAt(t, url, files, named = {}) {
  const asked = [];
  globalThis.document = fakeDocument(named);
  globalThis.window = { location: new URL(url) };
  t.mock.method(globalThis, "fetch", async (path, options) => {
    asked.push(path);
    assert.deepEqual(options, { credentials: "omit", referrerPolicy: "no-referrer", redirect: "error" });
    const found = files[path];
    return { ok: found !== undefined, status: found === undefined ? 500 : 200, text: async () => found };
  });
  const started = begin();
  // The texts are only built when the program is published.
  await assert.rejects(started.first);
  return { started, asked };
}

test("in a page the program starts when it is loaded", async () => {
  assert.deepEqual(await atOnce.state, { survey: "work", language: "en", server: "" });
  assert.equal(await sentencesAtOnce, null);
});

const OPEN = JSON.stringify({ state: "open" });

test("the survey's state is requested from its own server", async (t) => {
  const { started, asked } = await startedAt(t, "https://survey.example/en/s/work/", { "/client/surveys/work?language=en": OPEN });
  assert.deepEqual(await started.state, { state: "open", server: "", preview: false });
  assert.deepEqual(started.address, { isPath: true, survey: "work", language: "en" });
  assert.deepEqual(asked, ["/client/surveys/work?language=en"]);
});

test("a static host names the server, and the page can then reach no other", async (t) => {
  const { started } = await startedAt(t, "https://page.example/en/s/work/", {
    "/config.json": '{"server": "https://survey.example"}',
    "https://survey.example/client/surveys/work?language=en": OPEN,
  });
  assert.equal((await started.state).server, "https://survey.example");
  const [policy] = document.head.children;
  assert.deepEqual([policy.httpEquiv, policy.content], ["Content-Security-Policy", "connect-src https://survey.example"]);
});

test("a server named in any other way is not contacted", async (t) => {
  const { started, asked } = await startedAt(t, "https://page.example/?s=work", { "/config.json": '{"server": "https://a.example/path"}' });
  await assert.rejects(started.state, /names no server/);
  assert.deepEqual(asked, ["/config.json"]);
});

test("anything but a survey's state is refused", async (t) => {
  const { started } = await startedAt(t, "https://page.example/?s=work", {
    "/config.json": '{"server": "http://localhost:8000"}',
    "http://localhost:8000/client/surveys/work?language=en": "{}",
  });
  await assert.rejects(started.state, /no state/);
});

test("a preview is embedded in the page, and no server is contacted", async (t) => {
  const preview = { survey: "work", language: "xx", state: "open", preview: true };
  const { started, asked } = await startedAt(t, "https://survey.example/", {}, { documents: { textContent: JSON.stringify(preview) } });
  assert.deepEqual(await started.state, { ...preview, server: "" });
  assert.deepEqual(started.address, { isPath: false, survey: "work", language: "xx" });
  assert.deepEqual(asked, []);
});
