/** Yes or no: 1 or 0, and the share of "yes" among random answers. */

import { isPosition } from "./refusal.js";

/** @type {Kind} */
export const yesNoKind = {
  names: () => ["no", "yes"],
  count: () => 2,
  items: () => 1,
  draws: () => 1,
  decoy: ({ unrelated: [share] }, coins) => (coins.draw() < share ? 1 : 0),
  fits: (_question, value) => isPosition(value, 2),
  has: (value) => value === 1,
  shares: ([share], value) => [value === 1 ? share : 10000 - share],
  rarest: ([share]) => (2 * share <= 10000 ? 1 : 0),
  /** Yes comes first. */
  choices: (_wording, texts) => [
    { text: texts.yes, value: 1 },
    { text: texts.no, value: 0 },
  ],
};
