/** What a block's screen says before its questions: how it is sent, the odds, and whether it can be skipped. */

import { el, fill } from "./dom.js";
import * as flow from "./flow.js";
import { isScaleKind, kindOf, KINDS } from "./kinds.js";
import { oddsLabel, promiseSentence, wholeNotes } from "./label.js";
import { groupDesign, inGroup } from "./layout.js";
import { withStems } from "./lists.js";
import { tellingAnswers } from "./odds.js";
import { answerList, blockTag } from "./parts.js";
import { inWords, questionFieldset, scaleSaid } from "./question.js";
import { isRotating, mostAsked } from "./rotation.js";
import { said, stemOf } from "./said.js";

/** The block's tag, and its number among the parts. */
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

/** Whether a part has a title of its own: more than its first question or list. @param {BlockWords} words */
const isTitled = (words) => ![words.questions[0].text, stemOf(words, 0)?.text].includes(words.title);

/** The title of a part; the number of its questions if the title only repeats the first question. */
export function partTitle({ state, texts, wording }, block) {
  const { title } = wording[block];
  const count = mostAsked(state.design.blocks[block]);
  return isTitled(wording[block]) ? said(title) : fill(count > 1 ? texts.part_many : texts.part_one, { questions: count });
}

/** What is said about a part with only one question on the screen. */
export function aloneHead(scene, block) {
  const { title, help } = scene.wording[block];
  return [
    blockHead(scene, block),
    isTitled(scene.wording[block]) && el("p", { class: "soft" }, said(title)),
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

/**
 * How many of 100 people send "yes" although it is not true of them: 100 (1 - p)(1 - r) theta, for yes/no questions.
 * @param {Record<string, string>} texts
 * @param {Block} block with one strength
 * @returns {string} empty for other questions
 */
export function innocentSentence(texts, { questions, refusal, truth_probability: truth }) {
  if (questions.some((question) => kindOf(question).items?.(question) !== 1)) {
    return "";
  }
  const shares = questions.map(({ unrelated: [theta] }) => theta);
  const least = Math.min(...shares);
  const n = Math.floor(((10000 - truth) * (10000 - (refusal ?? 0)) * least) / 1e10 + 0.5);
  const isSame = shares.every((share) => share === least);
  return fill(isSame ? texts.block_innocent : texts.block_innocent_least, { n });
}

/** @returns {(Node | false)[]} */
export function blockSentences(scene, block) {
  const { state, texts, wording } = scene;
  const own = state.design.blocks[block];
  const { refusal, questions, protected: isProtected } = own;
  const promise = promiseOf(scene);
  const mine = inGroup(own, state.direct);
  const innocent = mine && innocentSentence(texts, mine);
  const count = mostAsked(own);
  const head = [
    wording[block].help && el("p", {}, said(wording[block].help)),
    flow.isSkipped(state, block) && el("p", { class: "note" }, texts.block_skipped),
  ];
  if (isProtected && isScaleKind(questions[0])) {
    return [
      ...head,
      ...(mine
        ? scaleSaid(mine, texts, { promise: promise ? promiseSentence(texts, promise) : "" })
        : [el("p", {}, texts.block_direct), refusal !== null && el("p", {}, texts.block_skip_direct)]),
    ];
  }
  return [
    ...head,
    isRotating(own) && el("p", { class: "say" }, fill(texts.block_rotating, { count, questions: questions.length })),
    !isProtected && el("p", {}, texts.block_open),
    isProtected && !mine && el("p", {}, texts.block_direct),
    mine &&
      el(
        "p",
        {},
        fill(count > 1 ? texts.block_many : texts.block_one, {
          often: often(texts, mine.truth_probability),
          questions: count,
        }),
      ),
    innocent && el("p", {}, innocent),
    mine && wording[block].exclusive && el("p", { class: "note" }, texts.block_exclusive),
    mine && odds(scene, block),
    isProtected && el("p", {}, skipLine(texts, own, mine !== null)),
  ];
}

/** How to leave a part unanswered. @param {Record<string, string>} texts @param {Block} block @param {boolean} isDisguised */
export function skipLine(texts, block, isDisguised) {
  if (block.refusal === null) {
    return texts.block_whole;
  }
  const all = block.questions.length > 1 ? ` ${texts.block_skip_all}` : "";
  return `${isDisguised ? texts.block_skip : texts.block_skip_direct}${all}`;
}

/** The promise for this device's strength. */
export const promiseOf = ({ state, whole, light }) => (state.direct ? light : whole);

/** The promise, and the odds of the most revealing answers, folded. */
export function odds(scene, block) {
  const { state, texts } = scene;
  const { truth_probability: truth } = inGroup(state.design.blocks[block], state.direct);
  const promise = promiseOf(scene);
  const exact = new Intl.NumberFormat(document.documentElement.lang).format(truth / 100);
  return el(
    "details",
    {},
    el("summary", {}, texts.odds_summary),
    promise && el("p", {}, promiseSentence(texts, promise)),
    el("p", {}, fill(texts.block_exact, { truth: exact })),
    tellingCard(scene, block),
  );
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

/** For experts: how sure anyone could become from each part. */
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
        shielded.length > 1 && el("h3", {}, said(wording[block].title)),
        ...laws.flatMap((law, way) => [
          light && el("p", {}, el("strong", {}, way ? texts.disguised_lightly : texts.disguised)),
          label(block, law),
        ]),
      ),
    ),
  ].filter(Boolean);
}
