/** Prepare a page that asks composite questions. Loaded only if a survey has some. */

import { asked, begun } from "./components.js";
import { part } from "./program.js";

/** Load what only surveys with composite questions need. @param {Visit} visit */
export async function prepare(visit) {
  visit.composites = await part("composites");
  visit.parts.composites = visit.composites;
  const shown = asked(visit.page).design.blocks.flatMap(({ questions }) => questions);
  await (shown.some(({ kind }) => kind === "several") && part("boxes").then(({ prepare: speak }) => speak(visit)));
}

/** What their answers are, which question 1 does not need. */
export const loadAnswers = () => part("composite-answers");

export { asked, begun };
