import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { digestInLink, digestInPrint } from "../../surveys/static/surveys/js/digest.js";
import { checked, languageIn, NotThis, pageOf, rootMeant, spoken, wordsIn } from "../../surveys/static/surveys/js/documents.js";
import { addressIn, addressOf, voiceOf } from "../../surveys/static/surveys/js/start.js";

const sha = (text) => createHash("sha256").update(text).digest("hex");
const refusal = (name) => (error) => error instanceof NotThis && error.sentences === name;

const words = (language) => JSON.stringify({ language, direction: "ltr", title: language, about: {}, blocks: [], prevalence: {}, yes: "y", no: "n" });
const WORDS = { en: words("en"), ar: words("ar") };
const definitionOf = (change = {}) =>
  JSON.stringify({ design: { blocks: [] }, key: { survey: "work", ...change }, words: { ar: sha(WORDS.ar), en: sha(WORDS.en) } });
const DEFINITION = definitionOf();
const OLDER = definitionOf({ practice: true });
const ADDRESS = { isPath: true, survey: "work", language: "en" };

/** Returns a server's state: the newest version in English, and the roots that it lists. */
const stateOf = (change = {}) => ({
  server: "",
  survey: "work",
  root: sha(DEFINITION),
  versions: [sha(DEFINITION), sha(OLDER)],
  languages: [{ tag: "en" }, { tag: "ar" }],
  definition: DEFINITION,
  words: WORDS.en,
  ...change,
});

/** Serves documents by the end of their addresses, without pauses, until the test ends. */
function serving(t, documents) {
  t.mock.method(globalThis, "setTimeout", (run) => setImmediate(run));
  const asked = [];
  t.mock.method(globalThis, "fetch", async (url) => {
    asked.push(url);
    const text = documents[url.split("/").at(-1)];
    return { ok: text !== undefined, status: text === undefined ? 500 : 200, text: async () => text };
  });
  return asked;
}

test("survey and language are in the path, or after it on a static host", () => {
  const at = (pathname, search = "") => addressOf({ pathname, search });
  assert.deepEqual(at("/zh-hans/s/work-2/"), { isPath: true, survey: "work-2", language: "zh-hans" });
  assert.deepEqual(at("/en/s/work/ar/"), { isPath: true, survey: "work", language: "ar" });
  assert.deepEqual(at("/", "?s=work&l=ar"), { isPath: false, survey: "work", language: "ar" });
  assert.deepEqual(at("/index.html", "?s=work"), { isPath: false, survey: "work", language: "en" });
  assert.deepEqual(at("/"), { isPath: false, survey: "", language: "en" });
});

test("texts are in the other form of address only if the program has it and they are in the survey's language", () => {
  // The source names no form; `client_program.py` adds those of the catalogues.
  assert.equal(voiceOf("de", "informal"), "de");
  assert.equal(voiceOf("de", "informal", ["fr-informal", "de-informal"]), "de-informal");
  assert.equal(voiceOf("de", "", ["de-informal"]), "de");
  const said = { language: "de", formality: "informal", blocks: [], yes: "Ja", no: "Nein" };
  assert.equal(spoken(said).voice, "en");
  assert.deepEqual(spoken(said).answers, { yes: "Ja", no: "Nein" });
});

test("English answers of a survey give way to those of the page's texts, if these are in its language", () => {
  const said = { language: "zh-cn", blocks: [], yes: "Yes", no: "No" };
  assert.deepEqual(spoken(said).answers, {});
  assert.deepEqual(spoken({ ...said, yes: "有", no: "没有" }).answers, { yes: "有", no: "没有" });
});

test("our texts are in the survey's language at the address of a language that it does not have", async () => {
  const chinese = words("zh-hans");
  const definition = JSON.stringify({ design: { blocks: [] }, key: { survey: "work" }, words: { "zh-hans": sha(chinese) } });
  const state = stateOf({ definition, root: sha(definition), versions: [sha(definition)], languages: [{ tag: "zh-hans" }], words: chinese });
  const page = await pageOf(ADDRESS, state, "");
  assert.deepEqual([page.language, page.own, page.voice], ["zh-hans", "zh-hans", "zh-hans"]);
  assert.equal(languageIn(state, "en"), "zh-hans");
  assert.equal(languageIn(stateOf(), "ar"), "ar");
  // A planned or missing survey names no languages.
  assert.equal(languageIn({ state: "planned" }, "en"), "en");
});

