/** Any of several options: 0 or 1 for each, and a share for each among random answers. */

import { isPosition } from "./refusal.js";

/** @type {Kind} */
export const multiKind = {
  isSeveral: true,
  count: () => 2,
  items: ({ options }) => options.length,
  draws: ({ options }) => options.length,
  decoy: ({ unrelated }, coins) => unrelated.map((share) => (coins.draw() < share ? 1 : 0)),
  fits: ({ options }, value) =>
    Array.isArray(value) &&
    value.length === options.length &&
    // every() would skip the holes of a sparse array.
    Array.from(value).findIndex((entry) => !isPosition(entry, 2)) === -1,
  has: (value, option) => value?.[option] === 1,
  shares: (shares, value) => shares.map((share, option) => (value[option] === 1 ? share : 10000 - share)),
  rarest: (shares) => shares.map((share) => (2 * share <= 10000 ? 1 : 0)),
  choices: ({ options }) => options.map((text, value) => ({ text, value })),
};
