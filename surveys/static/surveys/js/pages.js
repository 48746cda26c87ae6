/**
 * The screens before the seal. Each function gives the nodes of one screen; what a click does is passed in.
 *
 * @typedef {object} Scene
 * @property {import("./flow.js").State} state
 * @property {Record<string, string>} texts
 * @property {{title: string, questions: {text: string, help: string, options: string[]}[]}[]} wording
 * @property {import("./odds.js").Prevalence} prevalence
 * @property {(block: number, question: number) => string} nameOf random name of a question's controls
 * @property {Record<string, (...values: any[]) => void>} act
 */

import * as flow from "./flow.js";
import { button, el, fill } from "./dom.js";
import { worstRow } from "./odds.js";
import { oddsPicture } from "./odds-picture.js";
import { answerList, backButton, blockTag, heading } from "./parts.js";
import { inWords, progressBar, questionFieldset } from "./question.js";
import { reviewScreen } from "./review.js";

/** @param {Scene} scene */
export function screenNodes(scene) {
  const screen = flow.current(scene.state);
  const make = { group: groupScreen, block: blockScreen, question: questionScreen, review: reviewScreen };
  return make[screen.kind](scene, screen);
}

function actions(scene, ...buttons) {
  return el("div", { class: "row actions" }, ...buttons, backButton(scene));
}

/** The screens that come from the server: who sees what, the odds, who asks, what to know before. */
export function introScreen(scene, section, { isFirst, isLast }) {
  const { texts, act } = scene;
  section.querySelector("h2").tabIndex = -1;
  return [
    section,
    el(
      "div",
      { class: "row actions" },
      button(isLast ? texts.start : texts.continue, act.next),
      !isFirst && backButton(scene),
    ),
  ];
}

/** The odds of every protected block, for the intro; no question is shown, since the group is not chosen yet. */
export function allOdds({ state, texts, wording, prevalence }) {
  const shielded = state.design.blocks.flatMap((block, index) => (block.protected ? [index] : []));
  return shielded.map((block) =>
    el(
      "div",
      { class: "stack" },
      shielded.length > 1 && el("h3", {}, wording[block].title),
      oddsPicture(texts, worstRow(state.design, prevalence, block), "_worst"),
    ),
  );
}

function groupScreen(scene) {
  const { state, texts } = scene;
  return state.design.group.policy === "assigned" ? assignedScreen(scene) : choiceScreen(scene, texts);
}

function assignedScreen(scene) {
  const { state, texts, act } = scene;
  const way = state.direct ? "direct" : "protected";
  const share = new Intl.NumberFormat(document.documentElement.lang).format(state.design.group.direct_share / 100);
  return [
    heading(texts.assigned_title),
    el("p", { class: "say" }, texts[`assigned_${way}`]),
    el("p", {}, texts[`assigned_${way}_text`]),
    el("p", { class: "soft" }, fill(texts.assigned_text, { share })),
    actions(scene, button(texts.continue, act.next)),
  ];
}

function choiceScreen(scene, texts) {
  const { state, act } = scene;
  if (!flow.isGroupOpen(state)) {
    return [
      heading(texts.group_title),
      el("p", { class: "say" }, state.direct ? texts.group_settled_direct : texts.group_settled_protected),
      actions(scene, button(texts.continue, act.next)),
    ];
  }
  const name = scene.nameOf(-1, 0);
  const error = el("p", { class: "error", id: "error", hidden: true });
  const ways = [
    [false, "group_protected"],
    [true, "group_direct"],
  ];
  const inputs = ways.map(([direct], position) => {
    const change = () => act.chooseGroup(direct);
    const input = el("input", { type: "radio", name, value: position, autocomplete: "off", change });
    input.checked = state.direct === direct;
    return input;
  });
  const fieldset = el(
    "fieldset",
    { class: "stack", "aria-describedby": "hint error" },
    el("legend", {}, heading(texts.group_title)),
    el("p", { id: "hint" }, texts.group_text),
    error,
    el(
      "div",
      { class: "choices" },
      ...ways.map(([, key], position) =>
        el(
          "label",
          {},
          inputs[position],
          el("span", {}, el("strong", {}, texts[key]), el("br"), texts[`${key}_hint`]),
        ),
      ),
    ),
  );
  const complain = () => {
    error.textContent = texts.group_error;
    error.hidden = false;
    inputs[0].focus();
  };
  return [fieldset, actions(scene, button(texts.continue, () => act.next(complain)))];
}

function blockScreen(scene, { block }) {
  const { state, texts, wording, act } = scene;
  const { refusal, questions, truth_probability: truth, protected: isProtected } = state.design.blocks[block];
  const parts = flow.screens(state).filter(({ kind }) => kind === "block");
  const isSkipped = flow.isSkipped(state, block);
  return [
    el(
      "p",
      { class: "row" },
      blockTag(scene, block),
      parts.length > 1 &&
        el(
          "span",
          { class: "soft" },
          fill(texts.part, { number: parts.findIndex((part) => part.block === block) + 1, total: parts.length }),
        ),
    ),
    heading(wording[block].title),
    isSkipped && el("p", { class: "note" }, texts.block_skipped),
    !isProtected && el("p", {}, texts.block_open),
    isProtected && state.direct && el("p", {}, texts.block_direct),
    isProtected &&
      !state.direct &&
      el(
        "p",
        {},
        fill(questions.length > 1 ? texts.block_many : texts.block_one, {
          truth: new Intl.NumberFormat(document.documentElement.lang).format(truth / 100),
          questions: questions.length,
        }),
      ),
    isProtected && !state.direct && worstRowCard(scene, block),
    isProtected && el("p", {}, refusal === null ? texts.block_whole : texts.block_skip),
    actions(
      scene,
      button(isSkipped ? texts.answer_after_all : texts.continue, act.enterBlock),
      refusal !== null && button(texts.skip, act.skip, "button button--plain"),
    ),
  ];
}

function worstRowCard({ state, texts, wording, prevalence }, block) {
  const { values, ...odds } = worstRow(state.design, prevalence, block);
  const questions = state.design.blocks[block].questions;
  return el(
    "div",
    { class: "card stack" },
    el("p", { class: "soft" }, texts.odds_worst),
    values === "skipped"
      ? el("p", {}, texts.sent_skipped)
      : answerList(
          questions.map((question, index) => {
            const words = wording[block].questions[index];
            return { text: words.text, answer: inWords(question, words, texts, values[index]) };
          }),
        ),
    oddsPicture(texts, odds, ""),
  );
}

function questionScreen(scene, screen) {
  const { state, texts, wording, act } = scene;
  const { block, question } = screen;
  const { questions, protected: isProtected, refusal } = state.design.blocks[block];
  const { node, complain } = questionFieldset({
    question: questions[question],
    wording: wording[block].questions[question],
    value: flow.answerAt(state, screen),
    isProtected,
    isSkippable: refusal !== null,
    name: scene.nameOf(block, question),
    texts,
    onAnswer: act.answer,
    onContinue: () => act.next(complain),
  });
  return [
    progressBar(texts, flow.progress(state)),
    el("p", {}, blockTag(scene, block)),
    node,
    actions(
      scene,
      button(texts.continue, () => act.next(complain)),
      refusal !== null && button(texts.skip, act.skip, "button button--plain"),
    ),
  ];
}
