/** The map of a place question in the builder: rectangles are drawn on it with a mouse, a finger or a pen. */

import { svg } from "../dom.js";
import { EDGES } from "./scale.js";

const WIDTH = 600;

/** All rings of a GeoJSON geometry, feature or collection. */
export function rings(shape) {
  const { type, coordinates, features, geometry } = shape ?? {};
  const found = { FeatureCollection: () => features.flatMap(rings), Feature: () => rings(geometry), Polygon: () => coordinates, MultiPolygon: () => coordinates.flat() };
  try {
    return found[type]?.() ?? [];
  } catch {
    return [];
  }
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STEP = 1 / 100;
const FAR = 10;

/**
 * A map to draw rectangles on: with a pointer from corner to corner, or with the keyboard by moving a mark with the arrow keys
 * and pressing Enter at both corners.
 *
 * @param {{area: any, outline: any, shapes: {rectangle: any, name?: string}[], label: string, id: string}} shown
 *   edges in degrees
 * @param {(rectangle: {west: number, south: number, east: number, north: number}) => void} onDrawn
 * @param {(at: {longitude: string, latitude: string, isDrawing: boolean}) => void} onMoved receives the position of the mark
 */
export function areaMap({ area, outline, shapes, label, id }, onDrawn, onMoved) {
  const { west, south, east, north } = area;
  const height = (WIDTH * (north - south)) / ((east - west) * Math.cos((((south + north) / 2) * Math.PI) / 180));
  const x = (longitude) => ((longitude - west) / (east - west)) * WIDTH;
  const y = (latitude) => height - ((latitude - south) / (north - south)) * height;
  const box = (one) => ({ x: x(one.west), y: y(one.north), width: Math.max(0, x(one.east) - x(one.west)), height: Math.max(0, y(one.south) - y(one.north)) });
  const isDrawable = ({ rectangle }) => EDGES.every((edge) => typeof rectangle?.[edge] === "number");
  const path = rings(outline).map((ring) => `M${ring.map(([lon, lat]) => `${x(lon)} ${y(lat)}`).join("L")}Z`).join("");
  const drawn = svg("rect", { class: "map-sensitive" });
  const mark = svg("path", { class: "map-mark" });
  const named = ({ rectangle, name }) => [
    svg("rect", { ...box(rectangle), class: "map-sensitive" }),
    name && svg("text", { x: x((rectangle.west + rectangle.east) / 2), y: y((rectangle.south + rectangle.north) / 2), class: "map-name", "aria-hidden": "true" }, name),
  ];
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${height}`, class: "map map--draw", role: "application", tabindex: "0", id, "aria-label": label },
    path ? svg("path", { d: path, class: "map-land" }) : svg("rect", { width: WIDTH, height, class: "map-land" }),
    ...shapes.filter(isDrawable).flatMap(named),
    drawn,
    mark,
  );
  let start = null;
  let at = { longitude: (west + east) / 2, latitude: (south + north) / 2 };
  const placeOf = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const share = (value, most) => Math.min(Math.max(value / most, 0), 1);
    return { longitude: west + share(point.x, WIDTH) * (east - west), latitude: north - share(point.y, height) * (north - south) };
  };
  const between = (one, other) => ({
    west: Math.min(one.longitude, other.longitude),
    south: Math.min(one.latitude, other.latitude),
    east: Math.max(one.longitude, other.longitude),
    north: Math.max(one.latitude, other.latitude),
  });
  const show = (end) => {
    for (const [name, value] of Object.entries(start ? box(between(start, end)) : { width: 0, height: 0 })) {
      drawn.setAttribute(name, value);
    }
  };
  const finish = (end) => {
    const found = start && between(start, end);
    start = null;
    show();
    if (found && found.east > found.west && found.north > found.south) {
      onDrawn(Object.fromEntries(Object.entries(found).map(([edge, value]) => [edge, Number(value.toFixed(5))])));
    }
  };
  const move = (to) => {
    at = to;
    mark.setAttribute("d", `M${x(at.longitude) - 10} ${y(at.latitude)}h20M${x(at.longitude)} ${y(at.latitude) - 10}v20`);
    show(at);
    onMoved({ longitude: at.longitude.toFixed(5), latitude: at.latitude.toFixed(5), isDrawing: start !== null });
  };
  picture.addEventListener("pointerdown", (event) => {
    start = placeOf(event);
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (event.buttons) {
      show(placeOf(event));
    }
  });
  picture.addEventListener("pointerup", (event) => finish(placeOf(event)));
  picture.addEventListener("pointercancel", () => {
    start = null;
    show();
  });
  picture.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      const far = STEP * (event.shiftKey ? FAR : 1);
      const inside = (value, low, high) => Math.min(Math.max(value, low), high);
      move({
        longitude: inside(at.longitude + step[0] * far * (east - west), west, east),
        latitude: inside(at.latitude + step[1] * far * (north - south), south, north),
      });
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (start) {
        finish(at);
      } else {
        start = at;
        move(at);
      }
    } else if (event.key === "Escape" && start) {
      start = null;
      move(at);
    }
  });
  return picture;
}
