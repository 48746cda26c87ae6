/**
 * Tick-all questions of versions that were published when one was sent as a whole: 0 or 1 for each option, and a share for each
 * among random answers. No new version has one: each option is a yes/no question. Delete this file and its lines in boxes.js and kinds.js
 * when no such version accepts answers any more.
 */

import { severalKind } from "./several.js";

/** @type {Kind} */
export const multiKind = {
  ...severalKind,
  isSeveral: true,
  count: () => 2,
  items: ({ options }) => options.length,
  draws: ({ options }) => options.length,
  decoy: ({ unrelated }, coins) => unrelated.map((share) => (coins.draw() < share ? 1 : 0)),
  has: (value, option) => value?.[option] === 1,
  shares: (shares, value) => shares.map((share, option) => (value[option] === 1 ? share : 10000 - share)),
  rarest: (shares) => shares.map((share) => (2 * share <= 10000 ? 1 : 0)),
};
