/**
 * Where a respondent is and what they have answered: a pure state machine, without a page.
 *
 * A state is never changed; every function returns the next one. A screen's id is "intro-0", "group", "block-1",
 * "question-1-0" or "review"; where all questions stand on one page, that is "whole".
 */

import { isArm, isAsked } from "./layout.js";
import { everything } from "./rotation.js";

/**
 * @param {Design} design
 * @param {{arms?: Answers, direct?: boolean | null, drawn?: Drawn, tables?: (number | undefined)[][]}} start direct: the group drawn under
 *   *assigned*; drawn: what drawQuestions() drew, at this load and for all of it; tables: by block and question, the number of its table
 * @returns {State}
 */
export function begin(design, { direct = null, drawn = everything(design), tables = [], arms = {} } = {}) {
  const settled = design.group.policy === "protected" ? false : direct;
  const none = { answers: arms, seen: new Set(), whole: false, returning: false };
  return arrive({ design, direct: settled, drawn, tables, ...none }, "intro-0");
}

/** All questions on one page, or one a screen: to be chosen before the first. @param {boolean} whole */
export function arrange(state, whole) {
  return { ...state, whole };
}

function arrive(state, id) {
  return { ...state, at: id, seen: new Set(state.seen).add(id) };
}

/** @returns {boolean[]} whether each block is asked, which what was drawn and open answers alone decide */
export function asked({ design, drawn, answers }) {
  const known = [];
  return design.blocks.map((block, number) => {
    const isOne = drawn[number].length > 0 && isAsked(design, block, known);
    known.push(block.questions.map(({ key }) => (isOne ? answers[block.key]?.[key] : undefined) ?? null));
    return isOne;
  });
}

/** @returns {Screen[]} every place of this visit; the questions of a skipped block keep their places */
export function places(state) {
  const { design } = state;
  const list = [{ id: "intro-0", kind: "intro" }];
  if (design.group.policy !== "protected") {
    list.push({ id: "group", kind: "group" });
  }
  if (state.whole) {
    list.push({ id: "whole", kind: "whole" });
  }
  asked(state).forEach((isOne, block) => {
    if (isOne && !state.whole && !isArm(design.blocks[block])) {
      if (!isAlone(state, block)) {
        list.push({ id: `block-${block}`, kind: "block", block });
      }
      sheets(state, block).forEach((rows) => {
        const screen = { id: `question-${block}-${rows[0]}`, kind: "question", block, question: rows[0] };
        list.push(rows.length > 1 ? { ...screen, rows } : screen);
      });
    }
  });
  list.push({ id: "review", kind: "review" });
  return list;
}

/** Whether a block is one unprotected question: its title and help are on the question's screen. */
export function isAlone({ design }, block) {
  const { protected: isProtected, questions } = design.blocks[block];
  return !isProtected && questions.length === 1;
}

/** The questions of a block by screens: neighbours in one table share theirs. @returns {number[][]} */
export function sheets({ drawn, tables }, block) {
  const table = (question) => tables[block]?.[question];
  return drawn[block].reduce((list, question) => {
    const rows = list.at(-1);
    const isRow = rows && table(question) !== undefined && table(question) === table(rows[0]);
    return isRow ? [...list.slice(0, -1), [...rows, question]] : [...list, [question]];
  }, []);
}

/** @returns {Screen[]} the places that are shown: all but the questions of skipped blocks */
export function screens(state) {
  return places(state).filter(({ kind, block }) => kind !== "question" || !isSkipped(state, block));
}

/** @param {State} state @param {number} block */
export function isSkipped(state, block) {
  return state.answers[state.design.blocks[block].key] === "skipped";
}

/** How many places come before the one a screen has; it does not tell whether a block was skipped. */
export function place(state) {
  return places(state).findIndex(({ id }) => id === state.at);
}

/** @returns {Screen} */
export function current(state) {
  return screens(state).find(({ id }) => id === state.at);
}

/**
 * The place of this screen among the questions: {number, total}, or null outside them. Null too where parts rotate:
 * how many questions there are in all would say which parts come before they are shown.
 */
export function progress(state) {
  const questions = screens(state).filter(({ kind }) => kind === "question");
  const number = questions.findIndex(({ id }) => id === state.at) + 1;
  return number && !state.design.rotations ? { number, total: questions.length } : null;
}

/** The place of a block among those asked: {number, total}; null where that would say which parts come later. */
export function partOf(state, block) {
  const { blocks, rotations = [] } = state.design;
  const rotated = new Set(rotations.flatMap((rotation) => rotation.blocks));
  if (blocks.some(({ key, asked_if: condition }) => condition !== null && rotated.has(key))) {
    return null;
  }
  const parts = asked(state).flatMap((isOne, index) => (isOne && !isArm(blocks[index]) ? [index] : []));
  return { number: parts.indexOf(block) + 1, total: parts.length };
}

