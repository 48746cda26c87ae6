import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeDocument } from "./fake_page.js";

/** A window whose page can finish loading. */
const listeners = {};
globalThis.document = fakeDocument({ documents: { textContent: '{"survey": "work", "language": "en"}' } });
const atFirst = { document, addEventListener: (name, listener) => (listeners[name] = listener) };
globalThis.window = atFirst;
const { addressIn, addressOf, begin, dress, dressAgain, ownLanguage, recover, started: atOnce, tidy } = await import("../../surveys/static/surveys/js/start.js");
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

test("a server named in any other way is not contacted", async (t) => {
  const { started, asked } = await startedAt(t, "https://page.example/?s=work", { "/config.json": '{"server": "https://a.example/path"}' });
  await assert.rejects(started.state, /names no server/);
  assert.deepEqual(asked, ["/config.json"]);
});

/** The address after the page has removed what others added; null if it stayed. */
function tidied(url) {
  let now = null;
  tidy({ location: new URL(url), history: { state: { place: 1 }, replaceState: (...given) => (now = given) } });
  return now && (assert.deepEqual(now.slice(0, 2), [{ place: 1 }, ""]), now[2]);
}

test("only the survey and its language may be after the question mark", () => {
  for (const added of ["PROLIFIC_PID=5f1&STUDY_ID=7&SESSION_ID=8", "fbclid=IwAR", "gclid=1", "utm_source=x&utm_id=2", "id=3", "x", "__proto__=1"]) {
    assert.equal(tidied(`https://survey.example/en/s/work/?${added}#c=CODE&d=AB`), "/en/s/work/#c=CODE&d=AB", added);
    assert.equal(tidied(`https://page.example/?${added}&s=work`)?.startsWith("/?s=work&l=en"), true, added);
  }
  assert.equal(tidied("https://survey.example/en/s/work/?s=work&l=en"), "/en/s/work/");
  assert.equal(tidied("https://page.example/a/?l=zh-hans&fbclid=1&s=work#id=7"), "/a/?s=work&l=zh-hans#id=7");
  assert.equal(tidied("https://page.example/?s=work&s=other"), "/?s=work&l=en");
  for (const own of ["en/s/work/", "en/s/work/#id=7", "?s=work", "?s=work&l=fr#c=X", "?l=fr&s=work", ""]) {
    assert.equal(tidied(`https://page.example/${own}`), null, own);
  }
});

