/**
 * The label: for each part a hundred dots with a sentence that says the same. In the folded part of the first page, above a part,
 * and after sealing.
 */

import { SKIPPED } from "./draws.js";
import { countText, el, fill, svg } from "./dom.js";
import { promisesOf } from "./promise.js";

const COLUMNS = 20;
const PITCH = 12;
const RADIUS = 4;

/** @param {number} count number of highlighted dots */
function dots(count) {
  const circles = Array.from({ length: 100 }, (_, index) =>
    svg("circle", {
      cx: (index % COLUMNS) * PITCH + PITCH / 2,
      cy: Math.floor(index / COLUMNS) * PITCH + PITCH / 2,
      r: RADIUS,
      class: index < count ? "dot dot--on" : "dot",
    }),
  );
  const size = `0 0 ${COLUMNS * PITCH} ${(100 / COLUMNS) * PITCH}`;
  return svg("svg", { viewBox: size, class: "dots", "aria-hidden": "true", focusable: "false" }, ...circles);
}

/** A number of people out of 100, never described as certain: "47" or, `said` so, "about 47", but "fewer than 1". */
const ofHundred = (texts, count, said = "{number}") =>
  ({ 0: texts.odds_none, 100: texts.odds_all })[count] ?? fill(said, { number: countText(count) });

/** Whether everyone is expected to send this row. */
const isAlike = ({ posterior }) => posterior === 1;

/**
 * @param {Record<string, string>} texts
 * @param {Whole | null} whole null if no part has a bound
 * @param {boolean} isDirect whether answers are, or may be, sent undisguised
 * @param {Whole | null} [light] promise of the light strength
 */
export function wholeLabel(texts, whole, isDirect, light) {
  return (
    (whole || isDirect) &&
    el(
      "div",
      { class: "stack" },
      ...promisesOf(texts, whole, light).map((promised) => el("p", {}, promised)),
      isDirect && el("p", {}, texts.odds_direct),
    )
  );
}

/** Notes for experts: the assumptions of the figure, and what it means for someone who does not start at 50:50. */
export const wholeNotes = (texts, whole) =>
  whole
    ? [
        el("p", {}, texts.odds_whole_any),
        el("p", {}, fill(texts.odds_whole_times, { g: whole.times })),
      ]
    : [];

/**
 * The sentence about a row of one part. Its numbers are approximate, because they are based on stated shares.
 *
 * @param {Record<string, string>} texts
 * @param {Odds} odds
 * @param {Row} row
 * @param {boolean} [isShown] whether the row is shown to the reader
 * @returns {string}
 */
export function oddsSentence(texts, odds, row, isShown = true) {
  const [k, n] = [ofHundred(texts, odds.priorOf100), ofHundred(texts, odds.posteriorOf100, texts.odds_about)];
  const general = row === SKIPPED ? texts.odds_posterior_skip : isShown ? texts.odds_posterior : texts.odds_posterior_worst;
  return isAlike(odds) ? texts.odds_expected : fill(general, { k, n });
}

/** The result of `oddsSentence` with its picture. */
export function oddsLabel(texts, odds, row, isShown) {
  return el(
    "div",
    { class: "odds stack" },
    // A hundred highlighted dots would mean "certain", which no sentence says.
    !isAlike(odds) && dots(Math.min(odds.posteriorOf100, 99)),
    el("p", { class: "say" }, oddsSentence(texts, odds, row, isShown)),
  );
}
