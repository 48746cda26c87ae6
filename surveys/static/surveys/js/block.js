/** What is said of a block before its questions: how it is sent, the odds, whether it can be skipped. */

import * as flow from "./flow.js";
import { near } from "./disguise.js";
import { el, fill } from "./dom.js";
import { groupDesign, inGroup } from "./layout.js";
import { oneAnswerOf100, tellingAnswers } from "./odds.js";
import { oddsLabel, ofHundred, skipSentence } from "./label.js";
import { answerList, blockTag, said } from "./parts.js";
import { inWords, isScaleKind, scaleSaid } from "./question.js";
import { isRotating, mostAsked } from "./rotation.js";

/** Its tag, and which part it is of how many. */
export function blockHead(scene, block) {
  const { state, texts } = scene;
  const part = flow.partOf(state, block);
  return el(
    "p",
    { class: "row" },
    blockTag(scene, block),
    part?.total > 1 && !state.whole && el("span", { class: "soft" }, fill(texts.part, part)),
  );
}

/** @returns {(Node | false)[]} */
export function blockSentences(scene, block) {
  const { state, texts, wording } = scene;
  const own = state.design.blocks[block];
  const { refusal, questions, protected: isProtected } = own;
  const mine = inGroup(own, state.direct);
  const count = mostAsked(own);
  if (isScaleKind(questions[0])) {
    return [
      wording[block].help && el("p", {}, said(wording[block].help)),
      flow.isSkipped(state, block) && el("p", { class: "note" }, texts.block_skipped),
      ...(mine
        ? scaleSaid(mine, texts, { whole: true })
        : [el("p", {}, texts.block_direct), refusal !== null && el("p", {}, texts.block_skip_direct)]),
    ];
  }
  return [
    wording[block].help && el("p", {}, said(wording[block].help)),
    flow.isSkipped(state, block) && el("p", { class: "note" }, texts.block_skipped),
    isRotating(own) && el("p", { class: "say" }, fill(texts.block_rotating, { count, questions: questions.length })),
    !isProtected && el("p", {}, texts.block_open),
    isProtected && !mine && el("p", {}, texts.block_direct),
    mine &&
      el(
        "p",
        {},
        fill(own.radius ? texts.block_near : count > 1 ? texts.block_many : texts.block_one, {
          radius: own.radius,
          truth: new Intl.NumberFormat(document.documentElement.lang).format(mine.truth_probability / 100),
          questions: count,
        }),
      ),
    mine && wording[block].exclusive && el("p", { class: "note" }, texts.block_exclusive),
    mine && odds(scene, block),
    isProtected && el("p", {}, refusal === null ? texts.block_whole : mine ? texts.block_skip : texts.block_skip_direct),
    mine && refusal !== null && el("p", {}, skipSentence(texts, mine)),
  ];
}

/** The odds of the most telling answers, folded up. */
const odds = (scene, block) =>
  el("details", {}, el("summary", {}, scene.texts.odds_summary), tellingCard(scene, block));

function tellingCard({ state, texts, wording, prevalence }, block) {
  const { values, ...found } = tellingAnswers(groupDesign(state.design, state.direct), prevalence, block, wording[block].together);
  const own = state.design.blocks[block];
  if (isRotating(own)) {
    // Of the questions that would tell the most: which ones this device drew is not shown yet.
    const m = ofHundred(texts, (near.oneAnswerOf100 ?? oneAnswerOf100)(inGroup(own, state.direct)));
    const one = el("p", {}, fill(texts.odds_one_answer, { m }));
    return el("div", { class: "card stack" }, oddsLabel(texts, found, values, false), mostAsked(own) > 1 && one);
  }
  return el(
    "div",
    { class: "card stack" },
    el("p", { class: "soft" }, texts.odds_worst),
    values === "skipped"
      ? el("p", {}, texts.sent_skipped)
      : answerList(
          own.questions.map((question, index) => {
            const words = wording[block].questions[index];
            return { text: said(words.text), answer: inWords(question, words, texts, values[index]) };
          }),
        ),
    oddsLabel(texts, found, values),
  );
}
