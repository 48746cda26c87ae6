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

const LONGEST_PROPOSAL = 32;
const WORDS = 3;
/** Words of questions that do not tell one from another. */
const COMMON = new Set(
  (
    "a about an and any are at been by can could did do does ever for from had has have how i in is it last many me much " +
    "my of often on or our past than that the their there this to was were what when where which who with would year " +
    "years you your"
  ).split(" "),
);

/**
 * A key made of the first telling words of a question; null where its letters are none that keys are made of.
 * @param {string} text
 */
export function proposedKey(text) {
  const words = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const telling = words.filter((word) => !COMMON.has(word)).slice(0, WORDS);
  return telling.join("-").slice(0, LONGEST_PROPOSAL).replace(/-+$/, "") || null;
}

export const blockKeys = (document) => document.blocks.map(({ key }) => key);
export const questionKeys = (document) =>
  document.blocks.flatMap(({ questions }) => (questions ?? []).map(({ key }) => key));
