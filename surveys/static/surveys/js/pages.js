/**
 * The screens before the seal. Each function gives the nodes of one screen; what a click does is passed in.
 */

import * as flow from "./flow.js";
import { button, el, fill } from "./dom.js";
import { tellingAnswers } from "./odds.js";
import { blockHead, blockSentences } from "./block.js";
import { oddsLabel, wholeLabel, wholeNotes } from "./label.js";
import { backButton, blockTag, heading, said } from "./parts.js";
import { isScaleKind, scaleSaid, progressBar, questionFieldset } from "./question.js";
import { reviewScreen } from "./review.js";

/** @param {Scene} scene */
export function screenNodes(scene) {
  const screen = flow.current(scene.state);
  const make = {
    group: groupScreen,
    block: blockScreen,
    question: questionScreen,
    whole: scene.wholeScreen,
    review: reviewScreen,
  };
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
      isLast ? button(texts.start, () => act.start(false)) : button(texts.continue, act.next),
      isLast && button(texts.start_whole, () => act.start(true), "button button--plain"),
      !isFirst && backButton(scene),
    ),
  ];
}

/** How sure anyone could be by all that is sent; no question is shown: the group is not chosen yet. */
export const allOdds = ({ state: { design }, texts, whole }) =>
  wholeLabel(texts, whole, design.group.policy !== "protected");

/** The same of each part, for experts. */
export function partOdds({ state: { design }, texts, wording, prevalence, whole }) {
  const shielded = design.blocks.flatMap((block, index) => (block.protected ? [index] : []));
  const label = (block) => {
    const { values, ...odds } = tellingAnswers(design, prevalence, block, wording[block].together);
    return oddsLabel(texts, odds, values, false);
  };
  return [
    ...wholeNotes(texts, whole),
    ...shielded.map((block) =>
      el(
        "div",
        { class: "stack" },
        shielded.length > 1 && el("h3", {}, said(wording[block].title)),
        isScaleKind(design.blocks[block].questions[0]) ? scaleSaid(design.blocks[block], texts) : label(block),
      ),
    ),
  ].filter(Boolean);
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
  const { refusal } = state.design.blocks[block];
  return [
    blockHead(scene, block),
    heading(said(wording[block].title)),
    ...blockSentences(scene, block),
    actions(
      scene,
      button(flow.isSkipped(state, block) ? texts.answer_after_all : texts.continue, act.enterBlock),
      refusal !== null && button(texts.skip, act.skip, "button button--plain"),
    ),
  ];
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
