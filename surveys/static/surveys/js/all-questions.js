/** All questions of a survey, for surveys in which a device asks only some of them. */

import { el, fill } from "./dom.js";
import { isArm } from "./layout.js";
import { partName } from "./part-name.js";
import { isRotating, mostAsked } from "./rotation.js";
import { said, stemOf } from "./said.js";
import { joined } from "./sentences.js";

/** @param {Page} page @param {Record<string, string>} texts @returns {HTMLElement} */
export function allQuestions({ design, wording, turn }, texts) {
  const { blocks, rotations = [] } = design;
  const own = { translate: "no" };
  const names = (items) => el("ul", own, ...items.map((item) => el("li", { dir: "auto" }, item)));
  const nameOf = (number) => partName(texts, wording[number], blocks[number], blocks);
  const parts = blocks.flatMap((block, number) => {
    const { questions } = wording[number];
    const some = isRotating(block) && fill(texts.drawn_questions, { count: mostAsked(block), questions: questions.length });
    const heading = el("h3", { ...own, dir: "auto" }, nameOf(number));
    return isArm(block) ? [] : [heading, some && el("p", {}, some), names(questions.map(({ text }, place) => said(stemOf(wording[number], place) ? joined([stemOf(wording[number], place).text, text]) : text)))];
  });
  const drawn = rotations.flatMap(({ blocks: keys, parts_per_person: count }) => [
    el("p", {}, turn ? texts.turn_parts : fill(texts.drawn_parts, { count, parts: keys.length })),
    names(keys.map((key) => nameOf(blocks.findIndex((block) => block.key === key)))),
  ]);
  return el("div", { class: "stack" }, el("p", {}, turn ? texts.turn_drawn : texts.drawn), ...drawn, ...parts);
}
