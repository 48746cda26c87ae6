/**
 * The first screen: how long the survey takes, a trial of the disguise, what a "yes" proves, the worst case, and who asks. The
 * rest is folded.
 */

import { button, el, fill, plural } from "./dom.js";
import { hasTwoStrengths } from "./draws.js";
import { labelled } from "./joints.js";
import { lateFold } from "./late-fold.js";
import { isArm } from "./layout.js";
import { isPartlyExact } from "./parts.js";
import { proofOfAll, triedCoins } from "./proof.js";
import { heading } from "./said.js";
import { spaced } from "./sentences.js";
import { minutesOf, questionCount } from "./survey-length.js";
import { trial } from "./trial.js";
import { worstCase } from "./worst-case.js";

const hasProtected = ({ blocks }) => blocks.some((block) => block.protected);

/** Whether some people's answers to protected questions are sent undisguised. */
export const sendsUndisguised = (design) => hasProtected(design) && design.group.policy !== "protected" && !hasTwoStrengths(design);

/** The key of the line on how the groups are formed; null if everyone answers in the same way. */
function groupLine(design) {
  const { policy } = design.group;
  if (!hasProtected(design) || policy === "protected") {
    return null;
  }
  const isInvited = design.invited === "group" && policy === "assigned";
  return `line_${policy === "choice" ? "choice" : isInvited ? "invited" : "drawn"}${hasTwoStrengths(design) ? "_light" : ""}`;
}

/** What else the device does, and does not. @returns {string[]} */
function lines({ design }, texts) {
  const { blocks, group, invited } = design;
  const isOpen = blocks.some((block) => !block.protected && !isArm(block));
  const share = (group.direct_share / 100).toLocaleString(document.documentElement.lang);
  const decided = groupLine(design);
  return [
    !hasProtected(design) && texts.line_stored,
    blocks.some(({ questions }) => questions.some(({ composite }) => composite)) && texts.line_composed,
    hasProtected(design) && isOpen && texts.line_open,
    blocks.some(({ questions }) => isPartlyExact(questions)) && texts.line_exact,
    decided && fill(texts[decided], { share }),
    blocks.some(isArm) && (invited && invited !== "group" ? texts.line_arms_invited : texts.line_arms),
  ].filter(Boolean);
}

/** A text of the survey, with its line breaks. */
export const broken = (text) => text.split("\n").flatMap((line, number) => (number ? [el("br"), line] : [line]));

/** What every page says about the disguise, in this order. An arm's explanation has an order of its own, and further texts. */
const ORDER = ["{trial}", "{proof}", "{odds}"];

/** @returns {(Node | false | null)[]} */
function disguise({ design, language, light, whole }, texts, order, name) {
  const proof = proofOfAll(texts, design) || texts.line_all;
  const make = {
    "{trial}": () => [trial(texts, design, name)],
    // Some people's answers are not disguised.
    "{proof}": () => [el("p", { class: "proof" }, sendsUndisguised(design) ? labelled(texts.disguised, proof) : proof)],
    "{odds}": () => [(whole || light) && el("p", {}, worstCase(texts, whole, light))],
  };
  return order.flatMap((line) => make[line]?.() ?? [el("p", { lang: language, dir: "auto" }, line)]);
}

/**
 * @param {Page} page
 * @param {Record<string, string>} texts
 * @param {{explained?: string[], name: string, rest: Rest, whole: Page, isInPage: boolean, turn: boolean[] | null, turnSaid?: Node[]}} more explained: the explanation of an
 *   arm; name: a random one for the trial's controls; whole: the survey with composite questions in place of their components;
 *   isInPage: whether answers will exist only in this page; turn: whether this person is asked each block, if parts take turns over a
 *   series; turnSaid: what says so
 * @returns {HTMLElement}
 */
export function intro(page, texts, { explained, name, rest, whole, isInPage, turn = null, turnSaid = [] }) {
  const { about, design, language } = page;
  const questions = questionCount(turn ? { blocks: design.blocks.filter((_, block) => turn[block]) } : design);
  const own = { lang: language, dir: "auto" };
  const isProtected = hasProtected(design);
  const order = explained ?? ORDER;
  // The heading is in the trial if this comes first.
  const isTried = isProtected && order[0] === ORDER[0] && triedCoins(whole.design) !== null;
  const length = plural(texts, "length", questions);
  return el(
    "section",
    { class: "stack", translate: "yes", "data-intro": true },
    el(
      "p",
      { class: "length" },
      ...spaced([
        questions > 0 && fill(length, { questions, minutes: minutesOf(questions) }),
        about.age_limit && el("span", own, about.age_limit),
      ]),
    ),
    ...turnSaid,
    !isTried && heading(isProtected ? texts.who_sees : texts.not_disguised),
    ...(isProtected ? disguise(whole, texts, order, name) : []),
    ...lines(page, texts).map((line) => el("p", {}, line)),
    about.researcher && el("p", { class: "soft", ...own }, about.researcher),
    // The place of the buttons: before the folded parts, so that they never cover text.
    el("div", { class: "row actions" }),
    isProtected && lateFold(texts, rest, texts.odds_summary, ({ oddsFold }) => oddsFold(whole, texts)),
    lateFold(texts, rest, texts.about, ({ aboutFold }) => aboutFold(whole, texts, isInPage)),
  );
}

/** The first screen with its buttons. @param {Scene} scene @param {HTMLElement} section */
export function introScreen({ texts, act }, section) {
  const whole = button(texts.start_whole, () => act.start(true), "button button--plain");
  section.querySelector(".actions").replaceChildren(button(texts.start, () => act.start(false)), whole);
  return [section];
}
