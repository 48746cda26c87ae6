/** The screens after the first one, and functions that load further modules. */

import { loadLooks } from "./looks.js";
import { screenNodes } from "./pages.js";
import { part } from "./program.js";
import { useScale } from "./question.js";

/** The screens before the questions of a part. */
export const loadBefore = () => part("before");
/** The folded parts of earlier screens, the review, and what is shown after sending. */
export const loadRest = () => part("end");

export { loadLooks, screenNodes, useScale };
