/** What stands behind the first screen of every survey, in one file. */

import { rowOdds, tellingAnswers } from "./odds.js";
import { receipt, sentRow } from "./sent.js";
import { trial } from "./trial.js";
import { wholeScreen } from "./whole.js";

export { receipt, rowOdds, sentRow, tellingAnswers, trial, wholeScreen };
