/** The promise in short, on the first page: how often someone who knows most would still be wrong. */

import { fill } from "./dom.js";
import { joined } from "./sentences.js";

/**
 * The least share of times that someone is wrong: of 100, or once in so many if that is less than 1 in 100.
 * @param {Record<string, string>} texts @param {[number | null, number | null][]} figures certainty in percent, or once in how many
 */
function wrong(texts, figures) {
  const rare = figures.flatMap(([sure, once]) => (sure === null ? [once] : []));
  return rare.length
    ? fill(texts.once_in, { n: Math.max(...rare) })
    : fill(texts.of_hundred, { n: 100 - Math.max(...figures.map(([sure]) => sure)) });
}

/** A promise's figures on one answer, of which "Prefer not to say" is one if it is offered. @param {Whole} whole @returns {[number | null, number | null][]} */
const ofOne = ({ one_of_100: k, one_once_in: l, skip_of_100: s, skip_once_in: t }) => [[k, l], ...(t === undefined ? [] : [[s, t]])];

/**
 * The worst case of a survey, in one or two sentences: from one answer, from everything, and from all surveys of a series. With
 * two strengths, that of the weaker one.
 * @param {Record<string, string>} texts
 * @param {...(Whole | null | undefined)} promises
 * @returns {string} empty if there is no promise
 */
export function worstCase(texts, ...promises) {
  const held = promises.filter(Boolean);
  const waves = held.flatMap((whole) => whole.waves ?? []);
  if (!held.length) {
    return "";
  }
  const k = wrong(texts, held.flatMap(ofOne));
  const all = (list) => wrong(texts, list.map((whole) => [whole.of_100, whole.once_in]));
  const m = all(held);
  return joined([
    // One answer is part of all, so equal figures need one mention.
    k === m ? fill(texts.promise_short_same, { m }) : fill(texts.promise_short, { k, m }),
    ...(waves.length ? [fill(texts.promise_short_waves, { m: all(waves), w: waves[0].count })] : []),
  ]);
}
