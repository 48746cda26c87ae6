/** The screens after the first one, and functions that load further modules. */

import { loadLooks } from "./looks.js";
import { screenNodes } from "./pages.js";
import { part } from "./program.js";
import { needsFinder, useFinder, useScale } from "./question.js";

/** The screens before the questions of a part. */
export const loadBefore = () => part("before");
/** The folded parts of earlier screens, the review, and what is shown after sending. */
export const loadRest = () => part("end");

/** Load the search field of long lists, if these blocks may have one. @param {BlockWords[]} wording */
export async function loadFinder(wording) {
  if (needsFinder(wording)) {
    useFinder((await part("finder")).finder);
  }
}

/** Load the field of a number, and what leads to everything about numbers and places. */
export async function loadNumber() {
  const found = await part("number");
  useScale(found);
  return found;
}

export { loadLooks, screenNodes, useScale };
