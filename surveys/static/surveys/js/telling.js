/** What a part could reveal at most: the answers that would reveal most, and their odds. */

import { el, fill } from "./dom.js";
import { promiseOf } from "./block.js";
import { promiseSentence } from "./promise.js";
import { inGroup } from "./layout.js";
import { withStems } from "./lists.js";
import { tellingAnswers } from "./odds.js";
import { oddsLabel, wholeNotes } from "./odds-label.js";
import { groupDesign } from "./own-group.js";
import { answerList } from "./parts.js";
import { partName } from "./part-name.js";
import { inWords, scaleSaid } from "./question.js";
import { isRotating } from "./rotation.js";
import { said } from "./said.js";

/** The promise, and the odds of the most revealing answers of a part. @param {Scene} scene @param {number} block */
export function tellingNodes(scene, block) {
  const { state, texts } = scene;
  const { truth_probability: truth } = inGroup(state.design.blocks[block], state.direct);
  const promise = promiseOf(scene);
  const exact = new Intl.NumberFormat(document.documentElement.lang).format(truth / 100);
  return [
    promise && el("p", {}, promiseSentence(texts, promise)),
    el("p", {}, fill(texts.block_exact, { truth: exact })),
    tellingCard(scene, block),
  ];
}

function tellingCard({ state, texts, wording, prevalence }, block) {
  const { values, ...found } = tellingAnswers(groupDesign(state.design, state.direct), prevalence, block, wording[block].together);
  const own = state.design.blocks[block];
  if (isRotating(own)) {
    // For the most revealing questions, without names: the device does not show yet which questions it drew.
    return el("div", { class: "card stack" }, oddsLabel(texts, found, values, false));
  }
  return el(
    "div",
    { class: "card stack" },
    el("p", { class: "soft" }, texts.odds_worst),
    values === "skipped"
      ? el("p", {}, texts.sent_skipped)
      : answerList(
          withStems(wording[block], [...own.questions.keys()], (index) => {
            const words = wording[block].questions[index];
            return { text: said(words.text), answer: inWords(own.questions[index], words, texts, values[index]) };
          }),
        ),
    oddsLabel(texts, found, values),
  );
}

/** How sure anyone could become from each part. @param {Scene} scene @returns {(Node | false)[]} */
export function partOdds({ state: { design }, texts, wording, prevalence, whole, light }) {
  const shielded = design.blocks.flatMap((block, index) => (block.protected ? [index] : []));
  const label = (block, law) => {
    const own = scaleSaid(law.blocks[block], texts);
    if (own) {
      return own;
    }
    const { values, ...odds } = tellingAnswers(law, prevalence, block, wording[block].together);
    return oddsLabel(texts, odds, values, false);
  };
  const laws = light ? [false, true].map((direct) => groupDesign(design, direct)) : [design];
  return [
    ...wholeNotes(texts, whole),
    whole?.not_composed && el("p", {}, texts.odds_whole_apart),
    ...shielded.map((block) =>
      el(
        "div",
        { class: "stack" },
        shielded.length > 1 && el("h3", {}, partName(texts, wording[block], design.blocks[block], design.blocks)),
        ...laws.flatMap((law, way) => [
          light && el("p", {}, el("strong", {}, way ? texts.disguised_lightly : texts.disguised)),
          label(block, law),
        ]),
      ),
    ),
  ];
}
