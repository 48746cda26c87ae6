/** A problem links to its line and selects it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { lineAt } from "../../../surveys/static/surveys/js/authoring/text-start.js";

test("a line is found by its number", () => {
  const text = "Sleep\n\n1. Bad?";
  const line = (number) => {
    const { from, to } = lineAt(text, number);
    return text.slice(from, to);
  };
  assert.deepEqual([1, 2, 3].map(line), ["Sleep", "", "1. Bad?"]);
});
