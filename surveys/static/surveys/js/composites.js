/** Prepare a page that asks composite questions. Loaded only if a survey has some. */

import { asked, begun, followed, toSeal, totalOf } from "./components.js";
import { isScaleKind } from "./kinds.js";
import { part } from "./program.js";

/** Load what only surveys with composite questions need. @param {Visit} visit */
export async function prepare(visit) {
  visit.composites = await part("composites");
  visit.parts.composites = visit.composites;
  const shown = asked(visit.page).design.blocks.flatMap(({ questions }) => questions);
  const [scale] = await Promise.all([
    shown.some(isScaleKind) && part("scale"),
    visit.speak("composites"),
    shown.some(({ kind }) => kind === "several") && part("boxes").then(({ prepare: speak }) => speak(visit)),
  ]);
  visit.scale ||= scale;
}

export { asked, begun, followed, toSeal, totalOf };
