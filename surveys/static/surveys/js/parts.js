/** Small parts that several screens share. */

import { button, el, fill } from "./dom.js";
import { isScaleKind, kindOf } from "./kinds.js";
import { inGroup } from "./layout.js";
import { heading } from "./said.js";

export const backButton = ({ texts, act }) => button(texts.back, act.back, "link-button back");

export const actions = (scene, ...buttons) => el("div", { class: "row actions" }, ...buttons, backButton(scene));

/** Whether a part asks for a place that is sent undisguised outside sensitive areas. */
export const isPartlyExact = ([question]) => isScaleKind(question) && kindOf(question).isPartlyExact(question);

/** A tag that says whether a block is disguised for this respondent. */
export function blockTag({ state, texts }, block) {
  const mine = inGroup(state.design.blocks[block], state.direct);
  const isPartly = mine && isPartlyExact(mine.questions);
  return el(
    "span",
    { class: mine ? "tag" : "tag tag--quiet" },
    isPartly ? texts.place_tag : mine ? (state.direct ? texts.disguised_lightly : texts.disguised) : texts.mark_open,
  );
}

/**
 * @param {{text: Node | string, answer: Node | string, extra?: Node, above?: Node | string | false}[]} rows questions with their
 *   answers; above: the stem of a list, above its first line
 */
export function answerList(rows) {
  return el(
    "dl",
    { class: "answers" },
    ...rows.flatMap(({ text, answer, extra, above }) => [above && el("dt", { class: "stem" }, above), el("dt", {}, text), el("dd", {}, el("span", {}, answer), extra)]),
  );
}

/** Outcomes after which nothing is left to do on this page. */
const ENDS = new Set(["delivered", "found_delivered", "uninvited", "closed", "elsewhere"]);

/** Leave for a blank page; Back leads to where the respondent was before. */
export const leave = () => window.location.replace("about:blank");

/** Replaces texts that promise that the body stays on the device. */
const IN_PAGE = { sending: "in_page", waiting: "in_page", closed: "in_page_ended", stopped: "in_page_ended" };

/**
 * Describes the delivery of a sealed body, with a button while it waits.
 *
 * @param {Record<string, string>} texts
 * @param {string} name key of the texts
 * @param {{status?: number, onTry?: () => void, isInPage?: boolean}} [more]
 */
export function outcomeNodes(texts, name, { status, onTry, isInPage } = {}) {
  const text = texts[(isInPage && IN_PAGE[name]) || name];
  return [
    heading(texts[`${name}_title`]),
    text && el("p", {}, fill(text, { status })),
    onTry && el("div", { class: "row" }, button(texts.try_now, onTry, "button button--plain")),
    ENDS.has(name) && texts.leave && el("div", { class: "row" }, button(texts.leave, leave, "button button--plain")),
  ].filter(Boolean);
}
