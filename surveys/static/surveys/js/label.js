/**
 * The label: the promise on how sure anyone could become from everything that is sent and from one answer, and for each part
 * a hundred dots with a sentence that says the same. Shown before the first question, above a part, after sealing, and
 * in the builder.
 */

import { SKIPPED } from "./draws.js";
import { el, fill, svg } from "./dom.js";

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

/** A number of people out of 100, never described as certain. */
function ofHundred(texts, count) {
  return { 0: texts.odds_none, 100: texts.odds_all }[count] ?? String(count);
}

/** Whether everyone is expected to send this row. */
const isAlike = ({ posterior }) => posterior === 1;

/** Join sentences: with a blank, except after a full-width sign, which contains one. @param {string[]} sentences */
export const joined = (sentences) => sentences.reduce((whole, said) => `${whole}${!whole || /[。！？：；]$/.test(whole) ? "" : " "}${said}`, "");

/** A sentence of the promise with its figures. @param {Record<string, string>} texts @param {string} key @param {Figures} figures */
function said(texts, key, { of_100: m, once_in: n, one_of_100: k, one_once_in: l, skip_of_100: s, skip_once_in: t, shared_of_100: f, shared_once_in: o, count: w }) {
  return fill(texts[key], { m, n, k, l, s, t, f, o, w });
}

/** The key of a sentence, for a certainty above 99% if there is no percentage. @param {string} key @param {number | null} sure */
const rare = (key, sure) => (sure === null ? `${key}_rare` : key);

/** The sentences on a skip and on a shared filter; none if there is none, or if the version was published before pages stated it. */
const further = (texts, key, figures) =>
  ["skip", "shared"].flatMap((name) =>
    figures[`${name}_once_in`] === undefined ? [] : [said(texts, rare(`${key}_${name}`, figures[`${name}_of_100`]), figures)],
  );

/**
 * The sentences of the promise, which holds however the answers depend on each other; the same as `promise_sentences` in
 * surveys/questionnaire/promise_words.py.
 *
 * @param {Record<string, string>} texts
 * @param {Whole} whole
 */
export function promiseSentence(texts, whole) {
  const { of_100: m, one_of_100: k, anchors, waves, not_composed: apart } = whole;
  return joined([
    said(texts, m !== null ? "promise" : k !== null ? "promise_rare" : "promise_rare_one", whole),
    ...further(texts, "promise", whole),
    ...(waves
      ? [
          said(texts, rare("promise_waves", waves.of_100), waves),
          said(texts, rare("promise_waves_answer", waves.one_of_100), waves),
          ...further(texts, "promise_waves", waves),
        ]
      : []),
    ...(apart ? [texts.odds_whole_apart] : []),
    ...(anchors ? [texts.odds_whole_anchors] : []),
  ]);
}

/**
 * Whether sentences of a promise are in the file of rare texts: on check questions, a series, a shared filter, or a certainty
 * above 99%.
 *
 * @param {Whole | null} whole
 */
export const isRarePromise = (whole) =>
  [whole?.anchors, whole?.waves, whole?.shared_of_100, whole?.once_in, whole?.one_once_in, whole?.skip_once_in].some(Boolean);

/** The promise in short, without its assumptions; the full text if a percentage is not high enough. */
export function promiseInShort(texts, whole) {
  const { waves, skip_once_in: once } = whole;
  if (whole.of_100 === null || (once ?? null) !== null) {
    return promiseSentence(texts, whole);
  }
  return joined([
    said(texts, once !== undefined ? "promise_short_skip" : "promise_short", whole),
    ...(whole.shared_of_100 ? [said(texts, "promise_short_shared", whole)] : []),
    ...(waves ? [said(texts, rare("promise_short_waves", waves.of_100), waves)] : []),
  ]);
}

/** The promises of all strengths that have one, with the strength if there are two. @returns {string[]} */
export const promisesOf = (texts, whole, light, write = promiseSentence) =>
  [[texts.disguised, whole], [texts.disguised_lightly, light]]
    .filter(([, promised]) => promised)
    .map(([strength, promised]) => `${light ? `${strength}: ` : ""}${write(texts, promised)}`);

/** @param {Record<string, string>} texts @param {Whole | null} whole @param {Whole | null} [light] */
export const promisesSentence = (texts, whole, light) => joined(promisesOf(texts, whole, light));

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
  const [k, n] = [odds.priorOf100, odds.posteriorOf100].map((count) => ofHundred(texts, count));
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
