/** What a device does to numbers and places. The first page needs it if a survey asks for one; their controls come later. */

import { numberOutputs } from "./numbers.js";
import { placeTotal } from "./places.js";
import { part } from "./program.js";

/** Their controls, and what is said about them. */
export const loadScale = () => part("scale");

export { numberOutputs, placeTotal };
