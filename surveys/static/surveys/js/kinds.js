/** The kinds of questions that this page knows, and what each of them allows, draws and sends. */

import { multiKind } from "./multi.js";
import { Refusal } from "./refusal.js";
import { singleKind } from "./single.js";
import { yesNoKind } from "./yesno.js";

/** By name. numbers.js and places.js add theirs, where a survey asks for one. @type {Record<string, Kind>} */
export const KINDS = { yes_no: yesNoKind, single: singleKind, multi: multiKind };

/** @param {{kind: string}} question @returns {Kind} */
export function kindOf({ kind }) {
  if (!Object.hasOwn(KINDS, kind)) {
    throw new Refusal("kind", `The kind ${kind} is unknown to this page; load it anew.`);
  }
  return KINDS[kind];
}

/** @param {Question} question @returns {boolean} whether it brings a disguise of its own: a number or a place */
export const isScaleKind = ({ disguise }) => disguise !== undefined;
