/** Any of several options: 0 or 1 for each. */

import { isPosition } from "./refusal.js";

/** @type {Kind} */
export const severalKind = {
  fits: ({ options }, value) =>
    Array.isArray(value) &&
    value.length === options.length &&
    // every() would skip the holes of a sparse array.
    Array.from(value).findIndex((entry) => !isPosition(entry, 2)) === -1,
  choices: ({ options }) => options.map((text, value) => ({ text, value })),
};
