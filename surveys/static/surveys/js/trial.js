/**
 * Try the disguise on a question that no one asks: the coins of the survey's question that reveals most, drawn five times and
 * shown. In the survey they are drawn once, and no one sees the result.
 */

import { el } from "./dom.js";
import { Coins, platformFill } from "./coins.js";
import { triedCoins } from "./proof.js";
import { heading } from "./said.js";

const DRAWS = 5;

/** What a device sends instead of an answer. @param {{truth: number, refusal: number, theta: number}} law @param {Coins} coins @param {0 | 1} given @returns {0 | 1 | null} null for a skip */
export function triedOnce({ truth, refusal, theta }, coins, given) {
  if (coins.draw() < truth) {
    return given;
  }
  return coins.draw() < refusal ? null : Number(coins.draw() < theta);
}

/**
 * @param {Record<string, string>} texts
 * @param {Design} design
 * @param {string} name random name for the controls
 * @returns {HTMLElement | null} null if no such coin disguises anything
 */
export function trial(texts, design, name) {
  const law = triedCoins(design);
  if (!law) {
    return null;
  }
  const sent = el("div", { class: "stack", role: "status" });
  const word = (value) => (value === null ? texts.skip : value ? texts.yes : texts.no);
  const draw = (given) => {
    const coins = new Coins(platformFill(3 * DRAWS));
    const fallen = Array.from({ length: DRAWS }, () => triedOnce(law, coins, given));
    sent.replaceChildren(el("p", {}, texts.trial_sent), el("ol", { class: "draws" }, ...fallen.map((value) => el("li", {}, word(value)))));
  };
  const answer = (value) =>
    el("label", {}, el("input", { type: "radio", name, value, autocomplete: "off", click: () => draw(value) }), el("span", {}, word(value)));
  return el(
    "fieldset",
    { class: "stack trial" },
    el("legend", {}, heading(texts.trial)),
    el("div", { class: "choices" }, answer(1), answer(0)),
    sent,
  );
}
