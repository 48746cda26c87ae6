import assert from "node:assert/strict";
import { test } from "node:test";

import { NoGenerator } from "../../surveys/static/surveys/js/coins.js";
import { NotArrived } from "../../surveys/static/surveys/js/program.js";
import { Attempt, isStorage, NoResponse, Patience, troubleNodes, troubleOf } from "../../surveys/static/surveys/js/trouble.js";
import { fakeDocument } from "./fake_page.js";

globalThis.document = fakeDocument();

const PLANTED = "Failed to fetch dynamically imported module: http://planted.example/later.js";
const dom = (name) => new DOMException(PLANTED, name);
const never = () => new Promise(() => {});

/** Errors that reach a respondent's page, and the kind of trouble behind each. */
const ERRORS = [
  [new NotArrived("later"), "unreached"],
  [new NoGenerator(PLANTED), "unable"],
  [dom("QuotaExceededError"), "room"],
  [dom("SecurityError"), "blocked"],
  [dom("NotAllowedError"), "blocked"],
  [dom("InvalidStateError"), "blocked"],
  [dom("UnknownError"), "stuck"],
  [dom("AbortError"), "stuck"],
  [new NoResponse(), "stuck"],
  [dom("SyntaxError"), "broken"],
  [new TypeError(PLANTED), "broken"],
  [Object.assign(new Error(PLANTED), { name: "constructor" }), "broken"],
  [PLANTED, "broken"],
  [null, "broken"],
  [undefined, "broken"],
];
/** Every text is its key in brackets, so that anything else on the screen is not Sottovoce's. */
const TEXTS = new Proxy({}, { get: (_, key) => `[${key}]` });
const shown = (nodes) => nodes.map((node) => node.text).join("");

for (const [error, kind] of ERRORS) {
  test(`${error?.name ?? error} is shown as ${kind}, without the browser's words`, () => {
    assert.equal(troubleOf(error), kind);
    assert.equal(isStorage(error), ["room", "blocked", "stuck"].includes(kind));
    const text = shown(troubleNodes(TEXTS, error, { onTry: () => {}, more: "[more]" }));
    assert.match(text, new RegExp(`^\\[${kind}_title\\]\\[${kind}\\]\\[more\\]`));
    assert.equal(text.replaceAll(/\[\w+\]/g, ""), "");
  });
}

test("the button tries once", () => {
  let tries = 0;
  const nodes = troubleNodes(TEXTS, dom("UnknownError"), { onTry: () => (tries += 1) });
  const [again] = nodes.flatMap((node) => node.all("button"));
  again.listeners.click();
  assert.equal(tries, 1);
  assert.ok(again.disabled);
  assert.equal(shown(troubleNodes(TEXTS, dom("UnknownError"))), "[stuck_title][stuck]");
});

test("without the remedy's text, the title still names the cause", () => {
  assert.equal(shown(troubleNodes({ room_title: "full" }, dom("QuotaExceededError"), { more: "kept" })), "fullkept");
});

test("work that does not end in time is reported, and waited for when tried again", async () => {
  let end;
  let runs = 0;
  const attempt = new Attempt(() => ((runs += 1), new Promise((resolve) => (end = resolve))));
  await assert.rejects(attempt.within(1), NoResponse);
  const again = attempt.within(10_000);
  end("done");
  assert.equal(await again, "done");
  assert.equal(await attempt.run(), "done");
  assert.equal(runs, 1);
});

test("work that failed is repeated when tried again", async () => {
  let runs = 0;
  const attempt = new Attempt(async () => {
    runs += 1;
    if (runs === 1) {
      throw dom("QuotaExceededError");
    }
    return runs;
  });
  await assert.rejects(attempt.within(10_000), { name: "QuotaExceededError" });
  assert.equal(await attempt.within(10_000), 2);
  await assert.rejects(new Attempt(never).within(0), NoResponse);
});

test("several attempts share the same time, and a new try gets all of it", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let time = 0;
  context.mock.method(performance, "now", () => time);
  const tick = async (milliseconds) => {
    time += milliseconds;
    context.mock.timers.tick(milliseconds);
    await new Promise((done) => setImmediate(done));
  };
  const patience = new Patience(2_000);
  let open;
  const opened = patience.spend(new Attempt(() => new Promise((resolve) => (open = resolve))));
  await tick(1_900);
  open("open");
  assert.equal(await opened, "open");

  const stuck = new Attempt(never);
  const told = [];
  const listen = (waited) => waited.catch((error) => told.push([time, error.name]));
  listen(patience.spend(stuck));
  await tick(99);
  assert.deepEqual(told, []);
  await tick(1);
  assert.deepEqual(told, [[2_000, "NoResponse"]]);

  listen(patience.spend(stuck));
  await tick(1_999);
  assert.equal(told.length, 1);
  await tick(1);
  assert.deepEqual(told.at(-1), [4_000, "NoResponse"]);
});
