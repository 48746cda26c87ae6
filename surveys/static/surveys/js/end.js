/** The screens after the questions, the disguise and the delivery, in one file that loads while the first question is read. */

import { Delivery } from "./deliver.js";
import { disguise } from "./disguise.js";
import { reviewScreen } from "./review.js";
import { receipt, sentRow } from "./sent.js";

export { Delivery, disguise, receipt, reviewScreen, sentRow };
