/** Quotas of an open question, as pure functions: at most so many answers with each option. */

import { getAt, setAt } from "./paths.js";

/** The keys of a question's answers. */
export const answerKeys = ({ kind, options = [] }) => (kind === "yes_no" ? ["yes", "no"] : options.map(({ key }) => key));

/** Questions that can have a quota: open ones with one answer. */
export const canHaveQuotas = (block, { kind }) => !block.protected && (kind === "yes_no" || kind === "single");

/** Let at most so many answers of an option in; undefined lets all in, and a question without any quota says nothing of them. */
export function setQuota(document, path, key, most) {
  const { [key]: _, ...others } = getAt(document, [...path, "quotas"]) ?? {};
  const quotas = most === undefined ? others : { ...others, [key]: most };
  return setAt(document, [...path, "quotas"], Object.keys(quotas).length ? quotas : undefined);
}

/** The quota of an option under its new key; without a new key it goes with the option. */
export function movedQuota(document, path, before, key) {
  const most = getAt(document, [...path, "quotas", before]);
  if (most === undefined) {
    return document;
  }
  const without = setQuota(document, path, before, undefined);
  return key === undefined ? without : setQuota(without, path, key, most);
}
