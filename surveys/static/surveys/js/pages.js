/**
 * The screens before sealing. Each function returns the nodes of one screen; the scene's `act` handles clicks.
 */

import { boxesField, openHead, partTitle, questionField, scaleWay } from "./block.js";
import { button, el } from "./dom.js";
import * as flow from "./flow.js";
import { isScaleKind } from "./kinds.js";
import { stemHead } from "./lists.js";
import { actions, blockTag } from "./parts.js";
import { progressBar, table } from "./question.js";
import { heading, said, stemOf } from "./said.js";

/** @param {Scene} scene */
export function screenNodes(scene) {
  const screen = flow.current(scene.state);
  const make = {
    group: scene.groupScreen,
    block: scene.blockScreen,
    question: questionScreen,
    whole: scene.wholeScreen,
    review: scene.reviewScreen,
    components: scene.componentsScreen,
  };
  return make[screen.kind](scene, screen);
}

function complainOf(fields) {
  fields.forEach((each) => each.complain());
  fields[0].focus();
}

function questionScreen(scene, screen) {
  const { state, texts, wording, act } = scene;
  const { block, question } = screen;
  const { questions, refusal } = state.design.blocks[block];
  const words = wording[block];
  const stem = stemOf(words, question);
  const isBoxes = Boolean(stem?.boxes);
  const rows = screen.rows ?? (stem && [question]);
  const fields = (isBoxes ? [question] : (rows ?? [question])).map((index) =>
    questionField(scene, { block, question: index }, {
      ...(isBoxes
        ? boxesField(scene, block, stem, rows)
        : rows && { id: `question-${block}-${index}`, level: "h3", isRow: true }),
      onContinue: () => next(),
    }),
  );
  const isEmpty = (_, place) => flow.answerAt(scene.now(), { block, question: (rows ?? [question])[place] }) === undefined;
  const complain = () => complainOf(fields.filter(isEmpty));
  const next = () => {
    // An open question may stay empty, but do not drop what someone typed.
    const wrong = fields.filter((field) => field.isWrong());
    return wrong.length ? complainOf(wrong) : act.next(complain);
  };
  const nodes = [...fields.map(({ node }) => node), ...(scene.composedFoot?.(scene, block) ?? [])];
  const progress = flow.progress(state);
  const isFirst = screen.id === flow.firstOf(state, block);
  const isBegun = isFirst && flow.isBegunWith(state, block);
  const waySaid = isScaleKind(questions[0]) ? scaleWay : scene.waySaid;
  const [way, more] = isBegun ? waySaid(scene, block) : [[], []];
  const isRows = rows && !isBoxes;
  if (!isRows) {
    // Where a screen reader continues after the heading.
    nodes[0].querySelector("legend").after(...way.filter(Boolean));
  }
  return [
    ...(progress ? [progressBar(texts, progress)] : []),
    ...(isBegun || (isFirst && flow.isOpenAtOnce(state, block))
      ? openHead(scene, block, isRows && !stem)
      : [el("p", {}, blockTag(scene, block))]),
    ...(isRows
      ? [
          ...(stem ? stemHead(stem, heading(said(stem.text))) : [heading(partTitle(scene, block))]),
          ...way,
          table(questions[question], words.questions[question], texts, nodes),
        ]
      : nodes),
    ...more,
    refusal !== null && questions.length > 1 && !isBegun && el("p", { class: "soft" }, texts.block_skip_all),
    actions(
      scene,
      button(texts.continue, next),
      refusal !== null && button(texts.skip, act.skip, "button button--plain"),
    ),
  ];
}
