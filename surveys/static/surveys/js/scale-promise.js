/** What is said before a number or a place is answered. */

import { el } from "./dom.js";
import { lateFold } from "./late-fold.js";

export const paragraphs = (lines) => lines.map((line) => el("p", {}, line));

/**
 * What the device does, and folded, how sure anyone could become.
 * @param {Block} block
 * @param {Record<string, string>} texts
 * @param {string[]} first what the device does
 * @param {object | null} promise left out for a place whose bound it does not cover
 * @param {Rest} rest what loads later, such as the folded part
 */
export const saidFirst = (block, texts, first, promise, rest) => [
  ...paragraphs([...first, block.refusal !== null ? texts.scale_may_skip : texts.scale_whole]),
  lateFold(texts, rest, texts.odds_summary, (parts) => paragraphs(parts.foldedScale(block, texts, promise, parts))),
];
