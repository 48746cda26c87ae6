/** What the forms of sensitive areas share: the map to draw on, and a rectangle by its edges. */

import { el, fill } from "../dom.js";
import { areaMap } from "./area-map.js";
import { four, iconButton, idOf, numberField } from "./fields.js";
import { removeRectangle, setRectangle } from "./scale.js";
import { getAt, pathText } from "./paths.js";

export const EDGES = ["west", "south", "east", "north"];

/** The edges of the map, where they are such: else nothing can be drawn on it. */
export function mapArea(question) {
  const { area = {} } = question.place;
  const isWhole = EDGES.every((edge) => typeof area[edge] === "number") && area.west < area.east && area.south < area.north;
  return isWhole ? area : null;
}

/** The map to draw on, or what it still needs. @param {{rectangle: any, name?: string}[]} shapes */
export function drawingMap(app, path, question, shapes, onDrawn) {
  const { texts } = app;
  const area = mapArea(question);
  if (area === null) {
    return el("p", { class: "hint" }, texts.map_needs_area);
  }
  const { outline, prior } = question.place;
  const id = `${idOf(pathText([...path, "place"]))}-map`;
  const whole = shapes.filter(({ rectangle }) => EDGES.every((edge) => typeof rectangle?.[edge] === "number"));
  const picture = areaMap({ area, outline, shapes: whole, prior: prior?.rows, label: texts.map_draw, id }, onDrawn, (at) =>
    app.announce(fill(at.isDrawing ? texts.map_to : texts.map_at, at)),
  );
  picture.setAttribute("aria-describedby", `${id}-keys`);
  return el("div", { class: "field" }, picture, el("p", { class: "hint", id: `${id}-keys` }, texts.map_keys));
}

/** A rectangle in the middle of the map, to be moved by its edges. */
export function middleRectangle(area) {
  const middle = (low, high, share) => Number((low + (high - low) * share).toFixed(5));
  return {
    west: middle(area.west, area.east, 0.4),
    south: middle(area.south, area.north, 0.4),
    east: middle(area.west, area.east, 0.6),
    north: middle(area.south, area.north, 0.6),
  };
}

/** One rectangle by its edges. */
export function rectangleRow(app, path, place, { name, more = [] }) {
  const here = [...path, "place", "sensitive", place];
  const { texts } = app;
  return el(
    "li",
    { class: "option-row option-row--band" },
    el(
      "fieldset",
      { class: "field" },
      el("legend", { class: "label" }, name),
      four(
        ...EDGES.map((edge) =>
          numberField(app, [...here, edge], texts[`edge_${edge}`], {
            onWrite: (value, tag) =>
              app.edit(setRectangle(app.document, path, place, { ...getAt(app.document, here), [edge]: value }), { tag }),
          }),
        ),
      ),
      ...more,
    ),
    iconButton("×", fill(texts.remove, { name }), () => app.edit(removeRectangle(app.document, path, place), { redraw: true })),
  );
}

/** What is sensitive, with its problems. */
export function areasFrame(path, parts) {
  const field = pathText([...path, "place", "sensitive"]);
  return el("fieldset", { class: "field stack", id: idOf(field), "data-field": field, tabindex: "-1" }, ...parts);
}
