/**
 * What the device does, tried on a question that nobody asks: the same coins, drawn ten times and shown. In earnest
 * they fall once, and what fell is shown to nobody.
 */

import { button, el, fill } from "./dom.js";
import { Coins, platformFill } from "./coins.js";

const DRAWS = 10;
const HALF = 5_000;

/**
 * @param {Record<string, string>} texts
 * @param {Design} design
 * @param {string} name random name of the controls
 * @returns {HTMLElement | null} null where nothing is disguised by such coins
 */
export function trial(texts, design, name) {
  const block = design.blocks.find((each) => each.protected && each.truth_probability > 0);
  if (!block) {
    return null;
  }
  let given = null;
  const error = el("p", { class: "error", id: "trial-error", hidden: true }, texts.error_choose);
  const inputs = [1, 0].map((value) =>
    el("input", { type: "radio", name, value, autocomplete: "off", change: () => (given = value) }),
  );
  const said = el("p", { role: "status" });
  const list = el("ol", { class: "draws" });
  const word = (value) => (value ? texts.yes : texts.no);
  const draw = () => {
    error.hidden = given !== null;
    if (given === null) {
      inputs[0].focus();
      return;
    }
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
    const count = fallen.filter(({ isTrue }) => isTrue).length;
    said.textContent = fill(texts.trial_said, { count, draws: DRAWS });
    again.textContent = texts.trial_again;
  };
  const again = button(texts.trial_draw, draw, "button button--plain");
  return el(
    "details",
    { class: "trial" },
    el("summary", {}, texts.trial),
    el(
      "div",
      { class: "stack" },
      el(
        "fieldset",
        { class: "stack", "aria-describedby": "trial-hint trial-error" },
        el("legend", {}, el("h3", {}, texts.trial_question)),
        el("p", { id: "trial-hint" }, texts.trial_hint),
        error,
        el(
          "div",
          { class: "choices" },
          ...inputs.map((input) => el("label", {}, input, el("span", {}, word(Number(input.value))))),
        ),
      ),
      el("div", { class: "row" }, again),
      said,
      list,
    ),
  );
}
