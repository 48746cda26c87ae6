/** The promise in full: how sure anyone could become from everything that is sent and from one answer. */

import { fill } from "./dom.js";
import { labelled } from "./joints.js";
import { joined } from "./sentences.js";

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
          ...(waves.takes_turns
            ? [texts.promise_turns]
            : [said(texts, rare("promise_waves_answer", waves.one_of_100), waves), ...further(texts, "promise_waves", waves)]),
        ]
      : []),
    ...(apart ? [texts.odds_whole_apart] : []),
    ...(anchors ? [texts.odds_whole_anchors] : []),
  ]);
}

/** The promises of all strengths that have one, with the strength if there are two. @returns {string[]} */
export const promisesOf = (texts, whole, light) =>
  [[texts.disguised, whole], [texts.disguised_lightly, light]]
    .filter(([, promised]) => promised)
    .map(([strength, promised]) => (light ? labelled(strength, promiseSentence(texts, promised)) : promiseSentence(texts, promised)));
