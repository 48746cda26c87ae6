/** Shared parts of the forms of sensitive areas: the map to draw on, and the edges of a rectangle. */

import { el, fill } from "../dom.js";
import { areaMap, rings } from "./area-map.js";
import { four, hint, iconButton, idOf, numberField } from "./fields.js";
import { EDGES, removeRectangle, setRectangle } from "./scale.js";
import { getAt } from "./paths.js";

/** The edges of an outline. @returns {{west: number, south: number, east: number, north: number} | undefined} */
function edgesOf(outline) {
  const [longitudes, latitudes] = [0, 1].map((axis) => rings(outline).flat().map((point) => point[axis]));
  return longitudes.length ? { west: Math.min(...longitudes), south: Math.min(...latitudes), east: Math.max(...longitudes), north: Math.max(...latitudes) } : undefined;
}

/** The edges of the map: the stated ones, or those of its outline; null if they are not valid, so that nothing can be drawn. */
export function mapArea({ place }) {
  const area = place.area ?? edgesOf(place.outline) ?? {};
  const isWhole = EDGES.every((edge) => typeof area[edge] === "number") && area.west < area.east && area.south < area.north;
  return isWhole ? area : null;
}

/** The map to draw on, or a hint on what it still needs. @param {{rectangle: any, name?: string}[]} shapes */
export function drawingMap(app, path, question, shapes, onDrawn) {
  const { texts } = app;
  const area = mapArea(question);
  if (area === null) {
    return hint(texts.map_needs_area);
  }
  const { outline } = question.place;
  const id = `${idOf([...path, "place"])}-map`;
  const picture = areaMap({ area, outline, shapes, label: texts.map_draw, id }, onDrawn, (at) =>
    app.announce(fill(at.isDrawing ? texts.map_to : texts.map_at, at)),
  );
  picture.setAttribute("aria-describedby", `${id}-keys`);
  return el("div", { class: "field" }, picture, el("p", { class: "hint", id: `${id}-keys` }, texts.map_keys));
}

/** A rectangle in the middle of the map, for users to resize. */
export function middleRectangle(area) {
  const opposite = { west: "east", south: "north", east: "west", north: "south" };
  const middle = (edge) => Number((0.6 * area[edge] + 0.4 * area[opposite[edge]]).toFixed(5));
  return Object.fromEntries(EDGES.map((edge) => [edge, middle(edge)]));
}

/** One rectangle by its edges. @param {(Node | false)[]} more */
export function rectangleRow(app, path, place, more) {
  const { texts } = app;
  const here = [...path, "place", "sensitive", place];
  const name = fill(texts.rectangle_number, { number: place + 1 });
  const change = (edge, value, tag) =>
    app.edit(setRectangle(app.document, path, place, { ...getAt(app.document, here), [edge]: value }), { tag });
  const edges = EDGES.map((edge) => numberField(app, [...here, edge], `edge_${edge}`, (value, tag) => change(edge, value, tag)));
  const drop = () => app.edit(removeRectangle(app.document, path, place), { redraw: true });
  return el(
    "li",
    { class: "option-row option-row--band" },
    el("fieldset", { class: "field" }, el("legend", { class: "label" }, name), four(...edges), ...more),
    iconButton("×", fill(texts.remove, { name }), drop),
  );
}
