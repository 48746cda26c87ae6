/**
 * Numbers and places in a definition, as pure functions. Each has a separate part. A protected one has its own disguise;
 * a number can also be stored as answered.
 */

import { blockKeys, freshKey, questionKeys } from "./keys.js";
import { kindOf } from "./kinds.js";
import { getAt, setAt } from "./paths.js";

export const MECHANISMS = {
  number: ["square_wave", "hybrid", "keep"],
  place: ["utility_square", "utility_square_equal_area", "utility_grid", "square", "grid"],
};
/** The best mechanism for each purpose of a number. */
export const PURPOSES = { distribution: "square_wave", average: "hybrid", together: "keep" };
/** Mechanisms that send places outside the sensitive areas undisguised. */
export const UTILITY = new Set(["utility_square", "utility_square_equal_area", "utility_grid"]);

const STATED = {
  // Medium strength; a place is protected wherever it is on the map.
  number: { mechanism: "square_wave", epsilon: 1.38, low: 0, high: 99, bin: 10 },
  place: { mechanism: "square", epsilon: 1.38, cell: 100, area: {} },
};

export const isScaleBlock = (block) => (block?.questions ?? []).some((question) => kindOf(question).isScale);
export const isNumberBlock = (block) => (block?.questions ?? []).some((question) => kindOf(question).canBeStored);

/** Add a part with one number or place at the end. @param {"number" | "place"} kind @returns {{document: any, at: any[]}} */
export function addScale(document, kind) {
  const question = { key: freshKey(questionKeys(document), "question-1"), kind, text: {}, [kind]: STATED[kind] };
  const block = { key: freshKey(blockKeys(document), "part-1"), protected: true, refusal: true, title: {}, questions: [question] };
  const place = document.blocks.length;
  return { document: setAt(document, ["blocks"], [...document.blocks, block]), at: ["blocks", place, "questions", 0] };
}

/** A part that disguises this one number, in the place of one that shares a coin. */
export function blockOfOneNumber(block, question) {
  const { truth_probability: _, light: __, refusal, questions_per_person: ___, booklets: ____, exclusive: _____, ...rest } = block;
  const { mechanism, epsilon } = STATED.number;
  const number = { ...question, number: { mechanism, epsilon, ...question.number } };
  return { ...rest, ...(refusal ? { refusal: true } : {}), questions: [number] };
}

/** Largest number of bins of a range, as MOST_BINS in privacy/scales/number_range.py. */
const MOST_BINS = 10_000;

/**
 * The part of a number, switched to disguised or to stored as answered. The latter has no disguise and one bin per answer.
 * As in surveys/questionnaire/stated_number.py.
 */
export function numberBlock(block, isProtected) {
  const { truth_probability: _, light: __, refusal: ___, no_skip: ____, protected: _____, key, ...rest } = block;
  const made = isProtected ? disguised : stored;
  const questions = block.questions.map((question) => ({ ...question, number: made(question) }));
  return { key, protected: isProtected, ...(isProtected ? { refusal: true } : {}), ...rest, questions };
}

function stored({ number: { mechanism: _, epsilon: __, ...number } }) {
  const [, values] = ticksOf(number);
  const { decimals = 0 } = number;
  // Smaller numbers would be written as a power of ten.
  return values >= 2 && values <= MOST_BINS && decimals <= 4 ? { ...number, bin: 10 ** -decimals } : number;
}

/** Only one mechanism supports bands in rules, and fewer bins work better. */
function disguised({ number, options = [] }) {
  const mechanism = options.length ? "keep" : STATED.number.mechanism;
  const [low, values] = ticksOf(number);
  const cuts = options.flatMap(({ from, to }) => [ticks(number, from) - low, ticks(number, to) + 1 - low]);
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  const widest = cuts.reduce(divisor, values);
  const bin = cuts.length && widest > 0 && widest < values ? { bin: widest / 10 ** (number.decimals ?? 0) } : {};
  return { mechanism, epsilon: STATED.number.epsilon, ...number, ...bin };
}

