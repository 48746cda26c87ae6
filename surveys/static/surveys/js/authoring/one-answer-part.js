/** On the form of a part: send its questions as one answer, or each of them again. */

import { button, el, fill } from "../dom.js";
import { withoutBlockButQuestions } from "./edits.js";
import { folded, group, hint, idOf, plainButton, tickField } from "./fields.js";
import { componentKeys } from "./composites.js";
import { press } from "./one-answer-form.js";
import { earlierRule, hasHeadings, MOST_COMPONENTS, splitPart, wayOf } from "./one-answer.js";
import { pathText } from "./paths.js";
import { isNumberBlock } from "./scale.js";
import { textIn } from "./wording.js";

/** Fewest questions for two halves, as in surveys/questionnaire/two_halves.py. */
const LEAST_OF_HALVES = 4;

/** Questions of a part that are not chosen, by key of the part. */
const unchosen = new Map();

/** @param {import("./app.js").App} app @param {number} place of a protected part */
export function oneAnswerPart(app, place) {
  const { texts } = app;
  const block = app.document.blocks[place];
  const { composites, plain } = splitPart(block);
  const isAnchor = app.ready.anchors?.some(({ key }) => key === block.key);
  if (isAnchor || (!composites.length && !plain.length)) {
    return null;
  }
  const here = ["blocks", place, "one_answer"];
  const children = [
    composites.length > 0 && el("ul", { class: "plain-list stack" }, ...composites.map((at) => compositeLine(app, place, at))),
    plain.length > 0 && choicePart(app, place, block, plain),
    joinPart(app, place),
  ];
  return group(here, texts.one_answer, children.filter(Boolean), "field stack");
}

/** What a composite question of the part sends, and the way back. */
function compositeLine(app, place, at) {
  const { texts } = app;
  const path = ["blocks", place, "questions", at];
  const question = app.document.blocks[place].questions[at];
  const name = textIn(question.text, app.speaking) || question.key;
  const complaint = el("p", { class: "error", role: "alert", hidden: true });
  const back = () => press(app, { each: question.key }, { said: texts.each_again_done, complaint });
  const count = componentKeys(question).length;
  return el(
    "li",
    { class: "stack" },
    el("p", {}, fill(texts.one_answer_line, { name, count, way: waySaid(texts, question) })),
    el("div", { class: "row" }, button(texts.one_answer_open, () => app.select(pathText(path)), "link-button"), button(texts.each_again, back, "link-button")),
    complaint,
  );
}

/** The rule in a few words. */
function waySaid(texts, question) {
  const way = wayOf(question);
  const { levels = [] } = question.computed;
  return way === "at_least" ? fill(texts.way_at_least_of, { least: String(levels[1].from) }) : texts[`way_${way}`];
}

/** Choose questions and what is sent for them. */
function choicePart(app, place, block, plain) {
  const { texts } = app;
  const left = unchosen.get(block.key) ?? new Set();
  const keys = () => plain.map((at) => app.document.blocks[place].questions[at].key).filter((key) => !left.has(key));
  const complaint = el("p", { class: "error", role: "alert", hidden: true });
  const go = (way, more = {}) => () => {
    if (keys().length === 0 || keys().length > MOST_COMPONENTS) {
      complaint.textContent = fill(texts.one_answer_choose, { count: keys().length, most: MOST_COMPONENTS });
      complaint.hidden = false;
      return;
    }
    unchosen.delete(block.key);
    press(app, { part: block.key, way, keys: keys(), ...more }, { said: texts.one_answer_done, complaint });
  };
  const ways = isNumberBlock(block) ? ["points"] : ["at_least", "how_many", "points"];
  const two = keys().length > 2 && !isNumberBlock(block);
  const canHalve = !isNumberBlock(block) && keys().length >= LEAST_OF_HALVES;
  const buttons = [
    ...(earlierRule(app.document, keys()) ? [plainButton(texts.one_answer_again, go("again"))] : []),
    ...(hasHeadings(app.document, keys()) ? [plainButton(texts.way_each_heading, go("each_heading"))] : []),
    ...ways.flatMap((way) => [
      plainButton(way === "at_least" ? texts.one_answer_any : texts[`way_${way}`], go(way)),
      ...(way === "at_least" && two ? [plainButton(texts.one_answer_two, go("at_least", { least: 2 }))] : []),
    ]),
    ...(canHalve ? [plainButton(texts.way_halves, go("halves"))] : []),
  ];
  const tick = (at) => {
    const { key, text } = block.questions[at];
    return tickField(app, ["blocks", place, "one_answer", key], { said: textIn(text, app.speaking) || key }, !left.has(key), (isChosen) => {
      left[isChosen ? "delete" : "add"](key);
      unchosen.set(block.key, left);
      app.draw({});
    });
  };
  const tickAll = (isChosen) => () => {
    unchosen.set(block.key, new Set(isChosen ? [] : plain.map((at) => block.questions[at].key)));
    app.draw({});
  };
  const all = el("div", { class: "row" }, button(texts.one_answer_all, tickAll(true), "link-button"), button(texts.one_answer_none, tickAll(false), "link-button"));
  const chosen = folded(texts.one_answer_which, all, el("div", { class: "step-sources" }, ...plain.map(tick)));
  return el(
    "div",
    { class: "stack" },
    hint(texts.one_answer_hint),
    plain.length > 1 && chosen,
    plain.length > 1 && el("p", { class: "soft" }, fill(texts.one_answer_count, { count: keys().length, total: plain.length })),
    el("div", { class: "row", id: idOf(["blocks", place, "one_answer", "ways"]) }, ...buttons),
    canHalve && hint(texts.way_halves_about),
    hint(texts.lost),
    complaint,
  );
}

/** Put the questions of this part into the part before it, so that its answers share one coin. */
function joinPart(app, place) {
  const { texts } = app;
  const before = app.document.blocks[place - 1];
  const own = app.document.blocks[place];
  const isAlike = before?.protected && !isNumberBlock(before) && !isNumberBlock(own) && splitPart(before).composites.length > 0;
  if (!isAlike || !splitPart(own).composites.length || JSON.stringify(before.asked_if) !== JSON.stringify(own.asked_if)) {
    return null;
  }
  const name = textIn(before.title, app.speaking) || app.nameOf(`blocks[${place - 1}]`);
  const join = () => app.edit(withoutBlockButQuestions(app.document, place), { redraw: true, select: `blocks[${place - 1}]`, undoable: fill(texts.part_joined, { name }) });
  return el("div", { class: "stack" }, hint(texts.part_join_hint), el("div", { class: "row" }, plainButton(fill(texts.part_join, { name }), join)));
}
