/** The promise in short, on the first page: how often someone who knows most would still be wrong. */

import { fill } from "./dom.js";
import { joined } from "./sentences.js";

/** @typedef {[number | null, number | null][]} Figures certainty in percent, or wrong once in how many times */

/** How many times in 100 someone is wrong at least; infinite without figures. @param {Figures} figures */
const doubt = (figures) => Math.min(...figures.map(([sure, once]) => (sure ? 100 - sure : 100 / once)));

/** It in words: once in so many times if that is less than 1 in 100. @param {Record<string, string>} texts @param {Figures} figures */
function wrong(texts, figures) {
  const n = doubt(figures);
  return n < 1 ? fill(texts.once_in, { n: Math.round(100 / n) }) : fill(texts.of_hundred, { n });
}

/**
 * The worst case of a survey, in short sentences: from one answer, from everything, from "Prefer not to say" if this reveals more
 * than another answer, and from all surveys of a series. Each figure has the definition of the full sentence. With two strengths,
 * that of the weaker one.
 * @param {Record<string, string>} texts
 * @param {...(Whole | null | undefined)} promises
 * @returns {string} empty if there is no promise
 */
export function worstCase(texts, ...promises) {
  const held = promises.filter(Boolean);
  const waves = held.flatMap((whole) => whole.waves ?? []);
  const ones = held.map((whole) => [whole.one_of_100, whole.one_once_in]);
  // Without a skip, or in a promise that is older than its figure, there is no number of times.
  const skips = held.map((whole) => [whole.skip_of_100, whole.skip_once_in]).filter(([, once]) => once !== undefined);
  const all = (list) => wrong(texts, list.map((whole) => [whole.of_100, whole.once_in]));
  const m = all(held);
  const k = wrong(texts, ones);
  const said = [
    // One answer is part of all, so equal figures need one mention.
    k === m ? fill(texts.promise_short_same, { m }) : fill(texts.promise_short, { k, m }),
    doubt(skips) < doubt(ones) && fill(texts.promise_short_skip, { s: wrong(texts, skips) }),
    waves[0] && fill(texts.promise_short_waves, { m: all(waves), w: waves[0].count }),
  ];
  return held[0] ? joined(said) : "";
}
