import assert from "node:assert/strict";
import { test } from "node:test";

import { Autosave } from "../../../surveys/static/surveys/js/authoring/autosave.js";

/** An autosave with a scripted server and a manual clock. */
function setup(...script) {
  const told = [];
  const sent = [];
  let timers = [];
  const means = {
    send: async (document, revision) => {
      sent.push([document, revision]);
      const answer = script.shift();
      if (answer === "away") {
        throw new TypeError("no network");
      }
      return answer;
    },
    tell: (state) => told.push(state),
    onSaved: () => {},
    later: (run, milliseconds) => {
      const timer = { run, milliseconds };
      timers.push(timer);
      return timer;
    },
    never: (timer) => (timers = timers.filter((other) => other !== timer)),
  };
  const ring = async () => {
    const due = timers;
    timers = [];
    await Promise.all(due.map(({ run }) => run()));
  };
  return { autosave: new Autosave(means, "0", 7), told, sent, ring, waits: () => timers.map((one) => one.milliseconds) };
}

/** The saves that were sent as replacing the draft before them. */
function replacements() {
  const answers = [];
  const replaced = [];
  const means = {
    send: async (document, revision, replaces) => {
      if (replaces) {
        replaced.push(document);
      }
      return answers.shift() ?? saved(revision + 1);
    },
    tell: () => {},
    onSaved: () => {},
    later: () => null,
    never: () => {},
  };
  return { autosave: new Autosave(means, "0", 7), replaced, answers };
}

test("what is undone is saved first, and the save after it does not take its place", async () => {
  const { autosave, replaced, answers } = replacements();
  autosave.want("typed");
  autosave.keep();
  autosave.want("undone");
  answers.push({ status: 503, body: {} });
  await autosave.now();
  await autosave.now();
  assert.deepEqual([replaced, autosave.kept], [["undone", "undone"], "undone"]);
  autosave.want("typed again");
  await autosave.now();
  assert.deepEqual([replaced.length, autosave.kept], [2, "typed again"]);
});

test("my version does not take the place of the other tab's version", async () => {
  const { autosave, replaced, answers } = replacements();
  answers.push(conflict);
  autosave.want("mine");
  await autosave.now();
  await autosave.keepMine();
  assert.deepEqual(replaced, ["mine"]);
});

const saved = (revision) => ({ status: 200, body: { revision, problems: [] } });

test("several changes become one save, based on the newest revision", async () => {
  const { autosave, told, sent, ring } = setup(saved(8), saved(9));
  autosave.want("1");
  autosave.want("2");
  await ring();
  assert.deepEqual(sent, [["2", 7]]);
  autosave.want("3");
  await ring();
  assert.deepEqual(sent[1], ["3", 8]);
  assert.deepEqual(told, ["unsaved", "unsaved", "saving", "saved", "unsaved", "saving", "saved"]);
  assert.equal(autosave.isBehind, false);
});

test("a change during a save is saved after it, never at the same time", async () => {
  const { autosave, sent, ring } = setup(saved(8), saved(9));
  autosave.want("1");
  const first = ring();
  autosave.want("2");
  // Whoever saves now, such as a pressed link, waits for both saves.
  await autosave.now();
  await first;
  assert.deepEqual(sent, [["1", 7], ["2", 8]]);
  assert.equal(autosave.isBehind, false);
});

test("after a save that failed, the next one waits for its turn", async () => {
  const { autosave, sent, ring, waits } = setup("away", saved(8));
  autosave.want("1");
  const first = ring();
  autosave.want("2");
  await autosave.now();
  await first;
  assert.deepEqual([sent.length, autosave.state, waits()], [1, "away", [1000]]);
  await ring();
  assert.deepEqual(sent[1], ["2", 7]);
});

test("without a network it retries at growing intervals, and loses nothing", async () => {
  const { autosave, told, sent, ring, waits } = setup("away", "away", { status: 503, body: {} }, saved(8), saved(9));
  autosave.want("1");
  const seen = [];
  for (let round = 0; round < 3; round += 1) {
    await ring();
    seen.push(...waits());
  }
  assert.deepEqual(seen, [1000, 2000, 4000]);
  autosave.want("2");
  await ring();
  assert.deepEqual(sent.at(-1), ["2", 7]);
  assert.equal(told.at(-1), "saved");
  assert.equal(told.filter((state) => state === "away").length, 3);
});

const conflict = { status: 409, body: { error: "revision", revision: 9, document: "theirs", saved_by: "ana" } };

test("another tab's save is never overwritten without a decision", async () => {
  const { autosave, sent, ring, told } = setup(conflict);
  autosave.want("mine");
  await ring();
  autosave.want("more of mine");
  await ring();
  await autosave.now();
  assert.equal(sent.length, 1);
  assert.equal(told.at(-1), "conflict");
  assert.equal(autosave.isBehind, true);
});

test("keeping my version saves it over theirs, with later edits", async () => {
  const { autosave, sent, ring } = setup(conflict, saved(10));
  autosave.want("mine");
  await ring();
  autosave.want("more of mine");
  await autosave.keepMine();
  assert.deepEqual(sent[1], ["more of mine", 9]);
  assert.equal(autosave.revision, 10);
});

test("using their version needs no further save", async () => {
  const { autosave, sent, ring, told } = setup(conflict);
  autosave.want("mine");
  await ring();
  assert.equal(autosave.takeTheirs(), "theirs");
  assert.equal(autosave.revision, 9);
  await autosave.now();
  assert.equal(sent.length, 1);
  assert.equal(told.at(-1), "saved");
});

test("an expired log-in and a refusal are reported, and saving works again afterwards", async () => {
  for (const [answer, state] of [
    [{ status: 401, body: {} }, "logged_out"],
    [{ status: 403, body: {} }, "logged_out"],
    [{ status: 409, body: { error: "closed" } }, "refused"],
    [{ status: 413, body: { error: "too_large" } }, "refused"],
  ]) {
    const { autosave, told, ring, sent } = setup(answer, saved(8));
    autosave.want("1");
    await ring();
    assert.equal(told.at(-1), state);
    await autosave.now();
    assert.equal(told.at(-1), "saved");
    assert.equal(sent.length, 2);
  }
});
