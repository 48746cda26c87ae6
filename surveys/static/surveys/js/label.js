/**
 * The label: how sure anyone could be, of all that is sent, and of each part as a hundred dots and in sentences that
 * say the same. Shown before the first question, above a part, after the seal, and in the builder.
 */

import { SKIPPED } from "./disguise.js";
import { el, fill, svg } from "./dom.js";
import { skipOf100 } from "./odds.js";

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
export function ofHundred(texts, count) {
  return { 0: texts.odds_none, 100: texts.odds_all }[count] ?? String(count);
}

/** Whether everybody is expected to send this row. */
const isAlike = ({ posterior }) => posterior === 1;

/**
 * The first line, over all parts: it holds whatever the answers have to do with each other.
 *
 * @param {Record<string, string>} texts
 * @param {Whole} whole
 */
export function wholeSentence(texts, { of_100: m, once_in: n }) {
  const lang = globalThis.document?.documentElement.lang;
  return n === null ? fill(texts.odds_whole_most, { m }) : fill(texts.odds_whole_rare, { n: n.toLocaleString(lang) });
}

/**
 * @param {Record<string, string>} texts
 * @param {Whole | null} whole null where no part has a bound
 * @param {boolean} isDirect whether answers are, or may be, sent directly
 * @param {Whole | null} [light] of the lightly disguised
 */
export function wholeLabel(texts, whole, isDirect, light) {
  return (
    (whole || isDirect) &&
    el(
      "div",
      { class: "stack" },
      whole && el("p", {}, `${texts.odds_whole} ${light ? `${texts.disguised}: ` : ""}${wholeSentence(texts, whole)}`),
      light && el("p", {}, `${texts.disguised_lightly}: ${wholeSentence(texts, light)}`),
      whole?.not_composed && el("p", {}, texts.odds_whole_apart),
      isDirect && el("p", {}, texts.odds_direct),
    )
  );
}

/** What an expert asks next: what that figure assumes, and what those of single parts leave out. */
export const wholeNotes = (texts, whole) =>
  whole ? [el("p", {}, texts.odds_whole_any), whole.parts > 1 && el("p", {}, texts.odds_alone)] : [];

/**
 * The two sentences of a row of one part.
 *
 * @param {Record<string, string>} texts
 * @param {Odds} odds
 * @param {Row} row
 * @param {boolean} [isShown] whether the reader sees the row
 * @returns {Said[]}
 */
export function oddsSentences(texts, odds, row, isShown = true) {
  const isSkip = row === SKIPPED;
  const [k, n, m] = [odds.priorOf100, odds.posteriorOf100, odds.evenOf100].map((count) => ofHundred(texts, count));
  const general = isSkip ? texts.odds_posterior_skip : isShown ? texts.odds_posterior : texts.odds_posterior_worst;
  return [
    {
      lead: texts.odds_posterior_lead,
      text: isAlike(odds) ? texts.odds_expected : fill(general, { k, n }),
    },
    { lead: texts.odds_even_lead, text: fill(isSkip ? texts.odds_even_skip : texts.odds_even, { m }) },
  ];
}

/** How sure a skip that is sent could make somebody that a part was skipped. @param {Block} block of one strength, with a coin */
export const skipSentence = (texts, block) => fill(texts.odds_skipped, { m: ofHundred(texts, skipOf100(block)) });

/** As `oddsSentences`, with the picture. */
export function oddsLabel(texts, odds, row, isShown) {
  const [general, suspicious] = oddsSentences(texts, odds, row, isShown);
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
