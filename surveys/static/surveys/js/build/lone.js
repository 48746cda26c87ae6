/**
 * Numbers and places in a definition, as pure functions: each stands alone in a protected part and brings a
 * disguise of its own.
 */

import { blockKeys, freshKey, questionKeys } from "./keys.js";
import { getAt, setAt } from "./paths.js";

export const MECHANISMS = {
  number: ["square_wave", "hybrid", "keep", "piecewise", "duchi"],
  place: ["utility_square", "utility_square_equal_area", "utility_grid", "square", "grid"],
};
/** Those that send a place outside the sensitive areas as it is. */
export const UTILITY = new Set(["utility_square", "utility_square_equal_area", "utility_grid"]);

const STATED = {
  number: { mechanism: "square_wave", epsilon: 2, low: 0, high: 99, bin: 10 },
  place: { mechanism: "utility_square", epsilon: 2, cell: 100, area: {}, sensitive: [] },
};

export const isLone = (question) => question?.kind === "number" || question?.kind === "place";
export const isLoneBlock = (block) => (block?.questions ?? []).some(isLone);

/** A part of its own at the end. @param {"number" | "place"} kind @returns {{document: any, at: any[]}} */
export function addLone(document, kind) {
  const question = { key: freshKey(questionKeys(document), "question-1"), kind, text: {}, [kind]: STATED[kind] };
  const block = { key: freshKey(blockKeys(document), "part-1"), protected: true, title: {}, questions: [question] };
  const place = document.blocks.length;
  return { document: setAt(document, ["blocks"], [...document.blocks, block]), at: ["blocks", place, "questions", 0] };
}

/** Only randomised response on bins lets bands take part in rules: with another mechanism they go. */
export function setMechanism(document, path, name) {
  const question = getAt(document, path);
  const { options, ...rest } = { ...question, [question.kind]: { ...question[question.kind], mechanism: name } };
  if (question.kind === "number") {
    return setAt(document, path, name === "keep" && options ? { ...rest, options } : rest);
  }
  const isUtility = UTILITY.has(name);
  const { sensitive, ...place } = rest.place;
  const next = { ...rest, place: isUtility ? { ...place, sensitive: sensitive ?? [] } : place };
  return setAt(document, path, isUtility && options ? { ...next, options } : next);
}

const same = (one, other) => ["west", "south", "east", "north"].every((edge) => one?.[edge] === other?.[edge]);

/** The item of rules that a rectangle is, or -1. */
export function itemOf(question, place) {
  const rectangle = question.place.sensitive[place];
  return (question.options ?? []).findIndex(({ rectangles }) => rectangles.length === 1 && same(rectangles[0], rectangle));
}

export function addRectangle(document, path, rectangle) {
  const sensitive = getAt(document, [...path, "place", "sensitive"]) ?? [];
  return setAt(document, [...path, "place", "sensitive"], [...sensitive, rectangle]);
}

/** A rectangle with another edge; the item that is this rectangle goes with it. */
export function setRectangle(document, path, place, rectangle) {
  const item = itemOf(getAt(document, path), place);
  const next = setAt(document, [...path, "place", "sensitive", place], rectangle);
  return item === -1 ? next : setAt(next, [...path, "options", item, "rectangles"], [rectangle]);
}

export function removeRectangle(document, path, place) {
  const item = itemOf(getAt(document, path), place);
  const next = item === -1 ? document : removeItem(document, path, item);
  return setAt(next, [...path, "place", "sensitive"], getAt(next, [...path, "place", "sensitive"]).toSpliced(place, 1));
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
