/**
 * The label of a protected part: how sure anyone could be, as a hundred dots and in sentences that say the same.
 * Shown before the first question, above a part, after the seal, and in the builder.
 */

import { SKIPPED } from "./disguise.js";
import { el, fill, svg } from "./dom.js";

const COLUMNS = 20;
const PITCH = 12;
const RADIUS = 4;

/** @param {number} count how many of the hundred stand out */
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

/** A count of people of a hundred; never as if it were certain. */
function ofHundred(texts, count) {
  return { 0: texts.odds_none, 100: texts.odds_all }[count] ?? String(count);
}

/** Whether everybody is expected to send this row. */
const isAlike = ({ posterior }) => posterior === 1;

/**
 * Which wording: of a row that was sent, or of one that is shown before. A skip has its own.
 *
 * @param {Row} row
 * @param {boolean} isSent
 * @returns {Moment}
 */
export function momentOf(row, isSent) {
  return `${row === SKIPPED ? "_skip" : ""}${isSent ? "" : "_listed"}`;
}

/**
 * The two sentences of a row.
 *
 * @param {Record<string, string>} texts
 * @param {Odds} odds
 * @param {Moment} kind "_worst": of the answers that tell most, which are not shown
 * @returns {Said[]}
 */
export function oddsSentences(texts, odds, kind) {
  const n = ofHundred(texts, odds.posteriorOf100);
  const m = ofHundred(texts, odds.evenOf100);
  return [
    {
      lead: texts.odds_posterior_lead,
      text: isAlike(odds) ? texts.odds_expected : fill(texts[`odds_posterior${kind}`], { n }),
    },
    { lead: texts.odds_even_lead, text: fill(texts[`odds_even${kind}`], { m }) },
  ];
}

/**
 * @param {Record<string, string>} texts
 * @param {Odds} odds
 * @param {Moment} kind
 */
export function oddsLabel(texts, odds, kind) {
  const [general, suspicious] = oddsSentences(texts, odds, kind);
  const said = ({ lead, text }, css) =>
    el("p", { class: css }, el("span", { class: "odds-lead" }, lead), " ", text);
  return el(
    "div",
    { class: "odds stack" },
    // A hundred dots that stand out would say "certain", which no sentence does.
    !isAlike(odds) && dots(Math.min(odds.posteriorOf100, 99)),
    said(general, "say"),
    said(suspicious, ""),
  );
}
