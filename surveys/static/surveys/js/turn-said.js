/** Tells a person which parts this survey of a series asks them. Loaded only if parts take turns over a series. */

import { el, fill } from "./dom.js";
import { listed } from "./joints.js";
import { isArm } from "./layout.js";
import { quoted } from "./quotes.js";
import { titleOf } from "./said.js";

/**
 * @param {Page} page
 * @param {Record<string, string>} texts
 * @param {boolean[]} turn whether this person is asked each block
 * @param {boolean} isPreview whether a random code decides
 * @returns {Node[]}
 */
export function turnSaid(page, texts, turn, isPreview) {
  return [el("p", { class: "say" }, parts(page, texts, turn)), ...(isPreview ? [el("p", {}, texts.turn_preview)] : [])];
}

function parts({ design, wording }, texts, turn) {
  const keys = new Set(design.rotations[0].blocks);
  const shown = design.blocks.filter((block) => !isArm(block));
  // The texts of lists of parts arrive later.
  const nameOf = (block, place) => (titleOf(wording[place]) ? quoted(titleOf(wording[place])) : fill(texts.turn_part, { number: shown.indexOf(block) + 1 }));
  const asked = design.blocks.flatMap((block, place) => (turn[place] && keys.has(block.key) ? [nameOf(block, place)] : []));
  return asked.length ? fill(texts.turn_asked, { parts: listed(asked) }) : texts.turn_none;
}
