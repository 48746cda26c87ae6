/** Prepare a page that asks composite questions. Loaded only if a survey has some. */

import { asked, begun, followed, toSeal, totalOf } from "./components.js";
import { isScaleKind } from "./kinds.js";
import { part } from "./program.js";

/** Load what only surveys with composite questions need. @param {Visit} visit */
export async function prepare(visit) {
  visit.composites = await part("composites");
  visit.parts.composites = visit.composites;
  const asksNumber = asked(visit.page).design.blocks.some(({ questions }) => questions.some(isScaleKind));
  const [scale] = await Promise.all([asksNumber && part("scale"), visit.speak("composites")]);
  visit.scale ||= scale;
}

export { asked, begun, followed, toSeal, totalOf };
