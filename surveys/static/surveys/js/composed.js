/** What respondents read about composite questions: before their components, below each of them, and in the review. */

import { oddsFolded, often, proofUnsaid, skipLine } from "./before.js";
import { promiseOf } from "./block.js";
import { button, el, fill, plural } from "./dom.js";
import * as flow from "./flow.js";
import { labelled } from "./joints.js";
import { isScaleKind } from "./kinds.js";
import { lateFold } from "./late-fold.js";
import { inGroup } from "./layout.js";
import { placeSaid } from "./part-name.js";
import { answerList } from "./parts.js";
import { inWords } from "./question.js";
import { isRotating, mostAsked } from "./rotation.js";
import { countedBy, countSaid, gapsOf, isCombination, ruleSaid, rulesSaid } from "./rule-words.js";
import { heading, said, titleOf } from "./said.js";
import { joined } from "./sentences.js";

/** Milliseconds after which shown answers are hidden again, because someone else may be in the room. */
const SHOWN = 60_000;

const hasComposites = ({ questions }) => questions.some(({ computed }) => computed);

/** The composite questions of a part that this device asks. */
const compositesOf = ({ design, drawn }, block) => drawn[block].map((place) => design.blocks[block].questions[place]).filter(({ computed }) => computed);

/** The open questions whose answers count, too. */
function usesSaid({ page, texts }, { computed: { uses = [] } }) {
  const keys = new Set(uses.map(({ question }) => question));
  const asked = page.design.blocks.flatMap(({ questions }, block) =>
    questions.flatMap(({ key }, place) => (keys.has(key) ? [page.wording[block].questions[place].text] : [])),
  );
  return asked.map((question) => fill(texts.composed_uses, { question }));
}

/** How the answers of a part are worked out. @returns {Node[]} */
function ruleLines(scene, questions, count, block) {
  const { page, texts } = scene;
  const say = (question, isOnly) => joined([ruleSaid(texts, question, isOnly), ...usesSaid(scene, question)]);
  const places = new Map(page.design.blocks[block].questions.map(({ key }, place) => [key, place]));
  const nameOf = (key) => el("strong", {}, said(page.wording[block].questions[places.get(key)].text));
  return rulesSaid(questions, count, say).map(({ of, line }) => el("p", {}, ...(of ? [nameOf(of), " "] : []), line));
}

/** The sentences before a part with composite questions; undefined for other parts. @param {Scene} scene @param {number} block */
export function composedSentences(scene, block) {
  const { page, state, texts, composites } = scene;
  const own = page.design.blocks[block];
  if (!hasComposites(own)) {
    return undefined;
  }
  const { refusal } = own;
  const count = mostAsked(state.design.blocks[block]);
  // A rotating part does not reveal yet what this device drew.
  const asked = isRotating(own) ? own.questions : state.sent.drawn[block].map((place) => own.questions[place]);
  const questions = composites.followed(own, page.wording[block]).filter(({ key }) => asked.some((one) => one.key === key));
  const sent = mostAsked(own);
  const mine = inGroup(own, state.direct);
  const whole = { ...scene, state: { ...state, design: page.design }, wording: page.wording };
  const several = (key) => fill(plural(texts, key, sent), { questions: sent, count });
  const proof = mine && !isScaleKind(own.questions[0]) && proofUnsaid(scene, mine);
  const promise = promiseOf(scene);
  const gaps = gapsOf(texts, questions, refusal);
  return [
    page.wording[block].help && el("p", {}, said(page.wording[block].help)),
    flow.isSkipped(state, block) && el("p", { class: "note" }, texts.block_skipped),
    el("p", {}, joined([countSaid(texts, questions, count), several(mine ? "composed_works" : "composed_direct")])),
    ...ruleLines(scene, questions, asked.length, block),
    mine && !isScaleKind(own.questions[0]) && el("p", {}, fill(plural(texts, "block", sent), { often: often(texts, mine.truth_probability), questions: sent })),
    mine && isScaleKind(own.questions[0]) && el("p", {}, texts.number_how),
    proof && el("p", {}, proof),
    gaps && el("p", {}, gaps),
    mine && page.wording[block].exclusive && el("p", { class: "note" }, texts.block_exclusive),
    questions.some(({ isBranching }) => isBranching) && el("p", { class: "note" }, texts.composed_time),
    questions.some(({ isEvened }) => isEvened) && el("p", { class: "note" }, texts.composed_neutral),
    mine && !isScaleKind(own.questions[0]) && oddsFolded(whole, block),
    mine && isScaleKind(own.questions[0]) && promise && lateFold(texts, scene.rest, texts.odds_summary, ({ promiseSentence }) => [el("p", {}, promiseSentence(texts, promise))]),
    el("p", {}, skipLine(texts, { refusal, questions: state.design.blocks[block].questions }, mine !== null)),
  ];
}