test("the address for another language opens the survey in that language", () => {
  for (const language of ["en", "zh-hans", "ar"]) {
    for (const isPath of [true, false]) {
      const url = new URL(addressIn({ isPath, survey: "work" }, language), "https://page.example/");
      assert.deepEqual(addressOf(url), { isPath, survey: "work", language });
    }
  }
});

test("a document is accepted only under its own digest", async () => {
  assert.deepEqual(await checked('{"a":1}', sha('{"a":1}')), { a: 1 });
  // The same value in other bytes is another document.
  await assert.rejects(checked('{"a": 1}', sha('{"a":1}')), refusal("forged"));
});

test("a link without a digest opens the current version, one with a digest that version", () => {
  const state = stateOf();
  const [newest, older] = state.versions;
  assert.equal(rootMeant(state, ""), newest);
  assert.equal(rootMeant(state, "#11111-11111-11111-1112B"), newest);
  for (const root of [newest, older]) {
    assert.equal(rootMeant(state, `#c=1&d=${digestInLink(root)}`), root);
    assert.equal(rootMeant(state, `#d=${digestInPrint(root).toLowerCase()}`), root);
  }
  assert.throws(() => rootMeant(state, `#d=${digestInLink(sha("another"))}`), refusal("other"));
  assert.throws(() => rootMeant(state, "#d="), refusal("other"));
});

test("documents in the state need no further requests", async (t) => {
  const asked = serving(t, {});
  const page = await pageOf(ADDRESS, stateOf(), "");
  assert.deepEqual(asked, []);
  assert.deepEqual([page.survey, page.title, page.language, page.own], ["work", "en", "en", "en"]);
});

test("a version pinned by a link is fetched with its words", async (t) => {
  const asked = serving(t, { [sha(OLDER)]: OLDER, [sha(WORDS.ar)]: WORDS.ar });
  const page = await pageOf({ ...ADDRESS, language: "ar" }, stateOf(), `#d=${digestInLink(sha(OLDER))}`);
  assert.deepEqual(asked, [`/client/definitions/${sha(OLDER)}`, `/client/words/${sha(WORDS.ar)}`]);
  assert.deepEqual([page.practice, page.title, page.own], [true, "ar", "en"]);
});

test("words that do not belong to the definition are never shown", async (t) => {
  const forged = words("en").replace('"title":"en"', '"title":"another"');
  serving(t, { [sha(WORDS.en)]: forged });
  const definition = JSON.parse(DEFINITION);
  await assert.rejects(wordsIn(stateOf({ words: forged }), definition, "en"), refusal("forged"));
});

test("a wrong definition is refused: changed, of another survey, or unlisted", async (t) => {
  const forged = definitionOf({ by_invitation: false });
  serving(t, { [sha(OLDER)]: forged });
  await assert.rejects(pageOf(ADDRESS, stateOf({ definition: forged }), ""), refusal("forged"));
  await assert.rejects(pageOf(ADDRESS, stateOf(), `#d=${digestInLink(sha(OLDER))}`), refusal("forged"));
  const other = definitionOf({ survey: "other" });
  await assert.rejects(pageOf(ADDRESS, stateOf({ definition: other, root: sha(other) }), ""), refusal("other"));
  await assert.rejects(pageOf(ADDRESS, stateOf({ definition: other, root: sha(other), versions: [sha(other)], survey: "other" }), ""), refusal("other"));
});

test("a document that was cut off or lost is requested again, past the cache", async (t) => {
  t.mock.method(globalThis, "setTimeout", (run) => setImmediate(run));
  const caches = [];
  const bodies = [OLDER.slice(0, 40), null, OLDER];
  t.mock.method(globalThis, "fetch", async (_url, { cache }) => {
    caches.push(cache);
    const text = bodies.shift();
    return { ok: text !== null, status: text === null ? 502 : 200, text: async () => text };
  });
  const page = await pageOf(ADDRESS, stateOf(), `#d=${digestInLink(sha(OLDER))}`);
  assert.equal(page.practice, true);
  assert.deepEqual(caches, [undefined, "reload", "reload"]);
});

test("an unreachable server is not reported as forged", async (t) => {
  serving(t, {});
  await assert.rejects(pageOf(ADDRESS, stateOf(), `#d=${digestInLink(sha(OLDER))}`), refusal("unreached"));
});

test("an unavailable language falls back to the survey's first one", async (t) => {
  serving(t, {});
  const found = await wordsIn(stateOf(), JSON.parse(DEFINITION), "zh-hans");
  assert.equal(found.language, "en");
});
