/** The screens after the first one, and functions that load further modules. */

import { partOdds } from "./block.js";
import { screenNodes } from "./pages.js";
import { part } from "./program.js";
import { useScale } from "./question.js";
import { trial } from "./trial.js";

/** All questions on one page. */
export const loadWhole = () => part("whole");
/** What parts with composite questions show. */
export const loadComposed = () => part("composed");
/** The review, and what is shown after sending. */
export const loadReview = () => part("end");

export { partOdds, screenNodes, trial, useScale };
