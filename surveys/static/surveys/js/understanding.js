/**
 * Two questions after a practice survey or a preview: whether the reader has understood what leaves the device, and what others can
 * know. The right answers are known, and nothing is sent or kept.
 */

import { button, el, fill } from "./dom.js";
import { heading } from "./said.js";

/** Each question with the place of its right answer. */
const QUESTIONS = [
  { key: "check_sends", right: 1 },
  { key: "check_knows", right: 2 },
];
const ANSWERS = [0, 1, 2];

function question(texts, { key, right }) {
  const said = el("p", { role: "status" });
  const judge = (place) =>
    said.replaceChildren(place === right ? texts.check_right : fill(texts.check_wrong, { answer: texts[`${key}_${right}`] }));
  const choice = (place) =>
    el(
      "label",
      {},
      el("input", { type: "radio", name: key, autocomplete: "off", click: () => judge(place) }),
      el("span", {}, texts[`${key}_${place}`]),
    );
  return el(
    "fieldset",
    { class: "stack" },
    el("legend", {}, texts[key]),
    el("div", { class: "choices" }, ...ANSWERS.map(choice)),
    said,
  );
}

/** @param {Record<string, string>} texts @returns {HTMLElement} */
export function understanding(texts) {
  const box = el("section", { class: "card stack" });
  const begin = () => {
    box.replaceChildren(heading(texts.check_title), ...QUESTIONS.map((one) => question(texts, one)));
    box.querySelector("input").focus();
  };
  box.append(heading(texts.check_title), el("p", {}, texts.check_text), button(texts.check_begin, begin, "button button--plain"));
  return box;
}

/** Ask below what was sent. @param {Visit} visit */
export async function ask(visit) {
  await visit.speak("understanding");
  visit.root.append(understanding(visit.texts));
}
