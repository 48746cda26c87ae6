/** How sure someone could become, in percent. */

import { countText } from "./dom.js";

export const percent = (texts, share) => (share > 99.4 ? texts.odds_all : share < 0.5 ? texts.odds_none : countText(Math.round(share)));

/** The largest certainty in percent, rounded up, of someone who starts at 50:50, if one of two cases is `ratio` times likelier. */
export const evenOf100 = (ratio) => (ratio > 99 ? 100 : Math.ceil((100 * ratio) / (1 + ratio)));

export const even = (texts, ratio) => percent(texts, evenOf100(ratio));
