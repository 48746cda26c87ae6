/**
 * Arms of an experiment inside the survey. They are drawn by this device before it shows anything, or taken from the
 * invitation, and sent undisguised; see privacy/survey/arms.py. Loaded only if a design has arms.
 */

import { Coins } from "./coins.js";
import { worstCase } from "./worst-case.js";

/** @param {Question} question @param {number} draw below 10,000 @returns {number} the first option whose running sum exceeds it */
export function armAt({ shares }, draw) {
  let total = 0;
  return shares.findIndex((share) => draw < (total += share));
}

/** @param {Design} design @returns {Question[]} the questions that assign arms */
export const armQuestions = ({ blocks }) => blocks.flatMap(({ questions }) => questions.filter(({ shares }) => shares));

/**
 * @param {Design} design
 * @param {Coins} coins with a separate fill
 * @param {number | null} [invited] the invitation's number, which replaces the draw for the question that it decides
 * @returns {number[]} the index of the arm, for each question that assigns arms
 */
export const drawArms = (design, coins, invited) =>
  armQuestions(design).map((question) => {
    const draw = coins.draw();
    return armAt(question, (question.key === design.invited ? invited : null) ?? draw);
  });

/** @param {string} survey @param {string} decided @param {string} code @returns {Promise<number>} an invitation's number, below 10,000 */
export async function invitedDraw(survey, decided, code) {
  const bytes = (text) => new TextEncoder().encode(text);
  const digest = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.of(...parts)));
  const kept = await digest(...bytes(`sotto invitation\n${survey}\n${code}`));
  const drawn = await digest(...bytes(`sotto-arm-1\0${survey}\0${decided}\0`), ...kept);
  return Number(new DataView(drawn.buffer).getBigUint64(0) % 10000n);
}

/**
 * The arms of this device: drawn from fresh words, or from the invitation, which gives the same arms after each load.
 * @param {{design: Design, survey: string}} page
 * @param {string | null} code
 * @param {(words: number) => () => number} fill
 * @returns {Promise<{arms: number[], answers: Answers, invited: number | null}>} answers: the arms, as undisguised answers;
 *   invited: the number that decides the strength
 */
export async function takeArms({ design, survey }, code, fill) {
  const invited = design.invited && code ? await invitedDraw(survey, design.invited, code) : null;
  const blocks = design.blocks.filter(({ questions: [{ shares }] }) => shares);
  const arms = drawArms(design, new Coins(fill(blocks.length)), invited);
  const answers = Object.fromEntries(blocks.map(({ key, questions: [own] }, place) => [key, { [own.key]: arms[place] }]));
  return { arms, answers, invited: blocks.some(({ questions: [{ key }] }) => key === design.invited) ? null : invited };
}

/** Insert the texts of this device's arms; every device loads those of all arms. @param {object[]} wording @param {number[]} arms */
export function takeTexts(wording, arms) {
  for (const words of wording.flatMap(({ questions, stems = [] }) => [...questions, ...stems].filter(({ wordings }) => wordings))) {
    words.text = words.wordings.texts[arms[words.wordings.arm]];
  }
}

/** The explanation for this device's arm, in which whole lines can name what every first page shows. @param {Page} page @param {number[]} arms @returns {string[]} its lines */
export const explanation = ({ explanations, whole, light }, arms, texts) =>
  explanations.texts[arms[explanations.arm]]
    .replace("{odds}", () => worstCase(texts, whole, light))
    .split("\n")
    .filter(Boolean);
