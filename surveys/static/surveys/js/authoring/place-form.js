/** The part of a place question's form that says where: the map, its cells, and what on it is sensitive. */

import { button, el, fill } from "../dom.js";
import { areasImport } from "./areas-import.js";
import { areasFrame, drawingMap, EDGES, mapArea, middleRectangle, rectangleRow } from "./areas.js";
import { four, idOf, numberField, tickField, wordsField } from "./fields.js";
import { levelsLine, priorLine } from "./kept-lines.js";
import { addItem, addRectangle, itemOf, listOf, overlap, removeItem, UTILITY } from "./scale.js";
import { getAt, pathText } from "./paths.js";

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function placePart(app, path, question) {
  const { mechanism } = question.place;
  return [
    edgesPart(app, path),
    numberField(app, [...path, "place", "cell"], app.texts.cell, { hint: app.texts.cell_hint }),
    outlinePart(app, path, question),
    UTILITY.has(mechanism) && areasPart(app, path, question),
    mechanism === "levels" && levelsLine(app.texts, path, question),
    priorLine(app.texts, path, question),
  ].filter(Boolean);
}

function edgesPart(app, path) {
  const { texts } = app;
  const here = [...path, "place", "area"];
  return el(
    "fieldset",
    { class: "field", id: idOf(pathText(here)), "data-field": pathText(here), tabindex: "-1" },
    el("legend", { class: "label" }, texts.area),
    four(...EDGES.map((edge) => numberField(app, [...here, edge], texts[`edge_${edge}`]))),
    el("p", { class: "remark", hidden: true, "data-remark": pathText(here) }),
    el("div", { class: "row" }, button(texts.area_draw, () => app.draw({}), "link-button")),
  );
}

function outlinePart(app, path, question) {
  const { texts } = app;
  const here = [...path, "place", "outline"];
  const refused = el("p", { class: "error", role: "alert" });
  const outline = el("textarea", { id: idOf(pathText(here)), "data-field": pathText(here), rows: 3, spellcheck: "false", class: "mono" });
  outline.value = question.place.outline ? JSON.stringify(question.place.outline) : "";
  outline.addEventListener("change", () => {
    let found = undefined;
    try {
      found = outline.value.trim() ? JSON.parse(outline.value) : undefined;
    } catch {
      refused.textContent = texts.outline_wrong;
      return;
    }
    app.edit(app.set(here, found), { redraw: true });
  });
  return el(
    "details",
    {},
    el("summary", {}, texts.outline_of_map),
    el(
      "div",
      { class: "details-body field" },
      el("label", { for: outline.id }, texts.outline_geojson),
      outline,
      refused,
      el("p", { class: "remark", hidden: true, "data-remark": pathText(here) }),
    ),
  );
}

function areasPart(app, path, question) {
  const { texts } = app;
  const sensitive = listOf(question.place.sensitive);
  const here = [...path, "place", "sensitive"];
  const rows = sensitive.map((_, place) => {
    const item = itemOf(question, place);
    const toggle = (on) =>
      app.edit(on ? addItem(app.document, path, { rectangles: [getAt(app.document, [...here, place])] }) : removeItem(app.document, path, item), { redraw: true });
    return rectangleRow(app, path, place, {
      name: fill(texts.rectangle_number, { number: place + 1 }),
      more: [
        tickField({ field: `${pathText([...here, place])}.item`, label: texts.rectangle_item, checked: item !== -1, onTick: toggle }),
        item !== -1 && wordsField(app, { path: [...path, "options", item, "text"], label: texts.rectangle_name }),
      ],
    });
  });
  const take = (rectangle) => app.edit(addRectangle(app.document, path, rectangle), { redraw: true });
  const shapes = sensitive.map((rectangle, place) => ({ rectangle, name: String(place + 1) }));
  const area = mapArea(question);
  return areasFrame(path, [
    el("legend", { class: "label" }, texts.sensitive),
    el("p", { class: "hint" }, texts.sensitive_hint),
    el("p", { class: "hint" }, texts.place_told),
    drawingMap(app, path, question, shapes, take),
    el("p", { class: "remark", hidden: true, "data-remark": pathText(here) }),
    el("p", { class: "remark", hidden: true, "data-remark": `${pathText(path)}.options` }),
    el("ol", { class: "option-rows" }, ...rows),
    overlap(sensitive) && el("p", { class: "hint" }, texts.rectangles_overlap),
    area && el("div", { class: "row" }, button(texts.rectangle_add, () => take(middleRectangle(area)), "button button--plain")),
    area && areasImport(app, path),
  ]);
}
