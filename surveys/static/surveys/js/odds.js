/**
 * How sure anyone can be after seeing what is sent: the respondent's odds, in exact integers. As in
 * privacy/risk/prior.py.
 */

import { SKIPPED } from "./draws.js";
import { kindOf } from "./kinds.js";
import { readValue } from "./read-value.js";
import { Refusal } from "./refusal.js";
import { isRotating, mostAsked } from "./rotation.js";

/** A fraction. @typedef {{up: bigint, down: bigint}} Fraction */

const SCALE = 10000n;
const DIGITS = 10n ** 15n;

/** @param {bigint | number} up @returns {Fraction} */
const tenThousandths = (up) => ({ up: BigInt(up), down: SCALE });

/** @param {Fraction} a @param {Fraction} b @returns {Fraction} */
const times = (a, b) => ({ up: a.up * b.up, down: a.down * b.down });

/** @param {Fraction} a @param {Fraction} b @returns {Fraction} */
const plus = (a, b) => ({ up: a.up * b.down + b.up * a.down, down: a.down * b.down });

/** @param {Fraction} a @param {Fraction} b @returns {Fraction} */
function over(a, b) {
  if (b.up === 0n) {
    throw new Refusal("impossible", "This row is never sent; ask about one that can be.");
  }
  return { up: a.up * b.down, down: a.down * b.up };
}

/**
 * The probability of a row: the product of the probabilities of its values. A row of a rotating block has null for each
 * question that its device did not ask.
 * @param {Block} block
 * @param {Row} row
 * @param {(question: Question) => number[]} shares ten-thousandths per item of a question
 * @returns {Fraction} if skipping is offered, "skipped" has its share among decoys
 */
export function probability(block, row, shares) {
  const refusal = block.refusal ?? 0;
  if (row === SKIPPED) {
    return tenThousandths(refusal);
  }
  if (!Array.isArray(row) || row.length !== block.questions.length) {
    throw new Refusal("row", `A row of block ${block.key} has ${block.questions.length} values.`);
  }
  let result = tenThousandths(10000 - refusal);
  block.questions.forEach((question, position) => {
    if (isRotating(block) && row[position] === null) {
      return;
    }
    const value = readValue(question, row[position]);
    for (const share of kindOf(question).shares(shares(question), value)) {
      result = times(result, tenThousandths(share));
    }
  });
  return result;
}

/**
 * @param {Prevalence} prevalence
 * @returns {(question: Question) => number[]} the stated shares of a question, after checking them
 */
function stated(prevalence) {
  return (question) => {
    const shares = prevalence[question.key];
    const { items, isExhaustive } = kindOf(question);
    const count = items(question);
    const whole = (/** @type {unknown} */ share) =>
      typeof share === "number" && Number.isInteger(share) && share >= 0 && share <= 10000;
    if (!Array.isArray(shares) || shares.length !== count || !shares.every(whole)) {
      throw new Refusal("prevalence", `State ${count} ten-thousandths for ${question.key}.`);
    }
    if (isExhaustive && shares.reduce((sum, share) => sum + share, 0) !== 10000) {
      throw new Refusal("shares_sum", `The prevalences of ${question.key} must sum to 10000.`);
    }
    return shares;
  };
}

/** @param {Design} design @param {number} blockIndex @returns {Block} */
function protectedBlock(design, blockIndex) {
  const block = design.blocks[blockIndex];
  if (!block?.protected) {
    throw new Refusal("open_block", `Block number ${blockIndex} is not protected; it has no odds.`);
  }
  return block;
}

/** How many answers of a set occur in a row. @param {Block} block @param {Value[]} row @param {[number, number][]} places */
function countOf(block, row, places) {
  return places.filter(([question, item]) => kindOf(block.questions[question]).has(row[question], item)).length;
}

/** Whether these answers can all be true of one person. @param {Block} block @param {Row} row @param {Together} together */
const isPossible = (block, row, { sets }) =>
  row === SKIPPED || sets.every((places) => countOf(block, row, places) <= 1);

/** The probability of a true row. @returns {Fraction} */
function priorOf(block, row, prevalence, together) {
  const prior = probability(block, row, stated(together?.shares ?? prevalence));
  if (!together || row === SKIPPED) {
    return prior;
  }
  const [up, down] = together.possible.map(BigInt);
  return isPossible(block, row, together)
    ? over(times(prior, restOf(block, row, together)), { up, down })
    : { up: 0n, down: 1n };
}

/**
 * The probability that the answers to unasked questions are compatible with a row; 1 if all questions were asked.
 * @param {Block} block
 * @param {Row} row a possible one
 * @param {Together} together
 * @returns {Fraction}
 */
