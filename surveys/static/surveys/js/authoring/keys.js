/** Keys of blocks, questions and options: what answers are known by, for good. */

/**
 * A key that nobody has yet: the wanted one, or the same with a number behind it.
 * @param {Iterable<string>} taken
 * @param {string} wanted
 */
export function freshKey(taken, wanted) {
  const known = new Set(taken);
  if (!known.has(wanted)) {
    return wanted;
  }
  const stem = wanted.replace(/-\d+$/, "");
  let number = 2;
  while (known.has(`${stem}-${number}`)) {
    number += 1;
  }
  return `${stem}-${number}`;
}

/** Whether a key is one that the builder made up, and that nobody has given a name yet. */
export const isMadeUp = (key) => /^(part|question|option)-\d+$/.test(key ?? "");

export const blockKeys = (document) => document.blocks.map(({ key }) => key);
export const questionKeys = (document) =>
  document.blocks.flatMap(({ questions }) => (questions ?? []).map(({ key }) => key));
