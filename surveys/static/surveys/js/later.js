/** What the first screens do without, in one file. */

import { receipt, sentRow } from "./sent.js";
import { wholeScreen } from "./whole.js";

export { receipt, sentRow, wholeScreen };
