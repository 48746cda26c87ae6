/** Questions with a right answer, which check that the explanation was understood. */

import { button, el } from "./dom.js";
import * as flow from "./flow.js";
import { proofOfAll } from "./proof.js";
import { heading } from "./said.js";
import { worstCase } from "./worst-case.js";

/** Whether a question on the screen with a right answer got a wrong one. @param {State} state @param {object[]} wording */
export function misunderstood(state, wording) {
  const { kind, ...here } = flow.current(state);
  const isHere = (block, question) => kind === "whole" || (block === here.block && question === here.question);
  const isWrong = (right, place) => ![undefined, right].includes(flow.answerAt(state, place));
  return wording.some(({ questions }, block) =>
    questions.some(({ right }, question) => right !== undefined && isHere(block, question) && isWrong(right, { block, question })),
  );
}

/** Show the explanation again. @param {Visit} visit @param {() => void} onContinue */
export function againScreen({ page, texts, armed, arms }, onContinue) {
  const { explanations, whole, light } = page;
  const lines = explanations ? armed.explanation(page, arms, texts) : [texts.again, worstCase(texts, whole, light)];
  // The trial is not repeated.
  const told = lines.flatMap((line) => ({ "{trial}": [], "{proof}": [proofOfAll(texts, page.design)].filter(Boolean) })[line] ?? [line]);
  const on = button(texts.continue, onContinue);
  return [heading(texts.again_title), ...told.map((line) => el("p", {}, line)), el("div", { class: "row actions" }, on)];
}
