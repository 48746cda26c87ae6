/**
 * What loads once everything that question 1 needs has arrived: the folded parts, the screens after the questions, the disguise
 * and the delivery. No question can be left before.
 */

import { Carrier } from "./carrier.js";
import { disguise } from "./disguise.js";
import { aboutFold, oddsFold } from "./folds.js";
import { promiseSentence } from "./promise.js";
import { reviewScreen } from "./review.js";
import { Sealing } from "./sealing.js";
import { receipt, sentRow } from "./sent.js";
import { tellingNodes } from "./telling.js";

export { aboutFold, Carrier, disguise, oddsFold, promiseSentence, receipt, reviewScreen, Sealing, sentRow, tellingNodes };
