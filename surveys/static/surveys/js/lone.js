/**
 * Numbers and places: their controls, what they are in words, and what holds for whoever answers. Loaded only where
 * a survey asks for one.
 */

import { bins } from "./numbers.js";
import { isExactOutside, levelOf } from "./places.js";
import { el, fill } from "./dom.js";
import { mapPicture } from "./map.js";
import { lostOf100 } from "./skipping.js";
import { numberControl, numberWords } from "./number-field.js";
import { placeControl, placeWords } from "./place-field.js";

/** @param {import("./question.js").Asked} asked */
export function control(asked) {
  return (asked.question.kind === "number" ? numberControl : placeControl)(asked);
}

/** An answer in words, a place on its map too. */
export function words(question, wording, texts, value, { isSent = false, picture = false } = {}) {
  if (question.kind === "number") {
    return numberWords(question, wording, texts, value, isSent);
  }
  const text = placeWords(question, wording, texts, value);
  return picture ? el("span", {}, text, mapPicture(question.disguise, { outline: wording.outline, cell: value })) : text;
}

/**
 * How many times likelier one answer can make what is sent than another one: as a number, rounded up.
 * Twin of Band.amplification and of the levels' in privacy/disguise.
 */
export function amplification({ kind, disguise }) {
  const ratios =
    kind === "place"
      ? disguise.levels.map(({ numerator, denominator }) => [BigInt(numerator), BigInt(denominator)])
      : numberRatios(disguise);
  const [up, down] = ratios.reduce((most, each) => (each[0] * most[1] > most[0] * each[1] ? each : most));
  return Number((up * 1000n + down - 1n) / down) / 1000;
}

function numberRatios(band) {
  const [floor, peak, coin, lean, step] = ["floor", "peak", "coin", "lean", "step"].map((name) => BigInt(band[name]));
  const range = step * BigInt(bins(band.range) - 1);
  const grid = band.window === 0 ? [] : [[floor + peak, floor]];
  return coin === 0n ? grid : [...grid, [lean + range, lean], [coin - lean, coin - lean - range]];
}

/** Chance, of 100, that a place outside the sensitive areas is sent as it is. */
function exactOf100({ levels }) {
  const kept = levels.map(({ numerator, denominator, rectangles, frames }) => {
    const near = (Number(numerator) - Number(denominator)) * frames[0][4] * frames[0][5];
    const cells = rectangles.reduce((sum, [, , width, height]) => sum + width * height, 0);
    return near / (near + Number(denominator) * cells);
  });
  return 100 * kept.reduce((product, each) => product * each, 1);
}

const percent = (texts, share) => (share > 99.4 ? texts.odds_all : share < 0.5 ? texts.odds_none : String(Math.round(share)));

/** What somebody would say who held two things for equally likely, of which one is so much likelier at most. */
const even = (texts, ratio) => percent(texts, Math.min(100 * (ratio / (1 + ratio)), 100));

/** One digit after the point, rounded up: a bound must not be said too low. */
const rounded = (ratio) => String(Math.ceil(10 * ratio) / 10);

const paragraphs = (lines) => lines.map((line) => el("p", {}, line));

/** What stays open between the places that a bound covers; places of several levels are told apart by it. */
const inside = ({ levels }, texts, ratio) =>
  levels.length > 1
    ? fill(texts.place_levels, { count: levels.length, m: even(texts, ratio) })
    : fill(texts.place_where, { m: even(texts, ratio) });

/** Whether the part can be skipped, and what a skip then hides among: everything, or what the first level sends. */
function skipping(block, texts) {
  const [question] = block.questions;
  if (block.refusal === null) {
    return texts.lone_whole;
  }
  const { kind, disguise } = question;
  const line = { lost: percent(texts, lostOf100(block)), m: even(texts, skipAmplification(question)) };
  if (kind === "number" || (disguise.levels.length === 1 && !isExactOutside(disguise))) {
    return fill(texts.lone_skip, line);
  }
  return fill(disguise.levels.length === 1 ? texts.place_skip : texts.place_skip_levels, line);
}

/** The same for what is told apart from a skip: of several levels of places, by the first alone. */
function skipAmplification({ kind, disguise }) {
  return amplification({ kind, disguise: kind === "place" ? { ...disguise, levels: disguise.levels.slice(0, 1) } : disguise });
}

/** What stands before a number or a place is answered. */
export function promises(block, texts) {
  const [question] = block.questions;
  const ratio = amplification(question);
  const skip = el("p", {}, skipping(block, texts));
  if (question.kind === "number") {
    return [...paragraphs([texts.number_how, fill(texts.number_odds, { ratio: rounded(ratio), m: even(texts, ratio) })]), skip];
  }
  const windows = question.disguise;
  const list = (lines) => el("ul", { class: "stack" }, ...lines.map((line) => el("li", {}, line)));
  const isLevelled = windows.levels.length > 1;
  const where = inside(windows, texts, ratio);
  const common = [texts.place_own, texts.place_again, texts.place_network];
  if (!isExactOutside(windows)) {
    const odds = isLevelled ? where : fill(texts.place_odds, { ratio: rounded(ratio), m: even(texts, ratio) });
    return [...paragraphs([texts.place_how, odds]), list(common), skip];
  }
  const exact = exactOf100(windows);
  const isSkippable = block.refusal !== null;
  const sent = isSkippable ? exact * (1 - lostOf100(block) / 100) : exact;
  return [
    el("p", {}, texts.place_how_areas),
    list([
      fill(isSkippable ? texts.place_exact_skip : texts.place_exact, { share: percent(texts, sent) }),
      fill(isSkippable ? texts.place_likely_skip : texts.place_likely, { m: percent(texts, 100 / (2 - exact / 100)) }),
      where,
      ...common,
    ]),
    skip,
  ];
}

/**
 * In short, before the first question and after the seal; `value` is what was sent, where something was, and null
 * where that was "skipped".
 */
export function bounds(block, texts, value) {
  const [question] = block.questions;
  const ratio = amplification(question);
  const line = { m: even(texts, ratio), ratio: rounded(ratio) };
  if (value === null) {
    const skip = { lost: percent(texts, lostOf100(block)), m: even(texts, skipAmplification(question)) };
    return el("p", {}, fill(texts.lone_skip_sent, skip));
  }
  if (question.kind === "number") {
    return el("p", {}, fill(texts.number_odds, line));
  }
  const windows = question.disguise;
  if (!isExactOutside(windows)) {
    return el("p", {}, windows.levels.length > 1 ? inside(windows, texts, ratio) : fill(texts.place_odds, line));
  }
  if (value === undefined) {
    return el("div", { class: "stack" }, ...paragraphs([texts.place_short, inside(windows, texts, ratio)]));
  }
  if (levelOf(windows, value) === windows.levels.length) {
    return el("p", {}, texts.place_sent_exact);
  }
  const likely = fill(block.refusal === null ? texts.place_likely : texts.place_likely_skip, { m: percent(texts, 100 / (2 - exactOf100(windows) / 100)) });
  return el("div", { class: "stack" }, ...paragraphs([likely, inside(windows, texts, ratio)]));
}
