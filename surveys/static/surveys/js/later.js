/** The screens after the first one, and functions that load further modules. */

import { partOdds } from "./block.js";
import { groupScreen } from "./groups.js";
import { screenNodes } from "./pages.js";
import { useScale } from "./question.js";
import { trial } from "./trial.js";

/** All questions on one page. */
export const loadWhole = () => import("./whole.js");
/** The review, and what is shown after sending. */
export const loadReview = () => import("./end.js");

export { groupScreen, partOdds, screenNodes, trial, useScale };
