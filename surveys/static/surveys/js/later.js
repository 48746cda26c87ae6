/** What the first screens do without, in one file. */

import { receipt, sentRow } from "./sent.js";
import { trial } from "./trial.js";
import { wholeScreen } from "./whole.js";

export { receipt, sentRow, trial, wholeScreen };