/** A row that stays in sight while the page scrolls. Its style is here, because other surveys do not load it. */
function bar(...buttons) {
  const row = el("p", { class: "row exit no-print" }, ...buttons);
  row.style.cssText = "position:sticky;inset-block-start:0;z-index:1;background:var(--paper);padding-block:var(--space-2)";
  // What gets the focus does not scroll below the row.
  document.documentElement.style.scrollPaddingBlockStart = "4rem";
  return row;
}

/** A way out that stays in sight while such a part scrolls, if all its questions are on one page. @returns {Node[]} */
export const composedExit = ({ page, texts, act }, block) =>
  hasComposites(page.design.blocks[block]) ? [bar(button(texts.composed_leave, act.leave, "link-button"))] : [];

/** Below each question of such a part: help, and a way out. The same for everyone, whatever they answer. @returns {Node[]} */
export function composedFoot({ page, state, texts, act, wording: asked }, block) {
  const { blocks } = page.design;
  if (!hasComposites(blocks[block])) {
    return [];
  }
  const { about, language, wording } = page;
  const name = titleOf(asked[block]) || placeSaid(texts, blocks[block], blocks);
  const help = [wording[block].help, about.help].find(Boolean);
  if (!help && state.whole) {
    return [];
  }
  return [
    el(
      "aside",
      // Several on one page need names of their own.
      { class: "note stack", "aria-label": state.whole ? labelled(texts.composed_help, name) : texts.composed_help },
      help && el("p", { lang: language, dir: "auto" }, help),
      !state.whole && el("p", { class: "row" }, button(texts.composed_leave, act.leave, "link-button")),
    ),
  ];
}

/** The review of a part with composite questions: one line, and a way to see the rest; undefined for other parts. */
export function composedRows(scene, block) {
  const { page, state, texts, act, composites } = scene;
  if (!hasComposites(page.design.blocks[block])) {
    return undefined;
  }
  const { key } = page.design.blocks[block];
  const isSkip = composites.toSeal(state).answers[key] === "skipped";
  const show = () => act.show({ id: "components", kind: "components", block });
  const extra = el("span", { class: "row" }, button(texts.composed_show, show, "link-button"));
  // What all such parts have in common is said once, in the first of them.
  const asked = flow.asked(state);
  const isFirst = block === page.design.blocks.findIndex((own, place) => hasComposites(own) && asked[place] && !flow.isSkipped(state, place));
  const answer = isSkip ? texts.composed_skip : isFirst ? texts.composed_line : texts.composed_answered;
  const count = mostAsked(state.design.blocks[block]);
  return [{ text: fill(plural(texts, "part_questions", count), { questions: count }), answer, extra }];
}

/** The answers to the components and what the device works out from them, until the respondent goes back or a minute is over. */
export function componentsScreen(scene, { block }) {
  const { page, state, texts, act } = scene;
  const asked = state.design.blocks[block].questions;
  const shown = state.drawn[block].filter((place) => flow.isShown(state, block, place));
  const rows = shown.map((place) => {
    const value = flow.answerAt(state, { block, question: place });
    const words = scene.wording[block].questions[place];
    return {
      text: said(words.text),
      answer: value === undefined ? texts.sent_empty : inWords(asked[place], words, texts, value),
      extra: el(
        "button",
        { type: "button", class: "link-button", click: () => act.change(`question-${block}-${place}`) },
        texts.change,
        el("span", { class: "visually-hidden" }, " ", said(words.text)),
      ),
    };
  });
  const title = heading(texts.composed_mine);
  closeLater(title, act.back);
  return [
    title,
    el("p", { class: "soft" }, texts.composed_closes),
    bar(button(texts.back, act.back, "link-button"), button(texts.composed_leave, act.leave, "link-button")),
    ...compositesOf(state.sent, block).map((question) => el("p", { class: "say" }, answerSaid(scene, block, question))),
    answerList(rows),
  ];
}

/** Go back after a minute. A function of its own, so that its timer holds on to no answer. */
function closeLater(title, onClose) {
  const end = Date.now() + SHOWN;
  const timer = setInterval(() => {
    if (!title.isConnected || Date.now() >= end) {
      clearInterval(timer);
      if (title.isConnected) {
        onClose();
      }
    }
  }, 1000);
}

/** What the device works out: yes or no, else points, if they are added up. A level is never named here. */
function answerSaid({ composites, state, texts }, block, question) {
  const found = composites.totalOf(state, block, question);
  const least = countedBy(question);
  if (found === null) {
    return texts.composed_skip;
  }
  if (least === null && isCombination(question)) {
    return texts.composed_line;
  }
  if (question.kind === "yes_no" && least !== null) {
    return fill(texts.composed_answer, { answer: found >= least ? texts.yes : texts.no });
  }
  return fill(least === 0 ? texts.composed_answer : texts.composed_sum, { answer: found, points: found });
}
