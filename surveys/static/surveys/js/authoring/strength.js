/**
 * Three strengths of protection. Each limits how sure an attacker could become from the whole part, from one answer, and
 * from a skip. The builder computes the truth probability or epsilon that meets all limits. A part's strength is not stored; it
 * follows from its probabilities.
 */

import { probability, leastLikelyDecoy, rarest } from "../odds.js";
import { asDrawn } from "./drawn-part.js";
import { setAt } from "./paths.js";
import { isReadable } from "./readable.js";

/**
 * Limits of odds, as fractions: how many times likelier a report may be from one person than from another. As in
 * `PROTECTIONS` of privacy/planning/layouts.py.
 */
export const CEILINGS = {
  strong: { everything: { up: 22n, down: 3n }, answer: { up: 7n, down: 3n }, skip: { up: 4n, down: 1n } },
  medium: { everything: { up: 19n, down: 1n }, answer: { up: 4n, down: 1n }, skip: { up: 9n, down: 1n } },
  light: { everything: { up: 19n, down: 1n }, answer: { up: 9n, down: 1n }, skip: { up: 9n, down: 1n } },
};

/** This strength passes every check, and gives usable percentages for a few questions. */
export const PROPOSED = "medium";

const MOST = 9_999n;
const WHOLE = 10_000n;

/**
 * The largest truth probability within the limits: p / (1 - p) = (O - 1) q, where q is the probability of the least likely
 * decoy and O the limit of the odds; for the whole row, for the least likely answer to one question, and for a skip.
 *
 * @param {any} block protected, with questions that have a coin
 * @param {keyof CEILINGS} strength
 * @returns {number | null} in ten-thousandths; null while its probabilities are invalid
 */
export function truthFor(block, strength) {
  const asked = { ...asDrawn(block), protected: true, truth_probability: 1, refusal: block.refusal ?? null };
  if (asked.questions.length > 0 && !isReadable(asked)) {
    return null;
  }
  const row = leastLikelyDecoy({ blocks: [asked] }, 0);
  const { everything, answer, skip } = CEILINGS[strength];
  const likely = probability(asked, row, ({ unrelated }) => unrelated);
  const skipped = BigInt(asked.refusal ?? 0);
  const answered = 10_000n - skipped;
  const truths = [
    truthAt(everything, likely),
    ...(skipped ? [truthAt(skip, { up: skipped, down: 10_000n })] : []),
    ...asked.questions.map(rarest).map(({ up, down }) => truthAt(answer, { up: up * answered, down: down * 10_000n })),
  ];
  const truth = truths.reduce((least, each) => (each < least ? each : least));
  return Number(truth < 1n ? 1n : truth > MOST ? MOST : truth);
}

/**
 * The proposed share of skips among random answers, which gives the narrowest intervals within the limits. As `best_coin` of
 * privacy/planning/coin_choice.py: p / (1 - p) is at most a (1 - r) for answers and b r for skips, so r = a / (a + b).
 *
 * @param {any} block as for `truthFor`; its own share of skips is ignored
 * @param {keyof CEILINGS} [strength]
 * @returns {number | null} in ten-thousandths; null while its probabilities are invalid
 */
export function bestRefusal(block, strength = strengthOf(block) ?? PROPOSED) {
  const asked = { ...asDrawn(block), protected: true, truth_probability: 1, refusal: null };
  if (asked.questions.length > 0 && !isReadable(asked)) {
    return null;
  }
  const { everything, answer, skip } = CEILINGS[strength];
  const certain = { up: 1n, down: 1n };
  const row = probability(asked, leastLikelyDecoy({ blocks: [asked] }, 0), ({ unrelated }) => unrelated);
  const answered = least([above(everything, row), ...asked.questions.map((question) => above(answer, rarest(question)))]);
  const skipped = least([above(everything, certain), above(skip, certain)]);
  const share = answered.up * skipped.down;
  const crossing = Number((WHOLE * share) / (share + skipped.up * answered.down));
  const [low, high] = [crossing, crossing + 1].map((refusal) => Math.min(Math.max(refusal, 1), Number(MOST)));
  const truth = (refusal) => truthFor({ ...block, refusal }, strength);
  return truth(high) > truth(low) ? high : low;
}

