/** The map of a place question in the builder: rectangles are drawn on it with a mouse, a finger or a pen. */

import { svg } from "../dom.js";

const WIDTH = 600;

/** All rings of a GeoJSON geometry, feature or collection. */
function rings(shape) {
  const { type, coordinates, features, geometry } = shape ?? {};
  const found = { FeatureCollection: () => features.flatMap(rings), Feature: () => rings(geometry), Polygon: () => coordinates, MultiPolygon: () => coordinates.flat() };
  try {
    return found[type]?.() ?? [];
  } catch {
    return [];
  }
}

/**
 * @param {{area: any, outline: any, sensitive: any[], label: string}} shown edges in degrees
 * @param {(rectangle: {west: number, south: number, east: number, north: number}) => void} onDrawn
 */
export function areaMap({ area, outline, sensitive, label }, onDrawn) {
  const { west, south, east, north } = area;
  const height = (WIDTH * (north - south)) / ((east - west) * Math.cos((((south + north) / 2) * Math.PI) / 180));
  const x = (longitude) => ((longitude - west) / (east - west)) * WIDTH;
  const y = (latitude) => height - ((latitude - south) / (north - south)) * height;
  const box = (one) => ({ x: x(one.west), y: y(one.north), width: Math.max(0, x(one.east) - x(one.west)), height: Math.max(0, y(one.south) - y(one.north)) });
  const isDrawable = (one) => ["west", "south", "east", "north"].every((edge) => typeof one[edge] === "number");
  const path = rings(outline).map((ring) => `M${ring.map(([lon, lat]) => `${x(lon)} ${y(lat)}`).join("L")}Z`).join("");
  const drawn = svg("rect", { class: "map-sensitive" });
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${height}`, class: "map map--draw", role: "img", "aria-label": label },
    path ? svg("path", { d: path, class: "map-land" }) : svg("rect", { width: WIDTH, height, class: "map-land" }),
    ...sensitive.filter(isDrawable).map((one) => svg("rect", { ...box(one), class: "map-sensitive" })),
    drawn,
  );
  let start = null;
  const placeOf = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const share = (value, most) => Math.min(Math.max(value / most, 0), 1);
    return { longitude: west + share(at.x, WIDTH) * (east - west), latitude: north - share(at.y, height) * (north - south) };
  };
  const between = (one, other) => ({
    west: Math.min(one.longitude, other.longitude),
    south: Math.min(one.latitude, other.latitude),
    east: Math.max(one.longitude, other.longitude),
    north: Math.max(one.latitude, other.latitude),
  });
  picture.addEventListener("pointerdown", (event) => {
    start = placeOf(event);
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (start) {
      for (const [name, value] of Object.entries(box(between(start, placeOf(event))))) {
        drawn.setAttribute(name, value);
      }
    }
  });
  picture.addEventListener("pointerup", (event) => {
    const found = start && between(start, placeOf(event));
    start = null;
    if (found && found.east > found.west && found.north > found.south) {
      onDrawn(Object.fromEntries(Object.entries(found).map(([edge, value]) => [edge, Number(value.toFixed(5))])));
    }
  });
  return picture;
}
