/** The form of a composite question: its texts can be changed, its rule is shown. */

import { el, fill } from "../dom.js";
import { only } from "./arms.js";
import { followersIn, ruleText, withNeutral } from "./composites.js";
import { folded, group, hint, plainButton, questionText, remark, wordsField } from "./fields.js";
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
  /** Questions for people who are not asked the follow-ups. */
  const neutral = () => {
    const place = [...rule, "neutral"];
    const { neutral: entries } = question.computed;
    const followers = followersIn(question.computed);
    const ready = only(app.ready.neutral, app.languages);
    const write = (value, undoable) => app.edit(app.set(place, value), { redraw: true, undoable });
    const add = () => write(withNeutral(question.computed, ready));
    const remove = () => write(undefined, texts.neutral_removed);
    const lacks = (entries?.length ?? 0) !== followers;
    return group(
      place,
      texts.neutral_questions,
      [
        hint(entries ? texts.neutral_about : texts.neutral_none),
        ...(entries ?? []).map((_, at) => wordsField(app, [...place, at, "text"], { said: fill(texts.neutral_number, { number: at + 1 }) })),
        el("div", { class: "row" }, lacks && followers > 0 && plainButton(texts.neutral_add, add), entries && plainButton(texts.neutral_remove, remove)),
        remark(place),
      ],
      "field stack",
    );
  };
  return [
    hint(texts.composite_about),
    questionText(app, path),
    wordsField(app, [...path, "help"], "question_help", optional),
    ...(question.options ?? []).map((_, place) => option(path, place)),
    group(rule, texts.components, [...components.map(component), remark(rule)], "field stack"),
    (followersIn(question.computed) > 0 || question.computed.neutral) && neutral(),
    folded(texts.composite_rule, el("pre", { tabindex: "0" }, el("code", {}, ruleText(question.computed)))),
    hint(texts.composite_file_hint),
    namesInData(app, path, question),
  ];
}
