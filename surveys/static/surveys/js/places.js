/**
 * How many random words the disguise of a place needs: what the first screen has to know. As in privacy/scales/planar_window.py,
 * level.py and area.py. All numbers are integers. What one draw sends is in place-draw.js, which loads later.
 */

import { commonMultiple } from "./coins.js";
import { KINDS } from "./kinds.js";
import { isPosition } from "./refusal.js";

/** @param {Area} area @returns {number} number of cells */
export function cellCount(area) {
  return area.columns * area.rows;
}

/** @param {Level} level @returns {number} number of its cells */
function cellsOf(level) {
  return level.rectangles.reduce((sum, [, , width, height]) => sum + width * height, 0);
}

/** @param {PlanarWindowChannel} windows @returns {boolean} whether cells outside all levels may be sent undisguised */
export function isExactOutside({ area, levels }) {
  return levels.reduce((sum, level) => sum + cellsOf(level), 0) < cellCount(area);
}

/** @param {Level} level @returns {bigint} number of parts into which a draw splits a window: its cells, or a common multiple for tiles */
export function windowParts(level) {
  if (!level.tiles) {
    const [, , , , across, up] = level.frames[0];
    return BigInt(across * up);
  }
  let found = 1n;
  level.tiles.forEach(([columns, rows], place) => {
    const [, , width, height] = level.rectangles[place];
    for (const across of [Math.floor(width / columns), Math.ceil(width / columns)]) {
      for (const up of [Math.floor(height / rows), Math.ceil(height / rows)]) {
        found = commonMultiple(found, BigInt(across * up));
      }
    }
  });
  return found;
}

/** @param {Level} level @returns {bigint} number of parts of all its cells */
function ground(level) {
  return level.tiles
    ? windowParts(level) * BigInt(level.tiles.reduce((sum, [columns, rows]) => sum + columns * rows, 0))
    : BigInt(cellsOf(level));
}

/** @param {Level} level @returns {bigint} weight of a report from the window, or of passing through */
export function nearWeight(level) {
  return (BigInt(level.numerator) - BigInt(level.denominator)) * windowParts(level);
}

/** @param {Level} level @returns {bigint} */
export function levelTotal(level) {
  return nearWeight(level) + BigInt(level.denominator) * ground(level);
}

/** @param {PlanarWindowChannel} windows @returns {bigint} upper limit of a device's draw */
export function placeTotal(windows) {
  return windows.levels.reduce((product, level) => product * levelTotal(level), 1n);
}

/** @param {PlanarWindowChannel} windows @returns {bigint} number of draws that send the same for all places */
export function placeDecoys(windows) {
  const total = levelTotal(windows.levels[0]);
  return (placeTotal(windows) / total) * (total - nearWeight(windows.levels[0]));
}

/** @type {Kind} */
KINDS.place = {
  count: ({ disguise }) => cellCount(disguise.area),
  fits: ({ disguise }, value) => isPosition(value, cellCount(disguise.area)),
  total: placeTotal,
  decoys: placeDecoys,
  isPartlyExact: ({ disguise }) => isExactOutside(disguise),
};
