/** How many questions of a part each person is asked, and which parts rotate: edits, as pure functions. */

import { asDrawn, fits, whole } from "./drawn-part.js";
import { setAt } from "./paths.js";
import { proposing } from "./strength.js";

/**
 * Ask each person this many questions of a part; if empty, ask everyone all of them. Listed sets are removed, because
 * they have a different size.
 * @param {any} count
 */
export function withPerPerson(document, place, count) {
  const before = document.blocks[place];
  const isAll = count === undefined || count === "";
  const next = isAll ? whole(before) : { ...whole(before), questions_per_person: count };
  return setAt(document, ["blocks", place], proposing(next, before));
}

/** Draw one of these sets of questions; without sets, draw any set. @param {number[][]} [booklets] */
export function withBooklets(document, place, booklets) {
  const before = document.blocks[place];
  return setAt(document, ["blocks", place], proposing(setAt(before, ["booklets"], booklets), before));
}

/** If the number of questions has changed, drop a part's listed sets, and its rotation if too few questions are left. */
export function afterQuestions(block, before) {
  if (block.questions.length === before.questions.length || block.questions_per_person === undefined) {
    return block;
  }
  const { booklets: _, ...rest } = block;
  return fits(rest.questions_per_person, rest.questions.length) ? rest : whole(rest);
}

/** Let a part's listed sets follow its questions to their new places. */
export function afterMove(document, place, before) {
  const block = document.blocks[place];
  const moved = (set) => set.map((at) => block.questions.indexOf(before.questions[at])).sort((a, b) => a - b);
  const byPlaces = (one, other) => one.map((at, number) => at - other[number]).find(Boolean) ?? 0;
  return setAt(document, ["blocks", place, "booklets"], asDrawn(block).booklets?.map(moved).sort(byPlaces));
}

/** Replace the document's rotations; if there are none, remove the member. */
function withRotations(document, rotations) {
  const { rotations: _, ...rest } = document;
  return rotations.length ? { ...rest, rotations } : rest;
}

const rotationsOf = ({ rotations }) => (Array.isArray(rotations) ? rotations.filter((one) => Array.isArray(one?.blocks)) : []);

/**
 * The costs that count for one person: from each rotation, only those of the most costly parts that one person is asked.
 * @param {{place: number, epsilon: number | null}[]} found
 */
export function countedCosts(document, found) {
  return rotationsOf(document).reduce((left, { blocks, parts_per_person: count }) => {
    const isInTurn = ({ place }) => blocks.includes(document.blocks[place].key);
    const own = left.filter(isInTurn).sort((a, b) => (b.epsilon ?? Infinity) - (a.epsilon ?? Infinity));
    const out = fits(count, blocks.length) ? own.slice(count) : [];
    return left.filter((cost) => !out.includes(cost));
  }, found);
}

/** Keys of the parts that can rotate, which are the protected ones. */
export const partsInTurn = (document) => document.blocks.filter((block) => block.protected).map(({ key }) => key);

/** Rotate the protected parts that are in no rotation; each person gets one of them. */
export function addRotation(document) {
  const taken = rotationsOf(document).flatMap(({ blocks }) => blocks);
  const free = partsInTurn(document).filter((key) => !taken.includes(key));
  return free.length > 1
    ? withRotations(document, [...rotationsOf(document), { blocks: free, parts_per_person: 1 }])
    : document;
}

/** Add a part to a rotation, or remove it; a rotation with a single part is deleted. */
export function chooseInTurn(document, number, key, isChosen) {
  const rotations = rotationsOf(document).flatMap((rotation, place) => {
    const has = (one) => (one === key ? place === number && isChosen : rotation.blocks.includes(one));
    const blocks = document.blocks.map((block) => block.key).filter(has);
    const lost = rotation.blocks.filter((one) => one !== key && !blocks.includes(one));
    return [...blocks, ...lost].length > 1 ? [{ ...rotation, blocks: [...blocks, ...lost] }] : [];
  });
  return withRotations(document, rotations);
}

/** Remove a part from its rotation, if any. */
export const outOfTurn = (document, key) => (document.rotations ? chooseInTurn(document, -1, key, false) : document);

/** Rename a part's key in rotations. */
export function renamedInTurn(document, before, after) {
  const renamed = rotationsOf(document).map((rotation) => ({
    ...rotation,
    blocks: rotation.blocks.map((key) => (key === before ? after : key)),
  }));
  return document.rotations ? withRotations(document, renamed) : document;
}

export const removeRotation = (document, number) =>
  withRotations(document, rotationsOf(document).toSpliced(number, 1));
