/** All questions of a survey, for surveys in which a device asks only some of them. */

import { el, fill } from "./dom.js";
import { isArm } from "./layout.js";
import { isRotating, mostAsked } from "./rotation.js";
import { stemOf } from "./said.js";

/** @param {Page} page @param {Record<string, string>} texts @returns {HTMLElement} */
export function allQuestions({ design, wording, language, turn }, texts) {
  const { blocks, rotations = [] } = design;
  const own = { translate: "no", lang: language };
  const names = (items) => el("ul", own, ...items.map((item) => el("li", { dir: "auto" }, item)));
  const titleOf = (key) => wording[blocks.findIndex((block) => block.key === key)].title;
  const parts = blocks.flatMap((block, number) => {
    const { title, questions } = wording[number];
    const some = isRotating(block) && fill(texts.drawn_questions, { count: mostAsked(block), questions: questions.length });
    const heading = el("h3", { ...own, dir: "auto" }, title);
    return isArm(block) ? [] : [heading, some && el("p", {}, some), names(questions.map(({ text }, place) => (stemOf(wording[number], place) ? `${stemOf(wording[number], place).text} – ${text}` : text)))];
  });
  const drawn = rotations.flatMap(({ blocks: keys, parts_per_person: count }) => [
    el("p", {}, turn ? texts.turn_parts : fill(texts.drawn_parts, { count, parts: keys.length })),
    names(keys.map(titleOf)),
  ]);
  return el("div", { class: "stack" }, el("p", {}, turn ? texts.turn_drawn : texts.drawn), ...drawn, ...parts);
}
