/** Several levels of sensitivity: each with its epsilon, its rectangles and what it promises. */

import { button, el, fill } from "../dom.js";
import { areasImport } from "./areas-import.js";
import { areasFrame, drawingMap, mapArea, middleRectangle, rectangleRow } from "./areas.js";
import { iconButton, idOf, numberField, selectField } from "./fields.js";
import { addLevel, addRectangle, canAddLevel, listOf, removeLevel, shiftLevel } from "./scale.js";
import { pathText } from "./paths.js";

/** Which level a rectangle that is drawn goes to, by place question; what is drawn again forgets it not. */
const drawnInto = new Map();

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function levelsPart(app, path, question) {
  const { texts } = app;
  const here = [...path, "place", "sensitive"];
  const levels = listOf(question.place.sensitive);
  const name = (level) => fill(level ? texts.level_number : texts.level_first, { number: level + 1 });
  const key = pathText(path);
  const target = () => Math.min(drawnInto.get(key) ?? 0, levels.length - 1);
  const take = (rectangle, level) => app.edit(addRectangle(app.document, path, rectangle, level), { redraw: true });
  const shapes = levels.flatMap((each, level) => listOf(each?.rectangles).map((rectangle) => ({ rectangle, name: String(level + 1) })));
  const options = levels.map((_, level) => [String(level), name(level)]);
  return areasFrame(path, [
    el("legend", { class: "label" }, texts.levels),
    el("p", { class: "hint" }, texts.levels_hint),
    el("p", { class: "hint" }, texts.sensitive_hint),
    levels.length > 1 &&
      selectField({
        field: `${pathText(here)}.drawn`,
        label: texts.level_drawn,
        value: String(target()),
        options,
        onChoose: (level) => drawnInto.set(key, Number(level)),
      }),
    levels.length > 0 && drawingMap(app, path, question, shapes, (rectangle) => take(rectangle, target())),
    el("p", { class: "remark", hidden: true, "data-remark": pathText(here) }),
    el(
      "ol",
      { class: "levels" },
      ...levels.map((_, level) => levelEntry(app, path, question, { level, name: name(level), last: levels.length - 1, take })),
      el("li", { class: "level" }, el("p", { class: "label" }, texts.level_none), el("p", { class: "hint" }, texts.level_none_about), el("p", { class: "say", "data-promise": "outside" })),
    ),
    canAddLevel(levels) &&
      el("div", { class: "row" }, button(texts.level_add, () => app.edit(addLevel(app.document, path), { redraw: true }), "button button--plain")),
  ]);
}

function levelEntry(app, path, question, { level, name, last, take }) {
  const { texts } = app;
  const here = [...path, "place", "sensitive", level];
  const area = mapArea(question);
  const rectangles = listOf(question.place.sensitive[level]?.rectangles);
  const shift = (by) => () => {
    app.edit(shiftLevel(app.document, path, level, by), { redraw: true });
    const moved = idOf(`${pathText([...path, "place", "sensitive", level + by])}.epsilon`);
    document.getElementById(moved)?.focus();
  };
  return el(
    "li",
    { class: "level" },
    el(
      "fieldset",
      { class: "field stack" },
      el("legend", { class: "label" }, name),
      el(
        "div",
        { class: "row level-tools" },
        iconButton("↑", fill(texts.level_up, { name }), shift(-1), { disabled: level === 0 }),
        iconButton("↓", fill(texts.level_down, { name }), shift(1), { disabled: level === last }),
        iconButton("×", fill(texts.remove, { name }), () => app.edit(removeLevel(app.document, path, level), { redraw: true })),
      ),
      numberField(app, [...here, "epsilon"], texts.scale_epsilon, { hint: texts.scale_epsilon_hint }),
      el("p", { class: "hint" }, level ? fill(texts.level_about, { number: level + 1 }) : texts.level_about_first),
      el("p", { class: "say", "data-promise": String(level) }),
      el(
        "ol",
        { class: "option-rows" },
        ...rectangles.map((_, place) => rectangleRow(app, path, place, { level, name: fill(texts.level_rectangle, { number: place + 1, level: level + 1 }) })),
      ),
      rectangles.length === 0 && el("p", { class: "hint" }, texts.level_empty),
      area && el("div", { class: "row" }, button(texts.rectangle_add, () => take(middleRectangle(area), level), "button button--plain")),
      area && areasImport(app, path, level),
    ),
  );
}
