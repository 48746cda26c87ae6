/**
 * Said to whoever is of a group that is full, before any sensitive question. It is here for everybody: nothing is asked of
 * the server then, so it cannot tell who was turned away.
 */

import * as flow from "./flow.js";
import { button, el } from "./dom.js";
import { answerList, heading, leave, said } from "./parts.js";
import { inWords } from "./question.js";

/** @param {Scene} scene */
export function fullScreen({ state, texts, wording, act }) {
  const screen = flow.current(state);
  const { block } = screen;
  const rows = flow.fullAt(state, screen).map((index) => {
    const words = wording[block].questions[index];
    const value = flow.answerAt(state, { block, question: index });
    return { text: said(words.text), answer: inWords(state.design.blocks[block].questions[index], words, texts, value) };
  });
  const away = () => {
    act.forget();
    leave();
  };
  return [
    heading(texts.full_title),
    answerList(rows),
    el("p", {}, texts.full),
    el("p", {}, texts.full_kept, texts.full_code && ` ${texts.full_code}`),
    el("p", {}, texts.full_wrong),
    el("div", { class: "row actions" }, button(texts.leave, away), button(texts.full_back, act.stay, "button button--plain")),
  ];
}
