import assert from "node:assert/strict";
import { test } from "node:test";

import { show } from "../../surveys/static/surveys/js/report.js";

/** A fake element with only text and attributes. */
function element(textContent = "") {
  const attributes = new Map();
  return {
    textContent,
    setAttribute: (name, value) => attributes.set(name, value),
    removeAttribute: (name) => attributes.delete(name),
    attribute: (name) => attributes.get(name),
  };
}

function card() {
  const parts = Object.fromEntries(
    ["headline", "announcement", "detail", "expected", "bar"].map((name) => [name, element()]),
  );
  return { parts, querySelector: (selector) => parts[/data-(\w+)/.exec(selector)[1]] };
}

const NOW = { headline: "Counting rows", detail: "Attempt 2.", percent: 40, expected: "about 3 s" };

test("the page shows the server's report", () => {
  const shown = card();
  show(shown, NOW);
  assert.equal(shown.parts.headline.textContent, "Counting rows");
  assert.equal(shown.parts.detail.textContent, "Attempt 2.");
  assert.equal(shown.parts.expected.textContent, "about 3 s");
  assert.equal(shown.parts.bar.attribute("value"), "40");
});

test("a screen reader announces a stage once, not every second", () => {
  const shown = card();
  show(shown, NOW);
  shown.parts.announcement.textContent = "(heard)";
  show(shown, { ...NOW, percent: 60 });
  assert.equal(shown.parts.announcement.textContent, "(heard)");
  show(shown, { ...NOW, headline: "Listing rules" });
  assert.equal(shown.parts.announcement.textContent, "Listing rules");
});

test("a bar without known progress is indeterminate", () => {
  const shown = card();
  show(shown, NOW);
  show(shown, { ...NOW, percent: null });
  assert.equal(shown.parts.bar.attribute("value"), undefined);
});
