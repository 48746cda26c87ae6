/** The odds of one row as a hundred dots and the two sentences that say the same. */

import { el, fill, svg } from "./dom.js";

const COLUMNS = 20;
const PITCH = 12;
const RADIUS = 4;

/** @param {number} count how many of the hundred stand out */
function dots(count) {
  const circles = Array.from({ length: 100 }, (_, index) =>
    svg("circle", {
      cx: (index % COLUMNS) * PITCH + PITCH / 2,
      cy: Math.floor(index / COLUMNS) * PITCH + PITCH / 2,
      r: RADIUS,
      class: index < count ? "dot dot--on" : "dot",
    }),
  );
  const size = `0 0 ${COLUMNS * PITCH} ${(100 / COLUMNS) * PITCH}`;
  return svg("svg", { viewBox: size, class: "dots", "aria-hidden": "true", focusable: "false" }, ...circles);
}

/**
 * @param {Record<string, string>} texts
 * @param {import("./odds.js").Odds} odds
 * @param {"" | "_worst"} kind which wording: of this very row, or of the answers that tell most
 */
export function oddsPicture(texts, { posteriorOf100, evenOf100 }, kind) {
  return el(
    "div",
    { class: "odds stack" },
    dots(posteriorOf100),
    el("p", { class: "say" }, fill(texts[`odds_posterior${kind}`], { n: posteriorOf100 })),
    el("p", {}, fill(texts[`odds_even${kind}`], { m: evenOf100 })),
  );
}
