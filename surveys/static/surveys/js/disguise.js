/**
 * What this device does to the answers before anything leaves it. As in privacy/survey/disguise.py, answers.py and
 * skips.py.
 *
 * Each protected block is reported unchanged with its truth probability; otherwise a decoy is reported. A protected
 * number or place has its own disguise (number-draw.js, place-draw.js).
 *
 * The types are explained in types.js, which no page loads.
 */

import { Coins } from "./coins.js";
import { hasTwoStrengths, ownTotal, scaleDraws, scaleTotal, SKIPPED, unskipped } from "./draws.js";
import { kindOf } from "./kinds.js";
import { inGroup, isArm, isAsked, isScale } from "./layout.js";
import { groupAllows } from "./own-group.js";
import { pack } from "./pack.js";
import { readValue } from "./read-value.js";
import { Refusal } from "./refusal.js";
import { everything, rotates } from "./rotation.js";

/**
 * The version of mechanism and layout: 8 for composite questions that share a filter, 7 for other composite questions, 6 for designs
 * with arms or decided by invitations, 4 for rotating ones, 3 for two strengths, 2 for numbers or places, else 1.
 * @param {Design} design
 */
function mechanismOf(design) {
  const components = design.blocks.flatMap(({ questions }) => questions.flatMap(({ computed }) => computed?.components ?? []));
  const plain = rotates(design) ? 4 : hasTwoStrengths(design) ? 3 : design.blocks.some(isScale) ? 2 : 1;
  const composed = components.some(({ shared }) => shared) ? 8 : components.length && 7;
  return composed || (design.invited || design.blocks.some(isArm) ? 6 : plain);
}

/**
 * Disguises the answers of one respondent.
 *
 * Every draw is made, whatever the answers, the group and the coins are, and truth or decoy is selected afterwards.
 * So the number of words used reveals nothing.
 *
 * @param {Design} design
 * @param {Answers} answers true answers; blocks that are not asked and unanswered open questions are missing, and a
 *   protected block is complete or "skipped"
 * @param {boolean} direct whether the respondent is in the direct group
 * @param {Coins} coins
 * @param {Drawn | null} [drawn] the result of drawQuestions(); needed if the design rotates
 * @returns {{record: SentRecord, body: Uint8Array}} the record to send, also packed
 */
export function disguise(design, answers, direct, coins, drawn = rotates(design) ? null : everything(design)) {
  if (design.mechanism !== mechanismOf(design)) {
    throw new Refusal("mechanism", `Mechanism ${design.mechanism} is unknown to this page.`);
  }
  if (typeof direct !== "boolean" || !groupAllows(design.group, direct)) {
    throw new Refusal("group", "This group cannot occur under the design's policy.");
  }
  if (drawn === null) {
    throw new Refusal("drawn", "This design rotates, and no questions were drawn.");
  }
  const truths = readAnswers(design, answers, drawn);
  /** @type {SentRecord} */
  const record = { direct, answers: [], refused: [] };
  if (rotates(design)) {
    record.drawn = truths.map(({ asked }, number) => (asked ? drawn[number] : []));
  }
  design.blocks.forEach((block, number) => {
    let sent = truths[number];
    if (block.protected && isScale(block)) {
      const draw = coins.below(scaleTotal(block));
      const mine = inGroup(block, direct);
      if (sent.asked && mine) {
        const value = scaleSent(mine, sent.values[0], draw / (scaleTotal(block) / ownTotal(mine)));
        sent = { asked: true, skipped: value === null, values: [value] };
      }
    } else if (block.protected) {
      const coin = coins.draw();
      const mine = inGroup(block, direct);
      const skip = block.refusal !== null && coins.draw() < block.refusal;
      // For all questions, even those that were not drawn, so that every device uses the same number of words.
      const decoys = block.questions.map((question) => kindOf(question).decoy(question, coins));
      if (sent.asked && mine && coin >= mine.truth_probability) {
        const values = decoys.map((decoy, position) => (drawn[number].includes(position) ? decoy : null));
        sent = { asked: true, skipped: skip, values: skip ? empty(block) : values };
      }
    }
    record.answers.push(sent.values);
    record.refused.push(sent.skipped);
  });
  return { record, body: pack(design, record) };
}

/** @param {Block} block with one strength @param {Value | null} value @param {bigint} draw @returns {number | null} null means a skip */
function scaleSent(block, value, draw) {
  const [question] = block.questions;
  const rest = draw / unskipped(block);
  return rest < scaleDraws(block) ? kindOf(question).sent(question.disguise, value, rest) : null;
}

/** @param {Block} block @returns {null[]} */
function empty(block) {
  return block.questions.map(() => null);
}

/**
 * Reads true answers strictly. Error messages name questions, but never answers.
 * @param {Design} design
 * @param {Answers} answers
 * @param {Drawn} drawn
 * @returns {{asked: boolean, skipped: boolean, values: (Value | null)[]}[]} one entry per block
 */
function readAnswers(design, answers, drawn) {
  checkKeys(answers, design.blocks, "block");
  /** @type {{asked: boolean, skipped: boolean, values: (Value | null)[]}[]} */
  const truths = [];
  for (const [number, block] of design.blocks.entries()) {
    const given = Object.hasOwn(answers, block.key) ? answers[block.key] : undefined;
    const known = truths.map((truth) => truth.values);
    if (!isAsked(design, block, known) || drawn[number].length === 0) {
      if (given !== undefined) {
        throw new Refusal("not_asked", `Block ${block.key} is not asked.`);
      }
      truths.push({ asked: false, skipped: false, values: empty(block) });
    } else if (given === SKIPPED) {
      if (block.refusal === null) {
        throw new Refusal("skip_not_offered", `Block ${block.key} offers no skip.`);
      }
      truths.push({ asked: true, skipped: true, values: empty(block) });
    } else {
      truths.push({ asked: true, skipped: false, values: readBlock(block, given, drawn[number]) });
    }
  }
  return truths;
}

/**
 * @param {Block} block
 * @param {unknown} given
 * @param {number[]} asked indexes of the drawn questions
 * @returns {(Value | null)[]}
 */
function readBlock(block, given, asked) {
  if (given === undefined && block.protected) {
    throw new Refusal("missing_block", `Protected block ${block.key} is asked but absent.`);
  }
  const values = given === undefined ? {} : /** @type {Object<string, Value>} */ (given);
  checkKeys(values, asked.map((position) => block.questions[position]), "question");
  return block.questions.map((question, position) => {
    if (Object.hasOwn(values, question.key)) {
      return readValue(question, values[question.key]);
    }
    if (isArm(block)) {
      throw new Refusal("arms", `${question.key} has no arm.`);
    }
    if (block.protected && asked.includes(position)) {
      throw new Refusal("half_answered", `${question.key} lacks an answer.`);
    }
    return null;
  });
}

/**
 * @param {unknown} given
 * @param {{key: string}[]} known
 * @param {string} kind
 */
function checkKeys(given, known, kind) {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new Refusal("malformed", `Answers must map the keys of each ${kind}.`);
  }
  for (const key of Object.keys(given)) {
    if (!known.some((entry) => entry.key === key)) {
      throw new Refusal(`unknown_${kind}`, `There is no ${kind} ${key}.`);
    }
  }
}
