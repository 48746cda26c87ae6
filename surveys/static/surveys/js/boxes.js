/** Boxes to tick: lists with that look, components of composite questions, and tick-all questions of earlier versions. */

import { KINDS } from "./kinds.js";
import { multiKind } from "./multi.js";
import { severalKind } from "./several.js";

KINDS.several = severalKind;
KINDS.multi = multiKind;

/** Load the texts of boxes. @param {Visit} visit */
export const prepare = (visit) => visit.speak("boxes");
