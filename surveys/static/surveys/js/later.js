/** What stands behind the first screen of every survey, in one file. */

import { allQuestions } from "./all-questions.js";
import { groupScreen } from "./groups.js";
import { partOdds, screenNodes } from "./pages.js";
import { useScale } from "./question.js";
import { receipt, sentRow } from "./sent.js";
import { trial } from "./trial.js";
import { wholeScreen } from "./whole.js";

export { allQuestions, groupScreen, partOdds, receipt, screenNodes, sentRow, trial, useScale, wholeScreen };
