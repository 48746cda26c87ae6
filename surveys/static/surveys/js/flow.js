/**
 * Where a respondent is and what they have answered: a pure state machine, independent of the page.
 *
 * A state is immutable; every function returns the next one. The id of a screen is "intro-0", "group", "block-1",
 * "question-1-0" or "review", or "whole" if all questions are on one page.
 */

import { isArm, isAsked } from "./layout.js";
import { everything, isRotating } from "./rotation.js";

/**
 * @param {Design} design
 * @param {{arms?: Answers, direct?: boolean | null, drawn?: Drawn, tables?: (number | undefined)[][]}} start direct: the group
 * drawn under *assigned*; drawn: the result of drawQuestions() for this load; tables: by block and question, the index of its
 * table
 * @returns {State}
 */
export function begin(design, { direct = null, drawn = everything(design), tables = [], arms = {} } = {}) {
  const settled = design.group.policy === "protected" ? false : direct;
  const none = { answers: arms, seen: new Set(), whole: false, returning: false };
  return arrive({ design, direct: settled, drawn, tables, ...none }, "intro-0");
}

/** Put all questions on one page, or one per screen; chosen before the first question. @param {boolean} whole */
export function arrange(state, whole) {
  return { ...state, whole };
}

function arrive(state, id) {
  return { ...state, at: id, seen: new Set(state.seen).add(id), extra: state.extra?.id === id && state.extra };
}

/** @returns {boolean[]} whether each block is asked, which depends only on the draw and on open answers */
export function asked({ design, drawn, answers }) {
  const known = [];
  return design.blocks.map((block, number) => {
    const isOne = drawn[number].length > 0 && isAsked(design, block, known);
    known.push(block.questions.map(({ key }) => (isOne ? answers[block.key]?.[key] : undefined) ?? null));
    return isOne;
  });
}

/** @returns {Screen[]} every place of this visit, including the questions of skipped blocks */
export function places(state) {
  const { design } = state;
  const list = [{ id: "intro-0", kind: "intro" }];
  const group = design.group.policy === "protected" ? [] : [{ id: "group", kind: "group" }];
  const concerned = firstConcerned(state);
  if (concerned === -1) {
    list.push(...group);
  }
  if (state.whole) {
    list.push({ id: "whole", kind: "whole" });
  }
  asked(state).forEach((isOne, block) => {
    if (block === concerned) {
      list.push(...group);
    }
    if (isOne && !state.whole && !isArm(design.blocks[block])) {
      const own = isOpenAtOnce(state, block) ? [] : [{ id: `block-${block}`, kind: "block", block }];
      const questions = sheets(state, block).map((rows) => {
        const screen = { id: `question-${block}-${rows[0]}`, kind: "question", block, question: rows[0] };
        return rows.length > 1 ? { ...screen, rows } : screen;
      });
      list.push(...(isBegunWith(state, block) ? [...questions, ...own] : [...own, ...questions]));
    }
  });
  list.push({ id: "review", kind: "review" });
  return state.extra ? [...list, state.extra] : list;
}

/**
 * The first block that the group concerns; the group's screen is before it, whether or not this device asks it. -1 if the screen
 * comes before everything: if all questions are on one page, or nothing is protected.
 */
const firstConcerned = ({ design, whole }) => (whole ? -1 : design.blocks.findIndex((block) => block.protected));

/** Whether a block has no screen of its own: nothing about it needs to be said before its first question, which shows its title. */
export function isOpenAtOnce({ design }, block) {
  const { protected: isProtected, questions } = design.blocks[block];
  return !isProtected && !isRotating(design.blocks[block]) && !questions.some(({ composite }) => composite);
}

/**
 * Whether a protected block is the first that is asked, so that its first question shows what the block's own screen would say.
 * That screen is shown only if the block was skipped. Composite questions need more words, before they are asked.
 */
export function isBegunWith(state, block) {
  const { blocks } = state.design;
  const first = asked(state).findIndex((isOne, place) => isOne && !isArm(blocks[place]));
  return block === first && blocks[block].protected && !blocks[block].questions.some(({ composite }) => composite);
}

/** The questions of a block by screen: adjacent rows of a table share a screen. @returns {number[][]} */
export function sheets(state, block) {
  const table = (question) => state.tables[block]?.[question];
  const shown = state.drawn[block].filter((question) => isShown(state, block, question));
  return shown.reduce((list, question) => {
    const rows = list.at(-1);
    const isRow = rows && table(question) !== undefined && table(question) === table(rows[0]);
    return isRow ? [...list.slice(0, -1), [...rows, question]] : [...list, [question]];
  }, []);
}

/** Whether a drawn question is asked now; a component of a composite question may depend on other answers. */
export const isShown = (state, block, question) => state.isAsked?.(state, block, question) ?? true;

/** @returns {Screen[]} the places that are shown, which do not include the questions of skipped blocks */
export function screens(state) {
  const isShownNow = {
    question: (block) => !isSkipped(state, block),
    block: (block) => isSkipped(state, block) || !isBegunWith(state, block),
  };
  return places(state).filter(({ kind, block }) => isShownNow[kind]?.(block) ?? true);
}

/** @param {State} state @param {number} block */
export function isSkipped(state, block) {
  return state.answers[state.design.blocks[block].key] === "skipped";
}