/** The id of the screen that shows a block's first question: whoever saw it knows what was drawn. */
export const firstOf = ({ drawn }, block) => `question-${block}-${drawn[block][0]}`;

/** Show the questions of a rotating block on the one page. */
export function openBlock(state, block) {
  return { ...state, seen: new Set(state.seen).add(firstOf(state, block)) };
}

/** The answer given on a question's screen; undefined while there is none. */
export function answerAt(state, { block, question }) {
  const { key, questions } = state.design.blocks[block];
  return state.answers[key]?.[questions[question].key];
}

/** What keeps this screen from being left: "group", "answer" or null. An open question may stay empty. */
export function missing(state, screen = current(state)) {
  if (screen.kind === "group") {
    return state.direct === null ? "group" : null;
  }
  if (screen.kind === "whole") {
    const each = screens(arrange(state, false)).filter(({ kind }) => kind === "question");
    return each.some((question) => missing(state, question)) ? "answer" : null;
  }
  if (screen.kind !== "question") {
    return null;
  }
  const isEmpty = (question) => answerAt(state, { ...screen, question }) === undefined;
  return state.design.blocks[screen.block].protected && rowsOf(screen).some(isEmpty) ? "answer" : null;
}

const rowsOf = ({ rows, question }) => rows ?? [question];

/** Whether the group can still be chosen: only under *choice*, and only before a sensitive question was on the screen. */
export function isGroupOpen(state) {
  return (
    state.design.group.policy === "choice" &&
    !state.design.blocks.some(
      (block, index) => block.protected && (state.seen.has(`block-${index}`) || state.seen.has("whole")),
    )
  );
}

/** @param {boolean} direct */
export function chooseGroup(state, direct) {
  return isGroupOpen(state) ? { ...state, direct } : state;
}

/** Take the answer of a question, that on the screen unless another is named; undefined empties it. */
export function answer(state, value, { block, question } = current(state)) {
  const { key, questions } = state.design.blocks[block];
  const { [questions[question].key]: _, ...others } = state.answers[key] ?? {};
  const answers = value === undefined ? others : { ...others, [questions[question].key]: value };
  return { ...state, answers: { ...state.answers, [key]: answers } };
}

/** Go on. Call it only when nothing is `missing`. */
export function next(state) {
  const list = screens(state);
  if (state.returning) {
    const open = list.find(
      (screen) => screen.kind === "review" || !state.seen.has(screen.id) || missing(state, screen),
    );
    return arrive({ ...state, returning: open.kind !== "review" }, open.id);
  }
  const place = list.findIndex(({ id }) => id === state.at);
  return arrive(state, list[place + 1].id);
}

/**
 * To a place that was passed before, in either direction, but never past a question that lacks its answer. A place
 * inside a skipped block leads to that block.
 *
 * @param {State} state
 * @param {number} wanted
 */
export function revisit(state, wanted) {
  const order = places(state).map(({ id }) => id);
  const list = screens(state);
  const reached = list.findLast(({ id }) => order.indexOf(id) <= wanted) ?? list[0];
  const stop = list.find((screen) => screen.id === reached.id || missing(state, screen));
  return arrive({ ...state, returning: false }, stop.id);
}

/** Skip a block, where that is offered: its answers are dropped, and the skip is disguised too. */
export function skipBlock(state, block) {
  const { key, refusal } = state.design.blocks[block];
  return refusal === null ? state : { ...state, answers: { ...state.answers, [key]: "skipped" } };
}

/** Skip the block on the screen and go on. */
export function skip(state) {
  const { block } = current(state);
  const skipped = skipBlock(state, block);
  return skipped === state ? state : next({ ...skipped, at: `block-${block}` });
}

/** Answer a block after all, that on the screen unless another is named. */
export function unskip(state, block = current(state).block) {
  const { key } = state.design.blocks[block];
  if (state.answers[key] !== "skipped") {
    return state;
  }
  const { [key]: _, ...answers } = state.answers;
  return { ...state, answers };
}

/** From the review to one screen, and back to the review after it. */
export function change(state, id) {
  const holds = ({ id: own, block, rows = [] }) => own === id || rows.some((row) => id === `question-${block}-${row}`);
  return { ...arrive(state, state.whole ? "whole" : screens(state).find(holds).id), returning: true };
}

/** The answers in the form that `disguise` takes: blocks that are not asked are absent. */
export function answersToSeal(state) {
  const isOne = asked(state);
  return Object.fromEntries(
    state.design.blocks.flatMap(({ key }, block) => (isOne[block] ? [[key, state.answers[key] ?? {}]] : [])),
  );
}
