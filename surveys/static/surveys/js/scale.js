/**
 * Numbers and places: their controls, their answers in words, and what is promised to respondents. Loaded only if a survey
 * asks for one.
 */

import { lostOf100 } from "./draws.js";
import { levelOf, passing, placeAmplification } from "./places.js";
import { el, fill } from "./dom.js";
import { numberShown } from "./number-field.js";
import { isPartlyExact } from "./parts.js";
import { placeShown } from "./place-field.js";

/** By kind: its control, an answer in words, and a text by name. */
const SHOWN = { number: numberShown, place: placeShown };

/** @param {Asked} asked */
export const control = (asked) => SHOWN[asked.question.kind].control(asked);

/** An answer in words; `picture` adds a map for a place. */
export const words = (question, wording, texts, value, how = {}) =>
  SHOWN[question.kind].words(question, wording, texts, value, how);

/** Levels of sensitive areas; empty for a number. */
const levelsOf = ({ disguise: { levels = [] } }) => levels;

/** How many times likelier one place can make a report than another place, rounded up. */
export function amplification(disguise) {
  const { up, down } = placeAmplification(disguise);
  return Number((up * 1000n + down - 1n) / down) / 1000;
}

/** Probability in percent that a place outside the sensitive areas is sent undisguised. */
const exactOf100 = ({ levels }) => 100 * levels.reduce((product, level) => product * passing(level), 1);

const percent = (texts, share) => (share > 99.4 ? texts.odds_all : share < 0.5 ? texts.odds_none : String(Math.round(share)));

/** The largest certainty in percent, rounded up, of someone who starts at 50:50, if one of two cases is `ratio` times likelier. */
export const evenOf100 = (ratio) => (ratio > 99 ? 100 : Math.ceil((100 * ratio) / (1 + ratio)));

const even = (texts, ratio) => percent(texts, evenOf100(ratio));

const paragraphs = (lines) => lines.map((line) => el("p", {}, line));

/** The sentence on how well a report hides the place; with several levels, also on what it reveals about the level. */
const inside = ({ levels }, texts, ratio) =>
  levels.length > 1
    ? fill(texts.place_levels, { count: levels.length, m: even(texts, ratio) })
    : fill(texts.place_where, { m: even(texts, ratio) });

/** The percentage sent as "skipped"; for a place also the bound between a skip and an answer, which is that of the first level. */
function hidden(block, texts) {
  const levels = levelsOf(block.questions[0]).slice(0, 1);
  const lost = percent(texts, lostOf100(block));
  // The promise already contains the bound of a number.
  return levels.length ? { lost, m: even(texts, amplification({ levels })) } : { lost };
}

/** What protects a skip. */
function skipping(block, texts) {
  const isOne = levelsOf(block.questions[0]).length < 2;
  const all = !isPartlyExact(block.questions);
  return fill(isOne ? (all ? texts.scale_skip : texts.place_skip) : texts.place_skip_levels, hidden(block, texts));
}

/** How likely a place that was sent from inside the areas really is in one. */
const likely = ({ refusal, questions: [{ disguise }] }, texts) =>
  fill(refusal === null ? texts.place_likely : texts.place_likely_skip, { m: percent(texts, 100 / (2 - exactOf100(disguise) / 100)) });

/**
 * The text before a number or a place is answered: what the device does, and folded, how sure anyone could become. The promise
 * is left out for a place whose bound it does not cover.
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

/** The bound of a place with several levels; the promise contains the bounds of numbers and of places with one level. */
const levelsSaid = (question, texts) =>
  levelsOf(question).length > 1
    ? [inside(question.disguise, texts, amplification(question.disguise))]
    : [];

/** For places sent undisguised outside the sensitive areas: how often, and what a place inside reveals. */
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

/** The short text before the first question and after sealing; `value` is what was sent, if anything, and null is a skip. */
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
