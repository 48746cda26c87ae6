/**
 * Arms of an experiment inside the survey: drawn by this device before anything is shown, and sent as they are. Twin of
 * privacy/survey/arms.py. Loaded only where a design has questions of arms.
 */

/** @param {Question} question @param {number} draw below 10,000 @returns {number} the first option whose running sum exceeds it */
export function armAt({ shares }, draw) {
  let total = 0;
  return shares.findIndex((share) => draw < (total += share));
}

/** @param {Design} design @returns {Question[]} its questions of arms */
export const armQuestions = ({ blocks }) => blocks.flatMap(({ questions }) => questions.filter(({ shares }) => shares));

/**
 * @param {Design} design
 * @param {Coins} coins of a fill of its own
 * @returns {number[]} the position of an option for each question of arms
 */
export const drawArms = (design, coins) => armQuestions(design).map((question) => armAt(question, coins.draw()));

/**
 * Shows the texts of this device's arms: those of all were loaded by everybody. What is said of the odds is the same in each.
 * @param {Page} page
 * @param {number[]} arms
 * @param {Element} intro the first screen
 * @param {(place: Element, texts: string[]) => void} show
 */
export function showArms({ wording, explained, texts }, arms, intro, show) {
  for (const { questions } of wording) {
    for (const words of questions.filter(({ wordings }) => wordings)) {
      words.text = words.wordings.texts[arms[words.wordings.arm]];
    }
  }
  const place = intro.querySelector("[data-explanation]");
  if (explained !== undefined && place) {
    show(place, texts[`explained_${arms[explained]}`].split("\n").filter(Boolean));
  }
}
