/** A place on the screen: a map to tap, arrow keys to move by cells, and fields for coordinates. */

import { button, el, fill, svg } from "./dom.js";
import { clauses } from "./joints.js";
import { cellOf, levelOf } from "./place-draw.js";
import { isExactOutside } from "./places.js";
import { joined } from "./sentences.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const FAR = 10;
const WIDTH = 600;
const NEAREST = WIDTH / 64;
const DEGREE = 1e7;

/** @param {Asked} asked */
function placeControl({ question, wording, texts, value, name, id = "", onAnswer }) {
  const windows = question.disguise;
  const { area } = windows;
  let cell = value;
  let size = WIDTH;
  let isBeyond = false;
  const frame = el("div", {
    class: "map-frame",
    tabindex: "0",
    role: "application",
    "aria-label": texts.place_map,
    "aria-describedby": `place-hint-${id}`,
  });
  const status = el("p", { role: "status" });
  const coordinate = (key, limit) =>
    el("input", {
      type: "number",
      id: `${key}-${id}`,
      name: `${name}-${key}`,
      min: -limit,
      max: limit,
      step: "any",
      inputmode: "text",
      autocomplete: "off",
      class: "short",
      input: typed,
    });
  const latitude = coordinate("latitude", 90);
  const longitude = coordinate("longitude", 180);
  const draw = () => {
    frame.replaceChildren(mapPicture(windows, { outline: wording.outline, cell, size }));
    const said = cell === undefined ? [] : [isBeyond && texts.place_beyond, placeWords(question, wording, texts, cell)];
    status.textContent = joined(said);
  };
  const move = (next) => {
    cell = next;
    isBeyond = false;
    const middle = middleOf(area, cell);
    latitude.value = middle.latitude.toFixed(5);
    longitude.value = middle.longitude.toFixed(5);
    draw();
    onAnswer(cell);
  };
  function typed() {
    const [north, east] = [latitude, longitude].map((input) => (input.value === "" ? NaN : Number(input.value)));
    const isPlace = Math.abs(north) <= 90 && Math.abs(east) <= 180;
    const [up, along] = [Math.round(north * 1e7), Math.round(east * 1e7)];
    isBeyond = up < area.south || up > area.north || along < area.west || along > area.east;
    cell = isPlace ? cellOf(area, along, up) : undefined;
    draw();
    onAnswer(cell);
  }
  frame.addEventListener("click", (event) => {
    const picture = frame.firstElementChild;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const { height, across, up } = scaleOf(area);
    const inside = (place, count) => Math.min(Math.max(Math.floor(place), 0), count - 1);
    move(inside((height - at.y) / up, area.rows) * area.columns + inside(at.x / across, area.columns));
  });
  frame.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      const far = event.shiftKey ? FAR : 1;
      const start = cell ?? Math.floor(area.rows / 2) * area.columns + Math.floor(area.columns / 2);
      const inside = (place, count) => Math.min(Math.max(place, 0), count - 1);
      const column = inside((start % area.columns) + step[0] * far, area.columns);
      const row = inside(Math.floor(start / area.columns) + step[1] * far, area.rows);
      move(cell === undefined ? start : row * area.columns + column);
    }
  });
  const zoom = (factor) => {
    size = Math.min(Math.max(size * factor, NEAREST), WIDTH);
    draw();
  };
  if (value !== undefined) {
    const middle = middleOf(area, value);
    latitude.value = middle.latitude.toFixed(5);
    longitude.value = middle.longitude.toFixed(5);
  }
  draw();
  const labelled = (input, text) => el("label", { class: "row" }, text, input);
  return {
    labels: [
      el("p", { id: `place-hint-${id}`, class: "hint" }, texts.place_hint),
      frame,
      el(
        "div",
        { class: "row" },
        button(texts.place_closer, () => zoom(0.5), "button button--plain"),
        button(texts.place_wider, () => zoom(2), "button button--plain"),
      ),
      el("div", { class: "row" }, labelled(latitude, texts.place_latitude), labelled(longitude, texts.place_longitude)),
      status,
    ],
    all: [latitude, longitude],
    focus: () => frame.focus(),
    clear: () => {},
    problem: () => (cell === undefined ? texts.place_empty : null),
  };
}

/** A cell in words; if only some areas are sensitive, also whether it is inside or outside. */
function placeWords(question, wording, texts, cell) {
  const windows = question.disguise;
  const { latitude, longitude } = middleOf(windows.area, cell);
  const place = fill(texts.place_at, { latitude: latitude.toFixed(5), longitude: longitude.toFixed(5) });
  if (!isExactOutside(windows)) {
    return place;
  }
  return clauses([place, levelOf(windows, cell) < windows.levels.length ? texts.place_inside : texts.place_outside]);
}

/** Sizes on the picture; row 0 is in the south, but pictures begin in the north. */
function scaleOf(area) {
  const middle = ((area.south + area.north) / 2 / DEGREE) * (Math.PI / 180);
  const height = (WIDTH * (area.north - area.south)) / ((area.east - area.west) * Math.cos(middle));
  return { width: WIDTH, height, across: WIDTH / area.columns, up: height / area.rows };
}

/** Longitude and latitude of the middle of a cell, in degrees. */
function middleOf(area, cell) {
  const along = (low, high, count, place) => (low + ((place + 0.5) * (high - low)) / count) / DEGREE;
  return {
    longitude: along(area.west, area.east, area.columns, cell % area.columns),
    latitude: along(area.south, area.north, area.rows, Math.floor(cell / area.columns)),
  };
}

/**
 * A survey's map: the outline, the sensitive areas and one marked cell. It is drawn here and loads nothing, because requests
 * for map tiles would reveal where someone looked.
 *
 * @param {PlanarWindowChannel} windows
 * @param {{outline?: number[][][], cell?: number, size?: number}} shown size: visible part of the picture's width
 */
function mapPicture(windows, { outline, cell, size = WIDTH }) {
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

export const placeShown = {
  control: placeControl,
  words: (question, wording, texts, value, { picture }) => {
    const text = placeWords(question, wording, texts, value);
    const map = () => mapPicture(question.disguise, { outline: wording.outline, cell: value });
    return picture ? el("span", {}, text, map()) : text;
  },
};
