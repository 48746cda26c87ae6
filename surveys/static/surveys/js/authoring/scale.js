/**
 * Numbers and places in a definition, as pure functions: each stands alone in a protected part and brings a
 * disguise of its own.
 */

import { blockKeys, freshKey, questionKeys } from "./keys.js";
import { getAt, setAt } from "./paths.js";

export const MECHANISMS = {
  number: ["square_wave", "hybrid", "keep", "piecewise", "duchi", "shift_or_any"],
  place: ["utility_square", "utility_square_equal_area", "utility_grid", "levels", "square", "grid"],
};
/** What is to be known of a number, and what tells it best; other mechanisms are for experts. */
export const PURPOSES = { distribution: "square_wave", average: "hybrid", together: "keep" };
/** Those that send a place outside the sensitive areas as it is. */
export const UTILITY = new Set(["utility_square", "utility_square_equal_area", "utility_grid"]);

const STATED = {
  // Of medium strength.
  number: { mechanism: "square_wave", epsilon: 2.19, low: 0, high: 99, bin: 10 },
  place: { mechanism: "utility_square", epsilon: 2, cell: 100, area: {}, sensitive: [] },
};

export const isScale = (question) => question?.kind === "number" || question?.kind === "place";
export const isScaleBlock = (block) => (block?.questions ?? []).some(isScale);

/** A part of its own at the end. @param {"number" | "place"} kind @returns {{document: any, at: any[]}} */
export function addScale(document, kind) {
  const question = { key: freshKey(questionKeys(document), "question-1"), kind, text: {}, [kind]: STATED[kind] };
  const block = { key: freshKey(blockKeys(document), "part-1"), protected: true, refusal: true, title: {}, questions: [question] };
  const place = document.blocks.length;
  return { document: setAt(document, ["blocks"], [...document.blocks, block]), at: ["blocks", place, "questions", 0] };
}

/**
 * Only randomised response on bins lets bands take part in rules, and only one level of areas lets areas: with
 * another mechanism they go. Rectangles stay, as levels or as one list.
 */
export function setMechanism(document, path, name) {
  const question = getAt(document, path);
  const { options, ...rest } = { ...question, [question.kind]: { ...question[question.kind], mechanism: name } };
  if (question.kind === "number") {
    return setAt(document, path, name === "keep" && options ? { ...rest, options } : rest);
  }
  const isUtility = UTILITY.has(name);
  const next = { ...rest, place: withAreas(rest.place, name, question.place.mechanism === "levels") };
  return setAt(document, path, isUtility && options ? { ...next, options } : next);
}

/** A number that is asked for as a month or a day, or as a number again; ends of another kind are no ends of this one. */
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

function withAreas({ sensitive, epsilon, ...place }, name, wasLevels) {
  const levels = wasLevels ? listOf(sensitive) : null;
  const flat = levels ? levels.flatMap((level) => listOf(level?.rectangles)) : listOf(sensitive);
  const strictest = epsilon ?? levels?.[0]?.epsilon ?? STATED.place.epsilon;
  if (name === "levels") {
    return { ...place, sensitive: levels ?? [{ epsilon: strictest, rectangles: flat }] };
  }
  return UTILITY.has(name) ? { ...place, epsilon: strictest, sensitive: flat } : { ...place, epsilon: strictest };
}

/** The entries of a list; none of what is no list: a draft out of a file may hold anything. */
export const listOf = (value) => (Array.isArray(value) ? value : []);

/** Whether two of some rectangles share ground. */
export function overlap(rectangles) {
  const meets = (one, other) => one.west < other.east && other.west < one.east && one.south < other.north && other.south < one.north;
  const whole = rectangles.filter((each) => each !== null && typeof each === "object");
  return whole.some((one, place) => whole.slice(place + 1).some((other) => meets(one, other)));
}

const same = (one, other) => ["west", "south", "east", "north"].every((edge) => one?.[edge] === other?.[edge]);

/** Where the rectangles of a place question are, or those of one of its levels. */
export const rectanglesAt = (path, level) => (level === undefined ? [...path, "place", "sensitive"] : [...path, "place", "sensitive", level, "rectangles"]);

/** The item of rules that a rectangle is, or -1. */
export function itemOf(question, place) {
  const rectangle = listOf(question.place.sensitive)[place];
  return listOf(question.options).findIndex((option) => listOf(option?.rectangles).length === 1 && same(option.rectangles[0], rectangle));
}

export function addRectangle(document, path, rectangle, level) {
  const here = rectanglesAt(path, level);
  return setAt(document, here, [...listOf(getAt(document, here)), rectangle]);
}

/** A rectangle with another edge; the item that is this rectangle goes with it. */
export function setRectangle(document, path, place, rectangle, level) {
  const item = level === undefined ? itemOf(getAt(document, path), place) : -1;
  const next = setAt(document, [...rectanglesAt(path, level), place], rectangle);
  return item === -1 ? next : setAt(next, [...path, "options", item, "rectangles"], [rectangle]);
}

export function removeRectangle(document, path, place, level) {
  const item = level === undefined ? itemOf(getAt(document, path), place) : -1;
  const next = item === -1 ? document : removeItem(document, path, item);
  const here = rectanglesAt(path, level);
  return setAt(next, here, getAt(next, here).toSpliced(place, 1));
}

const MOST_LEVELS = 8;
export const canAddLevel = (levels) => levels.length < MOST_LEVELS;

/** A level at the end, the least sensitive one: with a larger epsilon than the one before. */
export function addLevel(document, path) {
  const here = [...path, "place", "sensitive"];
  const levels = listOf(getAt(document, here));
  const before = Number(levels.at(-1)?.epsilon);
  return setAt(document, here, [...levels, { epsilon: before > 0 ? Math.min(before + 1, 20) : STATED.place.epsilon, rectangles: [] }]);
}

export function removeLevel(document, path, level) {
  const here = [...path, "place", "sensitive"];
  return setAt(document, here, getAt(document, here).toSpliced(level, 1));
}

/** A level elsewhere in the order; its epsilon and its rectangles go with it. */
export function shiftLevel(document, path, level, by) {
  const here = [...path, "place", "sensitive"];
  const levels = getAt(document, here);
  const to = level + by;
  if (to < 0 || to >= levels.length) {
    return document;
  }
  return setAt(document, here, levels.with(level, levels[to]).with(to, levels[level]));
}

/** One more band or region that can take part in rules. */
export function addItem(document, path, where) {
  const options = getAt(document, [...path, "options"]) ?? [];
  const key = freshKey(options.map((option) => option.key), `option-${options.length + 1}`);
  return setAt(document, [...path, "options"], [...options, { key, text: {}, ...where }]);
}

export function removeItem(document, path, place) {
  const left = getAt(document, [...path, "options"]).toSpliced(place, 1);
  return setAt(document, [...path, "options"], left.length ? left : undefined);
}