/** The index of the current place; it does not reveal whether a block was skipped. */
export function place(state) {
  return places(state).findIndex(({ id }) => id === state.at);
}

/** @returns {Screen} */
export function current(state) {
  return screens(state).find(({ id }) => id === state.at);
}

/**
 * The position of this screen among the questions: {number, total}; null for other screens. Null also if parts rotate, because
 * the total would reveal which parts are still to come.
 */
export function progress(state) {
  const questions = screens(state).filter(({ kind }) => kind === "question");
  const number = questions.findIndex(({ id }) => id === state.at) + 1;
  return number && !state.design.rotations ? { number, total: questions.length } : null;
}

/** The position of a block among those asked: {number, total}; null if it would reveal which parts are still to come. */
export function partOf(state, block) {
  const { blocks, rotations = [] } = state.design;
  const rotated = new Set(rotations.flatMap((rotation) => rotation.blocks));
  if (blocks.some(({ key, asked_if: condition }) => condition !== null && rotated.has(key))) {
    return null;
  }
  const parts = asked(state).flatMap((isOne, index) => (isOne && !isArm(blocks[index]) ? [index] : []));
  return { number: parts.indexOf(block) + 1, total: parts.length };
}

/** The id of the screen with a block's first question; anyone who has seen it knows what was drawn. */
export const firstOf = ({ drawn }, block) => `question-${block}-${drawn[block][0]}`;

/** Show the questions of a rotating block on the page with all questions. */
export function openBlock(state, block) {
  return { ...state, seen: new Set(state.seen).add(firstOf(state, block)) };
}

/** The answer to a question; undefined if there is none. */
export function answerAt(state, { block, question }) {
  const { key, questions } = state.design.blocks[block];
  return state.answers[key]?.[questions[question].key];
}

/** What must be done before leaving this screen: "group", "answer" or null. Open questions may stay empty. */
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
  const { protected: isProtected, questions } = state.design.blocks[screen.block];
  const isEmpty = (question) => answerAt(state, { ...screen, question }) === undefined && !questions[question].mayLeave;
  return isProtected && rowsOf(screen).some(isEmpty) ? "answer" : null;
}

const rowsOf = ({ rows, question }) => rows ?? [question];

/** Whether the group can still be chosen: only under *choice*, and only before the first sensitive question was shown. */
export function isGroupOpen(state) {
  return (
    state.design.group.policy === "choice" &&
    !state.design.blocks.some(
      (block, index) => block.protected && (isReached(state, index) || state.seen.has("whole")),
    )
  );
}

/** Whether a screen of a block was shown. */
const isReached = ({ seen }, block) => [...seen].some((id) => id === `block-${block}` || id.startsWith(`question-${block}-`));

/** @param {boolean} direct */
export function chooseGroup(state, direct) {
  return isGroupOpen(state) ? { ...state, direct } : state;
}

/** Store the answer to a question (by default the one on the screen); undefined deletes it. */
export function answer(state, value, { block, question } = current(state)) {
  const { key, questions } = state.design.blocks[block];
  const { [questions[question].key]: _, ...others } = state.answers[key] ?? {};
  const answers = value === undefined ? others : { ...others, [questions[question].key]: value };
  return { ...state, answers: { ...state.answers, [key]: answers } };
}

/** Go to the next screen; only allowed if nothing is `missing`. */
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
 * Go to a place that was visited before, in either direction, but never past a question without its answer. A place inside
 * a skipped block leads to that block.
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

/** Skip a block if that is offered: its answers are dropped, and the skip is disguised like an answer. */
export function skipBlock(state, block) {
  const { key, refusal } = state.design.blocks[block];
  return refusal === null ? state : { ...state, answers: { ...state.answers, [key]: "skipped" } };
}

/** Skip the block on the screen, and go to the next one. */
export function skip(state) {
  const { block } = current(state);
  const skipped = skipBlock(state, block);
  const at = `block-${block}`;
  return skipped === state ? state : next({ ...skipped, at, seen: new Set(state.seen).add(at) });
}

/** From the screen of a block to its first question; if the block was skipped, answer it after all. */
export function enterBlock(state) {
  const { block } = current(state);
  const open = unskip(state);
  return isBegunWith(open, block) ? arrive(open, firstOf(open, block)) : next(open);
}

/** Answer a skipped block after all (by default the one on the screen). */
export function unskip(state, block = current(state).block) {
  const { key } = state.design.blocks[block];
  if (state.answers[key] !== "skipped") {
    return state;
  }
  const { [key]: _, ...answers } = state.answers;
  return { ...state, answers };
}

/** Show a screen after the review, which going back closes. @param {Screen} extra */
export const show = (state, extra) => arrive({ ...state, extra }, extra.id);

/** Go from the review to one screen, and afterwards back to the review. */
export function change(state, id) {
  const holds = ({ id: own, block, rows = [] }) => own === id || rows.some((row) => id === `question-${block}-${row}`);
  return { ...arrive(state, state.whole ? "whole" : screens(state).find(holds).id), returning: true };
}

/** Arguments for `disguise`: the answers without blocks that are not asked, and the draw. */
export function toSeal(state) {
  const { design, answers, drawn } = state;
  const isOne = asked(state);
  const given = design.blocks.flatMap(({ key }, block) => (isOne[block] ? [[key, answers[key] ?? {}]] : []));
  return { answers: Object.fromEntries(given), drawn };
}
