/** Neutral questions of a composite question: shown to people who are not asked the follow-ups. */

import { el, fill } from "../dom.js";
import { only } from "./arms.js";
import { followersIn, withNeutral } from "./composites.js";
import { group, hint, plainButton, remark, wordsField } from "./fields.js";
import { ruleAt } from "./one-answer.js";

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path of the question @returns {HTMLElement | null} */
export function neutralPart(app, path) {
  const { texts } = app;
  const rule = ruleAt(app.document, path);
  const { neutral: entries } = rule;
  const followers = followersIn(rule);
  if (!followers && !entries) {
    return null;
  }
  const place = [...path, "computed", "neutral"];
  const write = (value, undoable) => app.edit(app.set(place, value), { redraw: true, undoable });
  const add = () => write(withNeutral(rule, only(app.ready.neutral, app.languages)));
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
}
