import assert from "node:assert/strict";
import { test } from "node:test";

import { hasFile, outcome, percent, show } from "../../surveys/static/surveys/js/upload.js";

/** A fake element with only text, attributes and data. */
function element(dataset = {}) {
  const attributes = new Map();
  return {
    textContent: "",
    hidden: false,
    dataset,
    setAttribute: (name, value) => attributes.set(name, value),
    removeAttribute: (name) => attributes.delete(name),
    attribute: (name) => attributes.get(name),
  };
}

function box() {
  const said = { sending: "Being sent.", reading: "Being read.", failed: "Nothing came back." };
  const parts = { status: element(said), bar: element(), share: element(), progress: element() };
  return { parts, hidden: true, querySelector: (selector) => parts[/data-upload-(\w+)/.exec(selector)[1]] };
}

test("the share sent is rounded down, and unknown without a size", () => {
  assert.equal(percent({ lengthComputable: true, loaded: 999, total: 1000 }), 99);
  assert.equal(percent({ lengthComputable: true, loaded: 1000, total: 1000 }), 100);
  assert.equal(percent({ lengthComputable: false, loaded: 10, total: 0 }), null);
});

test("the bar follows the upload, and is indeterminate while the server reads the file", () => {
  const shown = box();
  show(shown, "sending", 40);
  assert.equal(shown.hidden, false);
  assert.equal(shown.parts.bar.attribute("value"), "40");
  assert.equal(shown.parts.share.textContent, "40%");
  assert.equal(shown.parts.status.textContent, "Being sent.");
  show(shown, "reading");
  assert.equal(shown.parts.bar.attribute("value"), undefined);
  assert.equal(shown.parts.share.textContent, "");
  assert.equal(shown.parts.status.textContent, "Being read.");
  assert.equal(shown.parts.progress.hidden, false);
});

test("a screen reader announces a state once, not every percent", () => {
  const shown = box();
  show(shown, "sending", 1);
  let heard = 0;
  Object.defineProperty(shown.parts.status, "textContent", {
    get: () => "Being sent.",
    set: () => (heard += 1),
  });
  show(shown, "sending", 2);
  assert.equal(heard, 0);
});

test("a failed upload shows a message without a bar, and a stopped one shows nothing", () => {
  const shown = box();
  show(shown, "failed");
  assert.equal(shown.parts.progress.hidden, true);
  assert.equal(shown.parts.status.textContent, "Nothing came back.");
  assert.equal(shown.hidden, false);
  show(shown, "stopped");
  assert.equal(shown.hidden, true);
  assert.equal(shown.parts.status.textContent, "");
});

test("a response is shown here unless the server redirected or failed", () => {
  const sentTo = "https://example.org/en/staff/surveys/new/answers?look#found";
  const here = "https://example.org/en/staff/surveys/new/answers?look";
  assert.equal(outcome({ status: 200, url: here }, sentTo), "here");
  assert.equal(outcome({ status: 422, url: here }, sentTo), "here");
  assert.equal(outcome({ status: 200, url: "https://example.org/en/staff/log-in/" }, sentTo), "elsewhere");
  for (const status of [0, 413, 500, 503]) assert.equal(outcome({ status, url: here }, sentTo), "failed");
});

test("a form without a chosen file is left to the browser", () => {
  const form = (...chosen) => ({ querySelectorAll: () => chosen.map((files) => ({ files })) });
  assert.equal(hasFile(form([], ["study.csv"])), true);
  assert.equal(hasFile(form([])), false);
});
