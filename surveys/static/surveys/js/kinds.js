/** The kinds of questions that this page knows, and what each one allows, draws and sends. */

import { Refusal } from "./refusal.js";
import { singleKind } from "./single.js";
import { yesNoKind } from "./yesno.js";

/** By name; numbers.js, places.js and boxes.js add theirs. @type {Record<string, Kind>} */
export const KINDS = { yes_no: yesNoKind, single: singleKind };

/** @param {{kind: string}} question @returns {Kind} */
export function kindOf({ kind }) {
  if (!Object.hasOwn(KINDS, kind)) {
    throw new Refusal("kind", `The kind ${kind} is unknown to this page; load it anew.`);
  }
  return KINDS[kind];
}

/** @param {Question} question @returns {boolean} whether it has its own disguise: a number or a place */
export const isScaleKind = ({ disguise }) => disguise !== undefined;

/** Whether a survey needs boxes.js; composite questions load it themselves. @param {{design: Design, wording: BlockWords[]}} page */
export const asksBoxes = ({ design, wording }) =>
  wording.some(({ boxes }) => boxes) || design.blocks.some(({ questions }) => questions.some(({ kind }) => kind === "multi"));
