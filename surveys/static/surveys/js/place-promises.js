/** What is promised to respondents about a place. */

import { even, percent } from "./certainty.js";
import { fill } from "./dom.js";
import { lostOf100 } from "./draws.js";
import { isPartlyExact } from "./parts.js";
import { levelOf, passing, placeAmplification } from "./place-draw.js";

/** How many times likelier one place can make a report than another place, rounded up. */
export function amplification(disguise) {
  const { up, down } = placeAmplification(disguise);
  return Number((up * 1000n + down - 1n) / down) / 1000;
}

/** Probability in percent that a place outside the sensitive areas is sent undisguised. */
const exactOf100 = ({ levels }) => 100 * levels.reduce((product, level) => product * passing(level), 1);

/** The sentence on how well a report hides the place; with several levels, also on what it reveals about the level. */
const inside = (disguise, texts) =>
  fill(disguise.levels.length > 1 ? texts.place_levels : texts.place_where, {
    count: disguise.levels.length,
    m: even(texts, amplification(disguise)),
  });

/** How sure someone who starts at 50:50 becomes that a place sent from inside the areas really is in one, at most. */
const likely = ({ refusal, questions: [{ disguise }] }, texts) =>
  fill(refusal === null ? texts.place_likely : texts.place_likely_skip, { m: even(texts, 1 / (1 - exactOf100(disguise) / 100)) });

/** For places sent undisguised outside the sensitive areas: how often, and what a place inside reveals. */
function areasSaid(block, texts) {
  const [{ disguise }] = block.questions;
  const share = percent(texts, exactOf100(disguise) * (1 - lostOf100(block) / 100));
  return [
    texts.place_how_areas,
    fill(block.refusal === null ? texts.place_exact : texts.place_exact_skip, { share }),
    likely(block, texts),
    inside(disguise, texts),
  ];
}

/** The bound of a place with several levels, which the promise does not contain. */
const levelsSaid = ({ disguise }, texts) => disguise.levels.length > 1 && inside(disguise, texts);

export const placePromises = {
  first: ({ questions }, texts) => [isPartlyExact(questions) ? texts.place_short : texts.place_how, texts.place_own],
  folded: (block, texts, promise) => [
    ...(isPartlyExact(block.questions) ? areasSaid(block, texts) : [levelsSaid(block.questions[0], texts) || promise]),
    texts.place_again,
    texts.place_network,
  ],
  skipping: ({ questions }) =>
    questions[0].disguise.levels.length > 1 ? "place_skip_levels" : isPartlyExact(questions) ? "place_skip" : "scale_skip",
  // The bound between a skip and an answer is that of the first level.
  hidden: ({ questions: [{ disguise }] }, texts) => ({ m: even(texts, amplification({ levels: [disguise.levels[0]] })) }),
  short: (block, texts, value) => {
    const [question] = block.questions;
    const { disguise } = question;
    if (!isPartlyExact(block.questions)) {
      return [levelsSaid(question, texts) || texts.place_how];
    }
    if (value !== undefined && levelOf(disguise, value) === disguise.levels.length) {
      return [texts.place_sent_exact];
    }
    return [value === undefined ? texts.place_short : likely(block, texts), inside(disguise, texts)];
  },
};
