/** The form of a composite question: its texts can be changed, its rule is shown. */

import { el, fill } from "../dom.js";
import { ruleText } from "./composites.js";
import { folded, group, hint, questionText, remark, wordsField } from "./fields.js";
import { namesInData } from "./key-fields.js";
import { getAt } from "./paths.js";

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function compositeForm(app, path) {
  const { texts } = app;
  const question = getAt(app.document, path);
  const { components = [] } = question.computed;
  const optional = { optional: true };
  const option = (here, place) =>
    wordsField(app, [...here, "options", place, "text"], { said: fill(texts.option_number, { number: place + 1 }) });
  const component = ({ kind, options = [] }, place) => {
    const here = [...path, "computed", "components", place];
    return group(
      here,
      fill(texts.component_number, { number: place + 1 }),
      [
        wordsField(app, [...here, "text"], "question_text"),
        wordsField(app, [...here, "help"], "question_help", optional),
        kind === "number" && wordsField(app, [...here, "number", "unit"], "number_unit", optional),
        ...options.map((_, at) => option(here, at)),
      ],
      "field stack card",
    );
  };
  const rule = [...path, "computed"];
  return [
    hint(texts.composite_about),
    questionText(app, path),
    wordsField(app, [...path, "help"], "question_help", optional),
    ...(question.options ?? []).map((_, place) => option(path, place)),
    group(rule, texts.components, [...components.map(component), remark(rule)], "field stack"),
    folded(texts.composite_rule, el("pre", { tabindex: "0" }, el("code", {}, ruleText(question.computed)))),
    hint(texts.composite_file_hint),
    namesInData(app, path, question),
  ];
}