const ticks = ({ decimals = 0 }, value) => Math.round(Number(value) * 10 ** decimals);

/** The lowest value, and the number of values; NaN if an end is missing or a date. */
function ticksOf(number) {
  const low = ticks(number, number.low ?? NaN);
  return [low, number.calendar ? NaN : ticks(number, number.high ?? NaN) - low + 1];
}

/**
 * Set the mechanism. Bands in rules need randomised response on bins, and regions need sensitive areas, so other
 * mechanisms remove them.
 */
export function setMechanism(document, path, name) {
  const question = getAt(document, path);
  const { options, ...rest } = { ...question, [question.kind]: { ...question[question.kind], mechanism: name } };
  const isUtility = UTILITY.has(name);
  const next = rest.place ? { ...rest, place: withAreas(rest.place, isUtility) } : rest;
  return setAt(document, path, (isUtility || name === "keep") && options ? { ...next, options } : next);
}

/** Switch a number between month, day and plain number; ends of another kind are removed. */
export function setCalendar(document, path, calendar) {
  const question = getAt(document, path);
  const { low, high, bin, decimals, unit, calendar: before, ...rest } = question.number;
  if (calendar === before) {
    return document;
  }
  const ends = calendar ? { calendar, bin: 1 } : { low: STATED.number.low, high: STATED.number.high, bin: STATED.number.bin };
  const options = question.options?.map(({ from, to, ...option }) => option);
  return setAt(document, path, { ...question, number: { ...rest, ...ends }, ...(options ? { options } : {}) });
}

const withAreas = ({ sensitive, ...place }, isUtility) => (isUtility ? { ...place, sensitive: listOf(sensitive) } : place);

/** The entries of a list; none if the value is not a list, because a draft from a file may contain anything. */
export const listOf = (value) => (Array.isArray(value) ? value : []);

/** Whether any two rectangles overlap. */
export function overlap(rectangles) {
  const meets = (one, other) => one.west < other.east && other.west < one.east && one.south < other.north && other.south < one.north;
  const whole = rectangles.filter((each) => each !== null && typeof each === "object");
  return whole.some((one, place) => whole.slice(place + 1).some((other) => meets(one, other)));
}

export const EDGES = ["west", "south", "east", "north"];

const same = (one, other) => EDGES.every((edge) => one?.[edge] === other?.[edge]);

/** The index of the item of a rectangle, or -1. */
export function itemOf(question, place) {
  const rectangle = listOf(question.place.sensitive)[place];
  return listOf(question.options).findIndex((option) => listOf(option?.rectangles).length === 1 && same(option.rectangles[0], rectangle));
}

const areasAt = (path) => [...path, "place", "sensitive"];

export function addRectangle(document, path, rectangle) {
  const here = areasAt(path);
  return setAt(document, here, [...listOf(getAt(document, here)), rectangle]);
}

/** Replace a rectangle, also in its item. */
export function setRectangle(document, path, place, rectangle) {
  const item = itemOf(getAt(document, path), place);
  const next = setAt(document, [...areasAt(path), place], rectangle);
  return item === -1 ? next : setAt(next, [...path, "options", item, "rectangles"], [rectangle]);
}

export function removeRectangle(document, path, place) {
  const item = itemOf(getAt(document, path), place);
  const next = item === -1 ? document : removeItem(document, path, item);
  const here = areasAt(path);
  return setAt(next, here, getAt(next, here).toSpliced(place, 1));
}

/** Add a band or region that rules can use. */
export function addItem(document, path, where) {
  const options = getAt(document, [...path, "options"]) ?? [];
  const key = freshKey(options.map((option) => option.key), `option-${options.length + 1}`);
  return setAt(document, [...path, "options"], [...options, { key, text: {}, ...where }]);
}

export function removeItem(document, path, place) {
  const left = getAt(document, [...path, "options"]).toSpliced(place, 1);
  return setAt(document, [...path, "options"], left.length ? left : undefined);
}