function restOf(block, row, { shares, sets }) {
  const unasked = (question, item) =>
    row[question] === null && sets.some((places) => places.some(([q, i]) => q === question && i === item));
  // In each of these parts, at most one item is true.
  const parts = block.questions.flatMap((each, question) => {
    const items = shares[each.key].flatMap((share, item) => (unasked(question, item) ? [{ question, item, share }] : []));
    return kindOf(each).isExhaustive ? [items] : items.map((item) => [item]);
  });
  const holds = (set, { question, item }) => sets[set].some(([q, i]) => q === question && i === item);
  const isOpen = (set, next) => parts.slice(next).some((items) => items.some((item) => holds(set, item)));
  const known = new Map();
  /** The probability times SCALE to the power of the number of parts left. `taken`: sets that already have a true answer. */
  const probabilityFrom = (part, taken) => {
    if (part === parts.length) {
      return 1n;
    }
    const left = taken.filter((set) => isOpen(set, part));
    const name = `${part}:${left}`;
    if (!known.has(name)) {
      const none = 10000 - parts[part].reduce((sum, { share }) => sum + share, 0);
      const found = parts[part].map((item) => {
        const own = sets.flatMap((_, set) => (holds(set, item) ? [set] : []));
        const isFree = !own.some((set) => left.includes(set));
        return isFree ? BigInt(item.share) * probabilityFrom(part + 1, [...new Set([...left, ...own])].sort()) : 0n;
      });
      known.set(name, found.reduce((sum, each) => sum + each, BigInt(none) * probabilityFrom(part + 1, left)));
    }
    return known.get(name);
  };
  const taken = sets.flatMap((places, set) => (countOf(block, row, places) ? [set] : []));
  return { up: probabilityFrom(0, taken), down: SCALE ** BigInt(parts.length) };
}

/**
 * The odds of sending one row of a protected block.
 * @param {Design} design
 * @param {Prevalence} prevalence stated by the researcher
 * @param {number} blockIndex
 * @param {Row} row
 * @param {Together} [together] if answers of the block exclude each other
 * @returns {Odds}
 */
export function rowOdds(design, prevalence, blockIndex, row, together) {
  const block = protectedBlock(design, blockIndex);
  const truth = tenThousandths(block.truth_probability);
  const lie = tenThousandths(10000 - block.truth_probability);
  const prior = priorOf(block, row, prevalence, together);
  const decoy = times(lie, probability(block, row, (question) => question.unrelated));
  const kept = times(truth, prior);
  const posterior = over(plus(kept, times(prior, decoy)), plus(kept, decoy));
  return {
    posterior: cut(posterior),
    posteriorOf100: of100(posterior),
    priorOf100: of100(prior),
  };
}

/**
 * The most revealing row of a protected block: its least likely decoy; for a rotating block, that of its worst booklet. Among
 * equally unlikely rows, the one with most "yes", then the first in design order; "skipped" only if it is less likely.
 * @param {Design} design
 * @param {number} blockIndex
 * @returns {Row}
 */
export function leastLikelyDecoy(design, blockIndex) {
  const block = protectedBlock(design, blockIndex);
  const row = leastLikelyAnswers(block);
  const likely = probability(block, row, (question) => question.unrelated);
  const skip = tenThousandths(block.refusal ?? 10000);
  return skip.up * likely.down < likely.up * skip.down ? SKIPPED : row;
}

/** The probability of the least likely decoy answer. @param {Question} question @returns {Fraction} */
export function rarest(question) {
  const one = { up: 1n, down: 1n };
  const { unrelated } = question;
  return kindOf(question).isExhaustive
    ? tenThousandths(Math.min(...unrelated))
    : unrelated.reduce((product, share) => times(product, tenThousandths(Math.min(share, 10000 - share))), one);
}

/** @param {Fraction} a @param {Fraction} b @returns {number} negative if a is smaller */
const compare = (a, b) => Number(a.up * b.down > b.up * a.down) - Number(a.up * b.down < b.up * a.down);

/**
 * The questions of the booklet with the least likely decoy, under which a device reveals most.
 * @param {Block} block
 * @returns {number[]}
 */
export function worstBooklet(block) {
  const shares = block.questions.map(rarest);
  const product = (booklet) => booklet.map((position) => shares[position]).reduce(times);
  if (block.booklets) {
    return block.booklets.reduce((worst, other) => (compare(product(other), product(worst)) < 0 ? other : worst));
  }
  const order = [...shares.keys()].sort((a, b) => compare(shares[a], shares[b]));
  return order.slice(0, mostAsked(block)).sort((a, b) => a - b);
}

/** @param {Block} block @returns {(Value | null)[]} null for questions that are not in the worst booklet */
function leastLikelyAnswers(block) {
  const asked = worstBooklet(block);
  return block.questions.map((question, position) => {
    return asked.includes(position) ? kindOf(question).rarest(question.unrelated) : null;
  });
}

/**
 * The odds of the worst row of a protected block.
 * @param {Design} design
 * @param {Prevalence} prevalence
 * @param {number} blockIndex
 * @param {Together} [together]
 * @returns {Odds & {values: Row}}
 */
export function worstRow(design, prevalence, blockIndex, together) {
  const values = together?.worst ?? leastLikelyDecoy(design, blockIndex);
  return { values, ...rowOdds(design, prevalence, blockIndex, values, together) };
}

/** Cut a share to 15 decimals, as in Python. @param {Fraction} share */
function cut(share) {
  return Number((share.up * DIGITS) / share.down) / Number(DIGITS);
}

/** Whole people out of 100, rounding halves up. @param {Fraction} share */
function of100(share) {
  return Number((200n * share.up + share.down) / (2n * share.down));
}

/**
 * The odds of the most revealing answers. A skip may reveal more, but it is not an answer that someone would want to hide.
 * @param {Design} design
 * @param {Prevalence} prevalence
 * @param {number} blockIndex
 * @param {Together} [together]
 * @returns {Odds & {values: Row}} the worst row if no other is possible
 */
export function tellingAnswers(design, prevalence, blockIndex, together) {
  const worst = worstRow(design, prevalence, blockIndex, together);
  const block = protectedBlock(design, blockIndex);
  const values = leastLikelyAnswers(block);
  if (worst.values !== SKIPPED || (together && !isPossible(block, values, together))) {
    return worst;
  }
  return { values, ...rowOdds(design, prevalence, blockIndex, values, together) };
}
