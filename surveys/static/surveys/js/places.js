/**
 * What this device does to a place. Twin of privacy/disguise/windows.py, level.py and area.py.
 *
 * A point is put into a cell of the survey's map, the nearest one if it lies outside; one draw then decides
 * which cell is sent. Whole numbers only.
 */

/** @param {Area} area @returns {number} number of cells */
export function cellCount(area) {
  return area.columns * area.rows;
}

/**
 * @param {Area} area
 * @param {number} longitude in 10^-7 degrees, a whole number
 * @param {number} latitude likewise
 * @returns {number} number of the cell
 */
export function cellOf(area, longitude, latitude) {
  const along = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high, /** @type {number} */ count) =>
    Math.min(Math.max(Math.floor(((at - low) * count) / (high - low)), 0), count - 1);
  return (
    along(latitude, area.south, area.north, area.rows) * area.columns +
    along(longitude, area.west, area.east, area.columns)
  );
}

/** @param {Level} level @returns {number} number of its cells */
function cellsOf(level) {
  return level.rectangles.reduce((sum, [, , width, height]) => sum + width * height, 0);
}

/** @param {Windows} windows @returns {boolean} whether a cell in no level is sent as it is, if not exchanged */
export function isExactOutside({ area, levels }) {
  return levels.reduce((sum, level) => sum + cellsOf(level), 0) < cellCount(area);
}

/** @param {Level} level @returns {bigint} weight of reporting from the window, or of passing through */
function near(level) {
  const [, , , , across, up] = level.frames[0];
  return (BigInt(level.numerator) - BigInt(level.denominator)) * BigInt(across * up);
}

/** @param {Level} level @returns {bigint} */
function levelTotal(level) {
  return near(level) + BigInt(level.denominator) * BigInt(cellsOf(level));
}

/** @param {Level} level @returns {number} chance that a place of no level passes it */
export function passing(level) {
  return Number(near(level)) / Number(levelTotal(level));
}

/** @param {Windows} windows @returns {bigint} a device draws below it */
export function placeTotal(windows) {
  return windows.levels.reduce((product, level) => product * levelTotal(level), 1n);
}

/**
 * @param {Windows} windows
 * @param {number} cell
 * @returns {number} number of the level that holds a cell; the number of levels where none does
 */
export function levelOf(windows, cell) {
  const x = cell % windows.area.columns;
  const y = Math.floor(cell / windows.area.columns);
  const found = windows.levels.findIndex((level) =>
    level.rectangles.some(
      ([left, low, width, height]) => left <= x && x < left + width && low <= y && y < low + height,
    ),
  );
  return found === -1 ? windows.levels.length : found;
}

/** Where the window around `at` begins, along one axis of its frame. @type {(...numbers: any[]) => number} */
function anchor(at, start, length, size, snap) {
  if (snap) {
    const tile = Math.floor((at - start) / size);
    return start + size * Math.min(Math.max(tile, 0), length / size - 1);
  }
  return Math.min(Math.max(at - Math.floor(size / 2), start), start + length - size);
}

/**
 * @param {Level} level
 * @param {number} x
 * @param {number} y
 * @returns {number[]} left, low, across and up of the window with the nearest middle; the first frame among equals
 */
export function windowAt(level, x, y) {
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

/**
 * @param {Windows} windows
 * @param {number | null} cell the true answer, null for a skip: it sends what every place would
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
    if (here >= near(level)) {
      let place = Number((here - near(level)) / BigInt(level.denominator));
      for (const [left, low, width, height] of level.rectangles) {
        if (place < width * height) {
          return (low + Math.floor(place / width)) * columns + left + (place % width);
        }
        place -= width * height;
      }
    }
    if (cell === null) {
      return null;
    }
    if (number === own) {
      const [left, low, across] = windowAt(level, cell % columns, Math.floor(cell / columns));
      const place = Number(here / (BigInt(level.numerator) - BigInt(level.denominator)));
      return (low + Math.floor(place / across)) * columns + left + (place % across);
    }
  }
  return cell;
}

/** @param {Windows} windows @returns {bigint} how many draws send the same for all places */
export function placeDecoys(windows) {
  const total = levelTotal(windows.levels[0]);
  return (placeTotal(windows) / total) * (total - near(windows.levels[0]));
}

/**
 * How many times likelier a sensitive cell can be from one place than from another, at the most.
 * @param {Windows} windows
 * @returns {{up: bigint, down: bigint}}
 */
export function placeAmplification(windows) {
  return windows.levels
    .map(({ numerator, denominator }) => ({ up: BigInt(numerator), down: BigInt(denominator) }))
    .reduce((worst, one) => (one.up * worst.down > worst.up * one.down ? one : worst));
}
