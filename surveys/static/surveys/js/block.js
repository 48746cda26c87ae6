/** What the screens of a part have in common: its title, its questions, and its promise. */

import { el, fill } from "./dom.js";
import * as flow from "./flow.js";
import { KINDS } from "./kinds.js";
import { inGroup } from "./layout.js";
import { blockTag } from "./parts.js";
import { partHeading, partsOf } from "./part-name.js";
import { questionFieldset, scaleSaid } from "./question.js";
import { said, titleOf } from "./said.js";

/** The block's tag, and its number among the asked parts, unless lists of parts without titles give it another. */
export function blockHead(scene, block) {
  const { state, texts, wording } = scene;
  const { blocks } = state.design;
  const own = flow.partOf(state, block);
  const part = own?.number === partsOf(blocks).indexOf(blocks[block]) + 1 || wording.every(titleOf) ? own : null;
  return el(
    "p",
    { class: "row" },
    blockTag(scene, block),
    part?.total > 1 && !state.whole && el("span", { class: "soft" }, fill(texts.part, part)),
  );
}

/** The heading of a part's own screen. */
export const partTitle = ({ state, texts, wording }, block) => partHeading(texts, wording[block], state.design.blocks[block]);

/**
 * What is said about a part above its first question, if it has no screen of its own.
 * @param {Scene} scene @param {number} block @param {boolean} hasHeading whether the screen's heading is the part's title
 */
export function openHead(scene, block, hasHeading) {
  const { help } = scene.wording[block];
  const title = titleOf(scene.wording[block]);
  return [
    blockHead(scene, block),
    !hasHeading && title && el("p", { class: "soft" }, said(title)),
    help && el("p", {}, said(help)),
  ];
}

/**
 * A question of a block.
 * @param {Scene} scene
 * @param {{block: number, question: number}} place
 * @param {Partial<Asked>} more differences on this screen
 */
export function questionField({ state, texts, wording, nameOf, act }, { block, question }, more) {
  const { questions, protected: isProtected, refusal } = state.design.blocks[block];
  return questionFieldset({
    question: questions[question],
    wording: wording[block].questions[question],
    value: flow.answerAt(state, { block, question }),
    isProtected: isProtected && !questions[question].mayLeave,
    isSkippable: refusal !== null,
    name: nameOf(block, question),
    texts,
    onAnswer: (value) => act.answer(value, { block, question }),
    onContinue: () => {},
    ...more,
  });
}

/** A list as one field with boxes. */
export function boxesField({ state, wording, act }, block, stem, lines) {
  const answerOf = (question) => flow.answerAt(state, { block, question });
  return KINDS.several.list(wording[block], stem, lines, answerOf, (value, question) => act.answer(value, { block, question }));
}

/** The promise for this device's strength. */
export const promiseOf = ({ state, whole, light }) => (state.direct ? light : whole);

/**
 * What `waySaid` of before.js says about a part with a number or a place. It needs nothing else of that file.
 * @param {Scene} scene @param {number} block @returns {[(Node | false)[], (Node | false)[]]}
 */
export function scaleWay(scene, block) {
  const { state, texts } = scene;
  const own = state.design.blocks[block];
  const mine = inGroup(own, state.direct);
  const nodes = mine
    ? scaleSaid(mine, texts, { promise: promiseOf(scene) ?? null, rest: scene.rest })
    : [el("p", {}, texts.block_direct), own.refusal !== null && el("p", {}, texts.block_skip_direct)];
  return [nodes.slice(0, -1), nodes.slice(-1)];
}
