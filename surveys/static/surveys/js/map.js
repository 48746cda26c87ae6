/**
 * A survey's map, drawn here: the outline, the sensitive areas and one marked cell. It loads nothing, so nobody
 * learns from a map's pieces where somebody looked.
 */

import { isExactOutside } from "./places.js";
import { svg } from "./dom.js";

const WIDTH = 600;
const DEGREE = 1e7;

/** Sizes on the picture; row 0 lies in the south, and pictures begin in the north. */
export function scaleOf(area) {
  const middle = ((area.south + area.north) / 2 / DEGREE) * (Math.PI / 180);
  const height = (WIDTH * (area.north - area.south)) / ((area.east - area.west) * Math.cos(middle));
  return { width: WIDTH, height, across: WIDTH / area.columns, up: height / area.rows };
}

/** Longitude and latitude of the middle of a cell, in degrees. */
export function middleOf(area, cell) {
  const along = (low, high, count, place) => (low + ((place + 0.5) * (high - low)) / count) / DEGREE;
  return {
    longitude: along(area.west, area.east, area.columns, cell % area.columns),
    latitude: along(area.south, area.north, area.rows, Math.floor(cell / area.columns)),
  };
}

/**
 * @param {Windows} windows
 * @param {{outline?: number[][][], cell?: number, size?: number}} shown size: how much of the picture's width is looked at
 */
export function mapPicture(windows, { outline, cell, size = WIDTH }) {
  const { area, levels } = windows;
  const { width, height, across, up } = scaleOf(area);
  const x = (longitude) => ((longitude - area.west) * width) / (area.east - area.west);
  const y = (latitude) => height - ((latitude - area.south) * height) / (area.north - area.south);
  const box = ([left, low, columns, rows]) => ({
    x: left * across,
    y: height - (low + rows) * up,
    width: columns * across,
    height: rows * up,
  });
  const path = (outline ?? []).map((ring) => `M${ring.map(([lon, lat]) => `${x(lon).toFixed(1)} ${y(lat).toFixed(1)}`).join("L")}Z`);
  const marks = [];
  let view = [0, 0, width, height];
  if (cell !== undefined) {
    const at = box([cell % area.columns, Math.floor(cell / area.columns), 1, 1]);
    const [cx, cy] = [at.x + at.width / 2, at.y + at.height / 2];
    const ratio = size / width;
    const from = (middle, whole) => Math.min(Math.max(middle - (whole * ratio) / 2, 0), whole * (1 - ratio));
    view = [from(cx, width), from(cy, height), width * ratio, height * ratio];
    marks.push(svg("rect", { ...at, class: "map-cell" }), svg("circle", { cx, cy, r: 9 * ratio, class: "map-marker" }));
  }
  return svg(
    "svg",
    { viewBox: view.join(" "), class: "map", "aria-hidden": "true", focusable: "false" },
    path.length ? svg("path", { d: path.join(""), class: "map-land" }) : svg("rect", { width, height, class: "map-land" }),
    ...(isExactOutside(windows)
      ? levels.flatMap(({ rectangles }) => rectangles.map((each) => svg("rect", { ...box(each), class: "map-sensitive" })))
      : []),
    ...marks,
  );
}
