/**
 * Numbers and places: their controls, what they are in words, and what holds for whoever answers. Loaded only where
 * a survey asks for one.
 */

import { lostOf100 } from "./disguise.js";
import { levelOf, passing, placeAmplification } from "./places.js";
import { el, fill } from "./dom.js";
import { numberShown } from "./number-field.js";
import { isPartlyExact } from "./parts.js";
import { placeShown } from "./place-field.js";

/** By kind: its control, an answer in words, and the sentence of a name. */
const SHOWN = { number: numberShown, place: placeShown };

/** @param {Asked} asked */
export const control = (asked) => SHOWN[asked.question.kind].control(asked);

/** An answer in words; `picture`: a place on its map too. */
export const words = (question, wording, texts, value, how = {}) =>
  SHOWN[question.kind].words(question, wording, texts, value, how);

/** Levels of sensitive areas; none of a number. */
const levelsOf = ({ disguise: { levels = [] } }) => levels;

/** How many times likelier one place can make what is sent than another one: as a number, rounded up. */
export function amplification(disguise) {
  const { up, down } = placeAmplification(disguise);
  return Number((up * 1000n + down - 1n) / down) / 1000;
}

/** Chance, of 100, that a place outside the sensitive areas is sent as it is. */
const exactOf100 = ({ levels }) => 100 * levels.reduce((product, level) => product * passing(level), 1);

const percent = (texts, share) => (share > 99.4 ? texts.odds_all : share < 0.5 ? texts.odds_none : String(Math.round(share)));

/** People of 100 that an even chance becomes at most, of two things of which one is so much likelier: rounded up. */
export const evenOf100 = (ratio) => (ratio > 99 ? 100 : Math.ceil((100 * ratio) / (1 + ratio)));

const even = (texts, ratio) => percent(texts, evenOf100(ratio));

const paragraphs = (lines) => lines.map((line) => el("p", {}, line));

/** What stays open between the places that a bound covers; places of several levels are told apart by it. */
const inside = ({ levels }, texts, ratio) =>
  levels.length > 1
    ? fill(texts.place_levels, { count: levels.length, m: even(texts, ratio) })
    : fill(texts.place_where, { m: even(texts, ratio) });

/** How much is sent as "skipped" besides, and of a place the bound between a skip and an answer: that of the first level. */
function hidden(block, texts) {
  const levels = levelsOf(block.questions[0]).slice(0, 1);
  const lost = percent(texts, lostOf100(block));
  // The promise has the bound of a number.
  return levels.length ? { lost, m: even(texts, amplification({ levels })) } : { lost };
}

/** What hides a skip. */
function skipping(block, texts) {
  const isOne = levelsOf(block.questions[0]).length < 2;
  const all = !isPartlyExact(block.questions);
  return fill(isOne ? (all ? texts.scale_skip : texts.place_skip) : texts.place_skip_levels, hidden(block, texts));
}

/** What a place that is sent from inside the areas says of being in one. */
const likely = ({ refusal, questions: [{ disguise }] }, texts) =>
  fill(refusal === null ? texts.place_likely : texts.place_likely_skip, { m: percent(texts, 100 / (2 - exactOf100(disguise) / 100)) });

/**
 * What stands before a number or a place is answered: what the device does in 40 words, and how sure one could be, folded.
 * The promise is left out of a place whose bound it leaves out.
 */
export function promises(block, texts, promise) {
  const [question] = block.questions;
  const isPlace = levelsOf(question).length > 0;
  const isPartly = isPartlyExact(block.questions);
  const canSkip = block.refusal !== null;
  const own = isPartly ? areasSaid(block, texts) : levelsSaid(question, texts);
  const folded = [
    ...(own.length > 0 ? own : [promise]),
    ...(isPlace ? [texts.place_again, texts.place_network] : []),
    ...(canSkip ? [skipping(block, texts)] : []),
  ];
  return [
    ...paragraphs([
      isPartly ? texts.place_short : SHOWN[question.kind].word(question, texts, "how"),
      ...(isPlace ? [texts.place_own] : []),
      canSkip ? texts.scale_may_skip : texts.scale_whole,
    ]),
    el("details", {}, el("summary", {}, texts.odds_summary), ...paragraphs(folded)),
  ];
}

/** The bound of a place of several levels; that of a number, or of a place of one level, is in the promise. */
const levelsSaid = (question, texts) =>
  levelsOf(question).length > 1
    ? [inside(question.disguise, texts, amplification(question.disguise))]
    : [];

/** Where places outside the sensitive areas are sent as they are: how often, and what one inside says. */
function areasSaid(block, texts) {
  const [{ disguise }] = block.questions;
  const share = percent(texts, exactOf100(disguise) * (1 - lostOf100(block) / 100));
  return [
    texts.place_how_areas,
    fill(block.refusal === null ? texts.place_exact : texts.place_exact_skip, { share }),
    likely(block, texts),
    inside(disguise, texts, amplification(disguise)),
  ];
}

/** In short, before the first question and after the seal; `value` is what was sent, if anything; null is a skip. */
export const bounds = (block, texts, value) => el("div", { class: "stack" }, ...paragraphs(short(block, texts, value)));

function short(block, texts, value) {
  const [question] = block.questions;
  const { disguise: windows } = question;
  if (value === null) {
    return [fill(texts.scale_skip_sent, hidden(block, texts))];
  }
  if (!isPartlyExact(block.questions)) {
    const said = levelsSaid(question, texts);
    return said.length > 0 ? said : [SHOWN[question.kind].word(question, texts, "how")];
  }
  const where = inside(windows, texts, amplification(windows));
  if (value !== undefined && levelOf(windows, value) === windows.levels.length) {
    return [texts.place_sent_exact];
  }
  return [value === undefined ? texts.place_short : likely(block, texts), where];
}
