/** What knows the odds of a row, which no first screen shows: loaded beside it. */
let odds = null;

/** @param {{rowOdds: typeof import("./odds.js").rowOdds, tellingAnswers: typeof import("./odds.js").tellingAnswers}} found */
export function useOdds(found) {
  odds = found;
}

/** @type {typeof import("./odds.js").rowOdds} */
export const rowOdds = (...given) => odds.rowOdds(...given);

/** @type {typeof import("./odds.js").tellingAnswers} */
export const tellingAnswers = (...given) => odds.tellingAnswers(...given);
