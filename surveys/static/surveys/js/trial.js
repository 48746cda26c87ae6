/**
 * Demonstrates the disguise on a question that no one asks: the same coins as for real answers, drawn ten times and shown. In
 * the survey they are drawn once, and no one sees the result.
 */

import { el, fill } from "./dom.js";
import { Coins, platformFill } from "./coins.js";

const DRAWS = 10;
const HALF = 5_000;

/**
 * @param {Record<string, string>} texts
 * @param {Design} design
 * @param {string} name random name for the controls
 * @returns {HTMLElement | null} null if no such coin disguises anything
 */
export function trial(texts, design, name) {
  const block = design.blocks.find((each) => each.protected && each.truth_probability > 0);
  if (!block) {
    return null;
  }
  const said = el("p", { role: "status" });
  const list = el("ol", { class: "draws" });
  const word = (value) => (value ? texts.yes : texts.no);
  const draw = (given) => {
    const coins = new Coins(platformFill(2 * DRAWS));
    const fallen = Array.from({ length: DRAWS }, () => {
      const isTrue = coins.draw() < block.truth_probability;
      return { isTrue, value: isTrue ? given : Number(coins.draw() < HALF) };
    });
    list.replaceChildren(
      ...fallen.map(({ isTrue, value }) =>
        el("li", {}, el("strong", {}, word(value)), " ", isTrue ? texts.trial_true : texts.trial_chance),
      ),
    );
    said.textContent = fill(texts.trial_said, { count: fallen.filter(({ isTrue }) => isTrue).length, draws: DRAWS });
  };
  const answer = (value) =>
    el("label", {}, el("input", { type: "radio", name, value, autocomplete: "off", click: () => draw(value) }), el("span", {}, word(value)));
  return el(
    "fieldset",
    { class: "stack trial", "aria-describedby": "trial-hint" },
    el("legend", {}, el("strong", {}, texts.trial), " ", texts.trial_question),
    el("p", { id: "trial-hint", class: "hint" }, texts.trial_hint),
    el("div", { class: "choices" }, answer(1), answer(0)),
    said,
    list,
  );
}