test("what follows a pasted link is not part of the survey's name or language", () => {
  for (const behind of [...").]}>.,;:!?\"'*|。，、；：！？）】》」』”’… ", ").", "。请填写"]) {
    const [survey, language] = ["?s=work", "?s=work&l=zh-hans"].map((search) => addressOf(new URL(`https://page.example/${search}${behind}`)));
    assert.deepEqual(survey, { isPath: false, survey: "work", language: "en" }, behind);
    assert.deepEqual(language, { isPath: false, survey: "work", language: "zh-hans" }, behind);
    assert.equal(tidied(`https://page.example/?s=work${behind}`), behind === " " ? null : "/?s=work&l=en", behind);
  }
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

test("anything but a survey's state is refused", async (t) => {
  const { started, asked } = await startedAt(t, "https://page.example/en/s/work/", {
    "https://survey.example/client/surveys/work?language=en": "{}",
  });
  await assert.rejects(started.state, /no state/);
  // The server that the host has named before is asked at once: from then on the page can reach no other.
  assert.deepEqual(asked, ["https://survey.example/client/surveys/work?language=en"]);
});

test("a preview is embedded in the page, and no server is contacted", async (t) => {
  const preview = { survey: "work", language: "xx", state: "open", preview: true };
  const { started, asked } = await startedAt(t, "https://survey.example/", {}, { documents: { textContent: JSON.stringify(preview) } });
  assert.deepEqual(await started.state, { ...preview, server: "" });
  assert.deepEqual(started.address, { isPath: false, survey: "work", language: "xx" });
  assert.deepEqual(asked, []);
});

/** A window whose program did not arrive. */
function broken(type, named = {}) {
  const root = { replaceChildren: (...nodes) => (root.nodes = nodes) };
  const reloads = [];
  const target = {
    document: fakeDocument({ root, ...named }),
    location: { reload: () => reloads.push(type) },
    performance: { getEntriesByType: () => (type ? [{ type }] : []) },
  };
  return { target, root, reloads };
}

const TEXTS = { unreached_title: "title", unreached: "text", try_again: "again", to_content: "content" };
const BEGUN = { address: { language: "zh-hans" }, first: Promise.resolve({ texts: TEXTS }) };

test("if the program does not arrive, the page is loaded anew once", async () => {
  const { target, root, reloads } = broken("navigate");
  await recover(target, BEGUN);
  assert.deepEqual([reloads, root.nodes], [["navigate"], undefined]);
});

for (const [what, type, named] of [
  ["after that", "reload", {}],
  ["in a frame that contains its survey", "navigate", { documents: {} }],
  ["in a browser that does not tell", undefined, {}],
]) {
  test(`${what}, the page says so, with a button`, async () => {
    const { target, root, reloads } = broken(type, named);
    const link = {};
    target.document.querySelector = (selector) => selector === ".skip-link" && link;
    globalThis.document = target.document;
    await recover(target, BEGUN);
    assert.deepEqual(reloads, []);
    assert.deepEqual([document.documentElement, link.textContent], [{ lang: "zh-hans", dir: "ltr" }, "content"]);
    assert.deepEqual(root.nodes.map(({ text }) => text), ["title", "text", "again"]);
    root.nodes[2].listeners.click();
    assert.deepEqual(reloads, [type]);
  });
}

test("without any texts, the page stays as it is", async () => {
  const { target, root } = broken("reload");
  await assert.rejects(recover(target, { ...BEGUN, first: Promise.reject(new Error("offline")) }), /offline/);
  assert.equal(root.nodes, undefined);
});

/** A window with a style sheet, and the margin of its body. */
const dressed = (marginTop, link) => ({ document: { body: {}, querySelector: () => link }, getComputedStyle: () => ({ marginTop }) });

test("a style sheet that did not arrive is requested again", () => {
  for (const [margin, href] of [["8px", "/sottovoce.css?1"], ["0px", "/sottovoce.css"]]) {
    const link = { href: "/sottovoce.css" };
    dressAgain(dressed(margin, link));
    assert.equal(link.href, href);
  }
});

test("a loaded page checks its style sheet and its program", async () => {
  const link = { href: "/sottovoce.css" };
  const reloads = [];
  const { document, getComputedStyle } = dressed("8px", link);
  Object.assign(atFirst, {
    document: { ...document, getElementById: () => null },
    getComputedStyle,
    location: { reload: () => reloads.push("again") },
    performance: { getEntriesByType: () => [{ type: "navigate" }] },
  });
  globalThis.document = fakeDocument();
  delete globalThis.window;
  // Outside a browser the program fails, like one that has not arrived.
  listeners.load();
  assert.equal(link.href, "/sottovoce.css?1");
  for (let turns = 0; turns < 500 && !reloads.length; turns += 1) {
    await new Promise((done) => setTimeout(done, 10));
  }
  assert.deepEqual(reloads, ["again"]);
});

test("a page is dressed in its language and its direction", () => {
  globalThis.document = { documentElement: {}, querySelector: () => ({}) };
  for (const [language, dir] of [["ar", "rtl"], ["fa", "rtl"], ["de", "ltr"], ["ta", "ltr"]]) {
    dress(language, {});
    assert.deepEqual(document.documentElement, { lang: language, dir });
  }
});

test("addresses begin with a language of pages, and a region uses the texts of its language", () => {
  const work = { isPath: true, survey: "work" };
  assert.equal(addressIn(work, "zh-hans"), "/zh-hans/s/work/");
  assert.equal(addressIn(work, "ar"), "/en/s/work/ar/");
  assert.equal(addressIn({ ...work, isPath: false }, "ar"), "?s=work&l=ar");
  // The program's own list has more languages than its source.
  assert.deepEqual(["en", "en-gb", "en-001", "zh-hans", "zh-hant", "en-latn", "sw"].map((tag) => ownLanguage(tag)), ["en", "en", "en", "zh-hans", "en", "en", "en"]);
});

test("the region of Chinese decides its script, and Portugal has the texts of Brazil", () => {
  const own = ["en", "zh-hans", "zh-hant", "pt"];
  for (const [tag, found] of Object.entries({
    "zh-tw": "zh-hant", "zh-hk": "zh-hant", "zh-mo": "zh-hant", "zh-hant-tw": "zh-hant", "zh-cn": "zh-hans", "zh-sg": "zh-hans",
    "zh-hans-hk": "zh-hans", zh: "zh-hans", "pt-pt": "pt", "pt-br": "pt", "zha": "en",
  })) {
    assert.equal(ownLanguage(tag, own), found, tag);
  }
});
