/**
 * The label of a protected part: how sure anyone could be, as a hundred dots and in sentences that say the same.
 * Made here from the odds of a row, for every moment in which it is shown: before the first question, above a
 * part, after the seal, and to whoever builds the survey.
 *
 * @typedef {{lead: string, text: string}} Said a sentence, and whom it is about
 */

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

/**
 * The two sentences of a row, or one where the answer is expected of everybody alike.
 *
 * @param {Record<string, string>} texts
 * @param {import("./odds.js").Odds} odds
 * @param {"" | "_worst"} kind which wording: of this very row, or of the answers that tell most
 * @returns {Said[]}
 */
export function oddsSentences(texts, { posterior, posteriorOf100, evenOf100 }, kind) {
  const even = {
    lead: texts.odds_even_lead,
    text: fill(texts[`odds_even${kind}`], { m: ofHundred(texts, evenOf100) }),
  };
  // Nobody, or everybody, is expected to answer so: no hundred people can be counted.
  if (posterior === 0 || posterior === 1) {
    return [{ lead: texts.odds_posterior_lead, text: texts.odds_expected }, even];
  }
  const n = ofHundred(texts, posteriorOf100);
  return [{ lead: texts.odds_posterior_lead, text: fill(texts[`odds_posterior${kind}`], { n }) }, even];
}

/**
 * @param {Record<string, string>} texts
 * @param {import("./odds.js").Odds} odds
 * @param {"" | "_worst"} kind
 */
export function oddsLabel(texts, odds, kind) {
  const [general, suspicious] = oddsSentences(texts, odds, kind);
  const said = ({ lead, text }, css) =>
    el("p", { class: css }, el("span", { class: "odds-lead" }, lead), " ", text);
  return el(
    "div",
    { class: "odds stack" },
    dots(odds.posteriorOf100),
    said(general, "say"),
    said(suspicious, ""),
  );
}
