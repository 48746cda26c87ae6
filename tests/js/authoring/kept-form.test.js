import assert from "node:assert/strict";
import { test } from "node:test";

import { entriesOf, restore } from "../../../surveys/static/surveys/js/authoring/kept-form.js";

const controls = () => [
  { name: "pasted", type: "textarea", value: "1. Do you lie?" },
  { name: "role-3", type: "select-one", value: "" },
  { name: "how-0", type: "radio", value: "leave", checked: true },
  { name: "how-0", type: "radio", value: "keep", checked: false },
  { name: "questionnaire", type: "hidden", value: "token" },
  { name: "file", type: "file", value: "C:\\fakepath\\form.xlsx" },
  { name: "", type: "checkbox", value: "on", checked: true },
  { name: "make", type: "submit", value: "1" },
];

test("a form keeps what a person entered, and nothing else", () => {
  assert.deepEqual(entriesOf(controls()), {
    pasted: "1. Do you lie?",
    "role-3": "",
    "how-0=leave": true,
    "how-0=keep": false,
  });
});

test("entries are written back, and unknown ones are ignored", () => {
  const fresh = controls();
  const entries = { "role-3": "heading", "how-0=leave": false, "how-0=keep": true, questionnaire: "old", gone: "x" };
  assert.equal(restore(fresh, entries), true);
  assert.equal(fresh[1].value, "heading");
  assert.deepEqual([fresh[2].checked, fresh[3].checked], [false, true]);
  assert.equal(fresh[4].value, "token");
  assert.equal(restore(fresh, entries), false);
});
