/** The geographic part of a place question's form: the map, its cells, and its sensitive areas. */

import { el } from "../dom.js";
import { drawingMap, mapArea, middleRectangle, rectangleRow } from "./areas.js";
import {
  folded, four, group, hint, idOf, labelled, numberField, plainButton, radioField, remark, tickField, wordsField,
} from "./fields.js";
import { mechanismPart } from "./mechanism-part.js";
import { addItem, addRectangle, EDGES, itemOf, listOf, overlap, removeItem, setMechanism, UTILITY } from "./scale.js";
import { getAt, pathText } from "./paths.js";

/** The form of a place. With several levels the mechanism is fixed, because others need a single list of areas. */
export const placeForm = (app, path, question) => [
  ...placePart(app, path, question),
  ...(question.place.mechanism === "levels" ? [] : [mechanismPart(app, path, question)]),
];

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
function placePart(app, path, question) {
  const { mechanism } = question.place;
  return [
    edgesPart(app, [...path, "place", "area"]),
    numberField(app, [...path, "place", "cell"], "cell"),
    outlinePart(app, [...path, "place", "outline"], question),
    mechanism === "levels" ? levelsPart(app.texts, [...path, "place", "sensitive"]) : coveragePart(app, path, mechanism),
    UTILITY.has(mechanism) && areasPart(app, path, question),
  ];
}

/** What is protected: the whole map, or only some areas of it. Experts also choose the mechanism. */
function coveragePart(app, path, mechanism) {
  const said = (name) => ({ said: app.texts[`covers_${name}`], says: app.texts[`mechanism_${name}`] });
  return radioField(app, [...path, "covers"], "covers", ["square", "utility_square"].map((name) => [name, said(name)]), {
    value: UTILITY.has(mechanism) ? "utility_square" : "square",
    onChoose: (name) => app.edit(setMechanism(app.document, path, name), { redraw: true }),
  });
}

/** Several levels can only be edited in the definition file. */
const levelsPart = (texts, here) => group(here, texts.mechanism_name_levels, [hint(texts.mechanism_levels), remark(here)]);

const edgesPart = (app, here) =>
  group(here, app.texts.area, [four(...EDGES.map((edge) => numberField(app, [...here, edge], `edge_${edge}`))), remark(here)]);

function outlinePart(app, here, question) {
  const { texts } = app;
  const refused = el("p", { class: "error", role: "alert" });
  const outline = el("textarea", { id: idOf(here), "data-field": pathText(here), rows: 3, spellcheck: "false", class: "mono" });
  outline.value = question.place.outline ? JSON.stringify(question.place.outline) : "";
  outline.addEventListener("change", () => {
    try {
      app.write(here, outline.value.trim() && JSON.parse(outline.value), { redraw: true });
    } catch {
      refused.textContent = texts.outline_wrong;
    }
  });
  return folded(texts.outline_of_map, labelled(outline.id, texts.outline_geojson, outline, refused, remark(here)));
}

function areasPart(app, path, question) {
  const { texts } = app;
  const sensitive = listOf(question.place.sensitive);
  const here = [...path, "place", "sensitive"];
  const rows = sensitive.map((_, place) => {
    const item = itemOf(question, place);
    const toggle = (on) =>
      app.edit(on ? addItem(app.document, path, { rectangles: [getAt(app.document, [...here, place])] }) : removeItem(app.document, path, item), { redraw: true });
    return rectangleRow(app, path, place, [
      tickField(app, [...here, place, "item"], "rectangle_item", item !== -1, toggle),
      item !== -1 && wordsField(app, [...path, "options", item, "text"], "rectangle_name"),
    ]);
  });
  const take = (rectangle) => app.edit(addRectangle(app.document, path, rectangle), { redraw: true });
  const map = el("div", {});
  const more = el("div", { class: "stack" });
  let drawn = null;
  // Draw the map as soon as its edges are complete, and again when they change.
  const draw = () => {
    const now = getAt(app.document, path);
    const area = mapArea(now);
    if (drawn === JSON.stringify(area)) {
      return;
    }
    drawn = JSON.stringify(area);
    const shapes = sensitive.map((rectangle, place) => ({ rectangle, name: String(place + 1) }));
    map.replaceChildren(drawingMap(app, path, now, shapes, take));
    const add = () => take(middleRectangle(area));
    more.replaceChildren(...(area ? [el("div", { class: "row" }, plainButton(texts.rectangle_add, add))] : []));
  };
  draw();
  app.whenRefreshed(draw);
  const children = [
    hint(texts.sensitive_hint),
    hint(texts.place_told),
    map,
    remark(here),
    remark([...path, "options"]),
    el("ol", { class: "option-rows" }, ...rows),
    overlap(sensitive) && hint(texts.rectangles_overlap),
    more,
  ];
  return group(here, texts.sensitive, children, "field stack");
}
