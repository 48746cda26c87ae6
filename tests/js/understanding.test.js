import assert from "node:assert/strict";
import { test } from "node:test";

import { understanding } from "../../surveys/static/surveys/js/understanding.js";
import { fakeDocument } from "./fake_page.js";

const keys = ["title", "text", "begin", "sends", "knows"].flatMap((key) => [`check_${key}`]);
const answers = ["sends", "knows"].flatMap((key) => [0, 1, 2].map((place) => `check_${key}_${place}`));
const texts = Object.fromEntries([...keys, ...answers].map((key) => [key, key]));
Object.assign(texts, { check_right: "right", check_wrong: "wrong: {answer}" });

test("both questions have one right answer, and a wrong one is corrected", () => {
  globalThis.document = fakeDocument();
  try {
    const box = understanding(texts);
    assert.equal(box.all("input").length, 0);
    box.all("button")[0].listeners.click();
    const said = box.all("fieldset").map((question) =>
      question.all("input").map((input) => {
        input.listeners.click();
        return question.all("p")[0].text;
      }),
    );
    assert.deepEqual(said, [
      ["wrong: check_sends_1", "right", "wrong: check_sends_1"],
      ["wrong: check_knows_2", "wrong: check_knows_2", "right"],
    ]);
  } finally {
    delete globalThis.document;
  }
});
