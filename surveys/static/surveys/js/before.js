/** The screen before the questions of a part: how it is sent, the odds, and whether it can be skipped. */

import { blockHead, partTitle, scaleWay } from "./block.js";
import { button, el, fill, plural } from "./dom.js";
import * as flow from "./flow.js";
import { isScaleKind } from "./kinds.js";
import { lateFold } from "./late-fold.js";
import { inGroup } from "./layout.js";
import { actions } from "./parts.js";
import { part } from "./program.js";
import { proofOf, proofOfAll } from "./proof.js";
import { isRotating, mostAsked } from "./rotation.js";
import { heading, said } from "./said.js";
import { joined } from "./sentences.js";

/** All questions on one page. */
export const loadWhole = () => part("whole");
/** What parts with composite questions show. */
export const loadComposed = () => part("composed");

/** @param {Scene} scene @param {{block: number}} screen */
export function blockScreen(scene, { block }) {
  const { state, texts, act } = scene;
  const { refusal } = state.design.blocks[block];
  return [
    blockHead(scene, block),
    heading(partTitle(scene, block)),
    ...(scene.composedSentences?.(scene, block) ?? blockSentences(scene, block)),
    actions(
      scene,
      button(flow.isSkipped(state, block) ? texts.answer_after_all : texts.continue, act.enterBlock),
      refusal !== null && button(texts.skip, act.skip, "button button--plain"),
    ),
  ];
}

/** Probabilities that people use in speech, as fractions: from once in ten to nine times in ten. */
const SAID = [[1, 10], [1, 5], [1, 4], [1, 3], [2, 5], [1, 2], [3, 5], [2, 3], [3, 4], [4, 5], [9, 10]];

/**
 * A probability in everyday words: "about half the time", "4 times in 5".
 * @param {Record<string, string>} texts
 * @param {number} share ten-thousandths
 */
export function often(texts, share) {
  const rest = Math.min(share, 10000 - share);
  // Below 7.5% or above 92.5%: once in so many times, or all but one of so many.
  const rare = rest < 750 && [[share === rest ? 1 : Math.round(10000 / rest) - 1, Math.round(10000 / rest)]];
  const off = ([a, b]) => Math.abs(share - (10000 * a) / b);
  const [a, b] = (rare || SAID).reduce((best, other) => (off(other) < off(best) ? other : best));
  const said = 2 * a === b ? texts.often_half : fill(a === 1 ? texts.often_once : texts.often_times, { a, b });
  return off([a, b]) ? fill(texts.often_about, { often: said }) : said;
}

/** The sentence on what a "yes" proves, unless the first page has just said it. @param {Scene} scene @param {Block} mine */
export function proofUnsaid({ state, texts, page }, mine) {
  const proof = proofOf(texts, mine);
  const isSaid = flow.place(state) === 1 && !page.explanations && proof === proofOfAll(texts, page.design);
  return isSaid ? "" : proof;
}

/** @returns {(Node | false)[]} what the screen of a part says */
export function blockSentences(scene, block) {
  const { state, texts, wording } = scene;
  return [
    wording[block].help && el("p", {}, said(wording[block].help)),
    flow.isSkipped(state, block) && el("p", { class: "note" }, texts.block_skipped),
    ...waySaid(scene, block).flat(),
  ];
}

/**
 * How a part is sent, and what else respondents can know: how sure anyone could become, and how to skip it. If the first
 * question shows them, the former stand above its answers and the latter above the buttons, so all is read before acting.
 * @param {Scene} scene @param {number} block @returns {[(Node | false)[], (Node | false)[]]}
 */
export function waySaid(scene, block) {
  const { state, texts, wording } = scene;
  const own = state.design.blocks[block];
  const { refusal, questions, protected: isProtected } = own;
  const mine = inGroup(own, state.direct);
  if (isProtected && isScaleKind(questions[0])) {
    return scaleWay(scene, block);
  }
  const proof = mine && proofUnsaid(scene, mine);
  const count = mostAsked(own);
  const skipping = isProtected && el("p", {}, skipLine(texts, own, mine !== null));
  return [
    [
      isRotating(own) && el("p", { class: "say" }, fill(texts.block_rotating, { count, questions: questions.length })),
      !isProtected && el("p", {}, texts.block_open),
      isProtected && !mine && el("p", {}, texts.block_direct),
      mine &&
        el(
          "p",
          {},
          fill(plural(texts, "block", count), {
            often: often(texts, mine.truth_probability),
            questions: count,
          }),
        ),
      proof && el("p", {}, proof),
      refusal === null && skipping,
    ],
    [
      mine && wording[block].exclusive && el("p", { class: "note" }, texts.block_exclusive),
      mine && oddsFolded(scene, block),
      refusal !== null && skipping,
    ],
  ];
}

/** How to leave a part unanswered. @param {Record<string, string>} texts @param {Block} block @param {boolean} isDisguised */
export function skipLine(texts, block, isDisguised) {
  if (block.refusal === null) {
    return texts.block_whole;
  }
  return joined([isDisguised ? texts.block_skip : texts.block_skip_direct, block.questions.length > 1 && texts.block_skip_all]);
}

/** The promise, and the odds of the most revealing answers, folded. */
export const oddsFolded = (scene, block) => lateFold(scene.texts, scene.rest, scene.texts.odds_summary, ({ tellingNodes }) => tellingNodes(scene, block));
