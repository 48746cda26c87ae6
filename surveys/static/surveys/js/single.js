/** One of several options: its index, and a share for each among random answers. */

import { isPosition, Refusal } from "./refusal.js";

/** @type {Kind} */
export const singleKind = {
  isExhaustive: true,
  names: ({ options }) => options,
  count: ({ options }) => options.length,
  items: ({ options }) => options.length,
  draws: () => 1,
  decoy: ({ key, unrelated }, coins) => {
    const draw = coins.draw();
    let edge = 0;
    for (let option = 0; option < unrelated.length; option += 1) {
      edge += unrelated[option];
      if (draw < edge) {
        return option;
      }
    }
    throw new Refusal("shares_sum", `The decoy shares of ${key} do not sum to 10000.`);
  },
  fits: ({ options }, value) => isPosition(value, options.length),
  has: (value, option) => value === option,
  shares: (shares, value) => [shares[value]],
  rarest: (shares) => shares.indexOf(Math.min(...shares)),
  choices: ({ options }) => options.map((text, value) => ({ text, value })),
};
