/** What the builder shows in one line and does not change: the definition file is the place for it. */

import { el, fill } from "../dom.js";
import { hint, idOf, remark } from "./fields.js";
import { pathText } from "./paths.js";
import { listOf } from "./scale.js";

/** One line, with the problems of what it stands for. @param {import("./paths.js").Path} path */
function keptLine(texts, path, line) {
  return el(
    "div",
    { class: "field", id: idOf(path), "data-field": pathText(path), tabindex: "-1" },
    el("p", {}, line),
    hint(texts.kept_in_file),
    remark(path),
  );
}

/** Levels of sensitive areas. @param {import("./paths.js").Path} path of the question */
export function levelsLine(texts, path, question) {
  const levels = listOf(question.place.sensitive);
  const rectangles = levels.flatMap((level) => listOf(level?.rectangles)).length;
  return keptLine(texts, [...path, "place", "sensitive"], fill(texts.kept_levels, { levels: levels.length, rectangles }));
}

/** Public weights; none without them. @param {import("./paths.js").Path} path of the question */
export function priorLine(texts, path, { place: { prior } }) {
  if (!prior) {
    return null;
  }
  const line = fill(texts.kept_prior, { count: listOf(prior.rows).length, source: prior.source ?? "" });
  return keptLine(texts, [...path, "place", "prior"], line);
}
