/** What a frame with numbers loads: the field, and what one draw sends. */

import { sentNumber } from "./number-draw.js";
import { numberShown } from "./number-more.js";

export { numberShown, sentNumber };