/** (O - 1) q, for odds O and the probability q of a decoy. */
const above = (odds, likely) => ({ up: (odds.up - odds.down) * likely.up, down: odds.down * likely.down });

const least = (fractions) => fractions.reduce((a, b) => (b.up * a.down < a.up * b.down ? b : a));

/** Whether a part that can be skipped has the proposed share of skips. */
const isProposed = (block) => typeof block.refusal === "number" && block.refusal === bestRefusal(block);

/**
 * The part with this strength; a proposed share of skips follows it.
 *
 * @param {any} block
 * @param {keyof CEILINGS} strength
 * @returns {any} null while its probabilities are invalid
 */
export function withStrength(block, strength) {
  const next = isProposed(block) ? { ...block, refusal: bestRefusal(block, strength) } : block;
  const truth = truthFor(next, strength);
  return truth && { ...next, truth_probability: truth };
}

/** Update a part's share of skips after a change, if it had the proposed one before. */
export function proposing(block, before) {
  const strength = strengthOf(before) ?? PROPOSED;
  const refusal = block.protected && isProposed(before) && block.refusal === before.refusal ? bestRefusal(block, strength) : null;
  return refusal ? { ...block, refusal } : block;
}

/** The largest p, in ten-thousandths, with p / (1 - p) at most (O - 1) q. */
function truthAt(odds, likely) {
  const up = (odds.up - odds.down) * likely.up;
  return (WHOLE * up) / (up + odds.down * likely.down);
}

/** The epsilon of a number or a place with this strength (as for one answer), in hundredths. @param {keyof CEILINGS} strength */
export const epsilonFor = (strength) => {
  const { up, down } = CEILINGS[strength].answer;
  return Math.floor(100 * Math.log(Number(up) / Number(down))) / 100;
};

/** @returns {keyof CEILINGS | null} the strength of a part; null if its probability is custom */
export const strengthOf = (block) =>
  Object.keys(CEILINGS).find((strength) => truthFor(block, strength) === block.truth_probability) ?? null;

/** @returns {keyof CEILINGS | null} the strength of a number or a place; null if its epsilon is custom */
export const strengthAt = (epsilon) => Object.keys(CEILINGS).find((strength) => epsilonFor(strength) === epsilon) ?? null;

/** A share's error is below 1.96 standard errors in 95% of cases. */
const ERRORS = 1.96;

/**
 * The number of answers for which the error of a share is at most `off`: (1.96 / (2 p off))^2 / asked, rounded up to 2 digits.
 *
 * @param {number} truth shrinkage of one answer, in ten-thousandths: for the plain disguise, its truth probability
 * @param {number} off
 * @param {number} [asked] share of respondents who are asked
 */
export function answersFor(truth, off, asked = 1) {
  const answers = ((ERRORS * 10_000) / (2 * truth * off)) ** 2 / asked;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(answers)) - 1);
  return unit * Math.ceil(answers / unit);
}

/**
 * The changed document, with probabilities adapted so that each part keeps its previous strength.
 *
 * @param {any} document
 * @param {any} before
 */
export function keepStrengths(document, before) {
  const known = new Map(before.blocks.map((block) => [block.key, block]));
  return document.blocks.reduce((next, block, place) => {
    const was = known.get(block.key);
    const isKept = was && was !== block && was.truth_probability === block.truth_probability;
    // Numbers and places have no coin.
    if (!isKept || !was.protected || !block.protected || was.truth_probability === undefined) {
      return next;
    }
    const strength = strengthOf(was);
    const truth = strength && truthFor(block, strength);
    return truth ? setAt(next, ["blocks", place, "truth_probability"], truth) : next;
  }, document);
}
