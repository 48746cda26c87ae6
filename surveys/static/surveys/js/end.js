/** The screens after the questions, in one file that loads while the first question is read. */

import { reviewScreen } from "./review.js";
import { receipt, sentRow } from "./sent.js";

export { receipt, reviewScreen, sentRow };
