/** A draft with a composite question, for tests of the builder. */

import { getAt, setAt } from "../../../surveys/static/surveys/js/authoring/paths.js";
import { survey } from "./cast.js";

export const KEPT = ["blocks", 1, "questions", 0];

/** The survey with a composite question that has every kind of reference. */
export function composed() {
  const computed = {
    components: [
      { key: "a", kind: "yes_no", text: { en: "A?", "zh-hans": "甲？" }, points: [0, 1] },
      {
        key: "b",
        kind: "single",
        text: { en: "B?", "zh-hans": "乙？" },
        options: [{ key: "x", text: { en: "X" }, points: 0 }, { key: "y", text: { en: "Y" }, points: 2 }],
        asked_if: { any: [{ component: "a", options: ["yes"] }, { question: "years", options: ["long"] }] },
      },
    ],
    uses: [{ question: "years", points: { long: 1 } }],
    steps: [{ key: "s", of: ["a", "b"], points: { a: [0, 3] }, levels: [{ points: 0 }, { from: 2, points: 1 }] }],
    levels: [{ option: "no" }, { option: "some", from: 1 }, { option: "much", from: 3 }],
    base: "some",
    missing: { at_most: 0, as: "no_points" },
  };
  const options = ["no", "some", "much"].map((key) => ({ key, text: { en: key } }));
  return setAt(survey(), KEPT, { ...getAt(survey(), KEPT), kind: "single", options, computed });
}
