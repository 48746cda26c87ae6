/**
 * Undo and redo. A history is immutable; typing into one field is a single step.
 *
 * @typedef {{document: any, tag: string | null}} Step tag: the field that was edited
 * @typedef {{past: Step[], present: Step, future: Step[]}} History
 */

const MOST_STEPS = 200;

/** @param {any} document @returns {History} */
export function begin(document) {
  return { past: [], present: { document, tag: null }, future: [] };
}

/**
 * @param {History} history
 * @param {any} document
 * @param {{tag?: string | null}} [how] tag: consecutive steps with the same tag are merged
 * @returns {History}
 */
export function record(history, document, { tag = null } = {}) {
  if (document === history.present.document) {
    return history;
  }
  const isSameField = tag !== null && tag === history.present.tag;
  const past = isSameField ? history.past : [...history.past, history.present].slice(-MOST_STEPS);
  return { past, present: { document, tag }, future: [] };
}

/** @param {History} history @returns {History} */
export function undo({ past, present, future }) {
  if (past.length === 0) {
    return { past, present, future };
  }
  return { past: past.slice(0, -1), present: closed(past.at(-1)), future: [present, ...future] };
}

/** @param {History} history @returns {History} */
export function redo({ past, present, future }) {
  if (future.length === 0) {
    return { past, present, future };
  }
  return { past: [...past, present], present: closed(future[0]), future: future.slice(1) };
}

/** Start a new step after undo or redo, even if the same field is edited. */
function closed(step) {
  return { ...step, tag: null };
}
