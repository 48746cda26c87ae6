/** The review before sealing: every answer, with a button to change it. */

import { button, el } from "./dom.js";
import * as flow from "./flow.js";
import { isArm } from "./layout.js";
import { withStems } from "./lists.js";
import { wayOf } from "./own-group.js";
import { answerList, backButton, blockTag } from "./parts.js";
import { partName } from "./part-name.js";
import { inWords } from "./question.js";
import { heading, said } from "./said.js";

/** @param {Scene} scene */
export function reviewScreen(scene) {
  const { state, texts, act } = scene;
  const asked = flow.asked(state);
  const isPlain = wayOf(state.design, state.direct) !== "protected";
  const seal = button(isPlain ? texts.seal_plain : texts.seal, () => act.seal(seal));
  return [
    heading(texts.review_title),
    el("p", {}, texts.review_text),
    ...state.design.blocks.flatMap((_, block) => (asked[block] && !isArm(state.design.blocks[block]) ? [reviewedBlock(scene, block)] : [])),
    el(
      "div",
      { class: "note stack part" },
      el("p", {}, isPlain ? texts.seal_open : texts.seal_protected),
      el("div", { class: "row" }, seal, backButton(scene)),
    ),
  ];
}

function reviewedBlock(scene, block) {
  const { state } = scene;
  return el(
    "section",
    { class: "stack part" },
    el("h3", {}, nameOf(scene, block)),
    el("p", {}, blockTag(scene, block)),
    answerList(flow.isSkipped(state, block) ? [skippedRow(scene, block)] : (scene.composedRows?.(scene, block) ?? answeredRows(scene, block))),
  );
}

/** The name of a part, as in the list of all questions. */
function nameOf({ state: { design }, texts, wording }, block) {
  return partName(texts, wording[block], design.blocks[block], design.blocks);
}

function skippedRow(scene, block) {
  const { texts } = scene;
  const extra = changeButton(scene, `block-${block}`, nameOf(scene, block));
  return { text: nameOf(scene, block), answer: texts.sent_skipped, extra };
}

export function answeredRows(scene, block) {
  const { state, texts, wording } = scene;
  return withStems(wording[block], state.drawn[block], (index) => {
    const question = state.design.blocks[block].questions[index];
    const words = wording[block].questions[index];
    const value = flow.answerAt(state, { block, question: index });
    return {
      text: said(words.text),
      answer: value === undefined ? texts.sent_empty : inWords(question, words, texts, value, { picture: true }),
      extra: changeButton(scene, `question-${block}-${index}`, said(words.text)),
    };
  });
}

/** @param {string | Node} what what it changes */
function changeButton({ texts, act }, id, what) {
  return el(
    "button",
    { type: "button", class: "link-button", click: () => act.change(id) },
    texts.change,
    el("span", { class: "visually-hidden" }, " ", what),
  );
}
