/**
 * Which cell this device sends for a place. A point becomes a cell of the survey's map, the nearest one if it is outside. Then one
 * draw decides which cell is sent. As in privacy/scales/planar_window.py and level.py. Loaded while
 * respondents answer question 1; no question can be left before.
 */

import { KINDS } from "./kinds.js";
import { levelTotal, nearWeight, windowParts } from "./places.js";

/**
 * @param {Area} area
 * @param {number} longitude integer, in 10^-7 degrees
 * @param {number} latitude likewise
 * @returns {number} index of the cell
 */
export function cellOf(area, longitude, latitude) {
  const along = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high, /** @type {number} */ count) =>
    Math.min(Math.max(Math.floor(((at - low) * count) / (high - low)), 0), count - 1);
  return (
    along(latitude, area.south, area.north, area.rows) * area.columns +
    along(longitude, area.west, area.east, area.columns)
  );
}

/**
 * @param {PlanarWindowChannel} windows
 * @param {number} cell
 * @returns {number} index of the level of a cell; the number of levels if it is outside all of them
 */
export function levelOf(windows, cell) {
  const x = cell % windows.area.columns;
  const y = Math.floor(cell / windows.area.columns);
  const found = windows.levels.findIndex((level) =>
    level.rectangles.some((rectangle) => holds(rectangle, x, y)),
  );
  return found === -1 ? windows.levels.length : found;
}

/** @param {number[]} rectangle @param {number} x @param {number} y */
const holds = ([left, low, width, height], x, y) =>
  left <= x && x < left + width && low <= y && y < low + height;

/** @param {Level} level @returns {number} probability that a place outside all levels passes it */
export function passing(level) {
  return Number(nearWeight(level)) / Number(levelTotal(level));
}

/**
 * How many times likelier one place can make a report than another place, inside sensitive areas.
 * @param {PlanarWindowChannel} windows
 * @returns {{up: bigint, down: bigint}}
 */
export function placeAmplification(windows) {
  return windows.levels
    .map(({ numerator, denominator }) => ({ up: BigInt(numerator), down: BigInt(denominator) }))
    .reduce((worst, one) => (one.up * worst.down > worst.up * one.down ? one : worst));
}

/** The start of the window around `at`, along one axis of its frame. @type {(...numbers: any[]) => number} */
function anchor(at, start, length, size, snap) {
  if (snap) {
    const tile = Math.floor((at - start) / size);
    return start + size * Math.min(Math.max(tile, 0), length / size - 1);
  }
  return Math.min(Math.max(at - Math.floor(size / 2), start), start + length - size);
}

/** The start of tile `number` of `count` along `length` cells. @type {(number: number, length: number, count: number) => number} */
const edge = (number, length, count) => Math.floor((number * length) / count);

/** @param {number[]} rectangle @param {number[]} counts @param {number} column @param {number} row @returns {number[]} a tile */
function tileAt([left, low, width, height], [columns, rows], column, row) {
  const [west, east] = [column, column + 1].map((number) => edge(number, width, columns));
  const [south, north] = [row, row + 1].map((number) => edge(number, height, rows));
  return [left + west, low + south, east - west, north - south];
}

/**
 * @param {Level} level
 * @param {number} x
 * @param {number} y
 * @returns {number[]} left, low, across and up of the window with the nearest middle; the first one if several are equally near
 */
function windowAt(level, x, y) {
  if (level.tiles) {
    const place = level.rectangles.findIndex((rectangle) => holds(rectangle, x, y));
    const [left, low, width, height] = level.rectangles[place];
    const [columns, rows] = level.tiles[place];
    const column = Math.floor(((x - left + 1) * columns - 1) / width);
    const row = Math.floor(((y - low + 1) * rows - 1) / height);
    return tileAt(level.rectangles[place], level.tiles[place], column, row);
  }
  let best = Infinity;
  let found = [0, 0, 1, 1];
  for (const [left, low, width, height, across, up] of level.frames) {
    const here = anchor(x, left, width, across, level.snap);
    const there = anchor(y, low, height, up, level.snap);
    const distance = (2 * here + across - 1 - 2 * x) ** 2 + (2 * there + up - 1 - 2 * y) ** 2;
    if (distance < best) {
      best = distance;
      found = [here, there, across, up];
    }
  }
  return found;
}

/** @param {Level} level @param {number[]} window @param {bigint} part @returns {number[]} column and row of a part */
function partOf(level, [left, low, across, up], part) {
  const place = Number((part * BigInt(across * up)) / windowParts(level));
  return [left + (place % across), low + Math.floor(place / across)];
}

/** @param {Level} level @param {bigint} number below `ground` @returns {number[]} column and row of the cell of the level with this number */
function anyCell(level, number) {
  const sizes = level.tiles ?? level.rectangles.map(([, , width, height]) => [width, height]);
  let place = Number(level.tiles ? number / windowParts(level) : number);
  let at = 0;
  for (; place >= sizes[at][0] * sizes[at][1]; at += 1) {
    place -= sizes[at][0] * sizes[at][1];
  }
  const [across] = sizes[at];
  const [column, row] = [place % across, Math.floor(place / across)];
  const [left, low] = level.rectangles[at];
  return level.tiles
    ? partOf(level, tileAt(level.rectangles[at], sizes[at], column, row), number % windowParts(level))
    : [left + column, low + row];
}

/**
 * @param {PlanarWindowChannel} windows
 * @param {number | null} cell the true answer; null for a skip, which sends what every place could send
 * @param {bigint} draw 0 to total - 1
 * @returns {number | null} the cell that is sent; null for "skipped"
 */
export function sentPlace(windows, cell, draw) {
  const { columns } = windows.area;
  const own = cell === null ? 0 : levelOf(windows, cell);
  let rest = draw;
  for (let number = 0; number < windows.levels.length && number <= own; number += 1) {
    const level = windows.levels[number];
    const total = levelTotal(level);
    const here = rest % total;
    rest /= total;
    if (here >= nearWeight(level)) {
      const [x, y] = anyCell(level, (here - nearWeight(level)) / BigInt(level.denominator));
      return y * columns + x;
    }
    if (cell === null) {
      return null;
    }
    if (number === own) {
      const part = here / (BigInt(level.numerator) - BigInt(level.denominator));
      const [x, y] = partOf(level, windowAt(level, cell % columns, Math.floor(cell / columns)), part);
      return y * columns + x;
    }
  }
  return cell;
}

KINDS.place.sent = sentPlace;
