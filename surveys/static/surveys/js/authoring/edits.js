/**
 * Edits of blocks, questions and options, as pure functions on definitions. Places are paths as in paths.js.
 */

import { withInvited, withoutLostArms } from "./arms.js";
import { total } from "./probabilities.js";
import { withFreshComponents, withOpenReferences, withoutOthers, withRelated, withRenamedLevel } from "./composites.js";
import { blockKeys, freshKey, isMadeUp, proposedKey, questionKeys } from "./keys.js";
import { KINDS, kindOf } from "./kinds.js";
import { addList, asChoice, asList, stemPlace, takenOut, withFreshStems, withoutLostStems } from "./lists.js";
import { isNumberBlock, numberBlock } from "./scale.js";
import { getAt, setAt } from "./paths.js";
import { withProbabilities, withoutProbabilities } from "./protection.js";
import { whole } from "./drawn-part.js";
import { afterMove, afterQuestions, outOfTurn, renamedInTurn } from "./rotating.js";
import { bestRefusal, PROPOSED, proposing, truthFor } from "./strength.js";

/** @param {any} document @param {import("./paths.js").Path} list @param {number} from @param {number} to */
export function move(document, list, from, to) {
  const entries = getAt(document, list);
  if (to < 0 || to >= entries.length || from === to) {
    return document;
  }
  return setAt(document, list, entries.toSpliced(from, 1).toSpliced(to, 0, entries[from]));
}

/** @param {any} entry */
function insert(document, list, place, entry) {
  return setAt(document, list, (getAt(document, list) ?? []).toSpliced(place, 0, entry));
}

export function remove(document, list, place) {
  return setAt(document, list, getAt(document, list).toSpliced(place, 1));
}

/** @returns {{document: any, at: import("./paths.js").Path}} the new block at the end */
export function addBlock(document, isProtected) {
  const key = freshKey(blockKeys(document), "part-1");
  const open = { key, protected: false, title: {}, questions: [] };
  const shielded = { ...open, ...probabilitiesOf([]), protected: true };
  const place = document.blocks.length;
  return { document: insert(document, ["blocks"], place, isProtected ? shielded : open), at: ["blocks", place] };
}

/** Initial probabilities of a protected part. */
function probabilitiesOf(questions) {
  const refusal = bestRefusal({ questions }, PROPOSED);
  return { truth_probability: truthFor({ questions, refusal }, PROPOSED), refusal };
}

/** Let the other people be disguised lightly, or not at all; in that case remove the parts' light strengths. */
export function withStrengths(given, isLight) {
  const { light: _, ...group } = given.group;
  const document = isLight && group.policy === "assigned" ? given : withInvited(given, "group", false);
  const plain = document.blocks.map(({ light: __, ...block }) => block);
  return isLight ? { ...document, group: { ...group, light: true } } : { ...document, group, blocks: plain };
}

/** The initial options of a question, existing ones first. */
const startOptions = (options = []) =>
  options.length ? options : [1, 2].map((number) => ({ key: `option-${number}`, text: {} }));

export function addQuestion(document, block, kind) {
  if (kind === "list") {
    const { document: listed, at } = addList(document, block);
    return { document: settled(listed, block, document), at };
  }
  const owner = document.blocks[block];
  const open = {
    key: freshKey(questionKeys(document), "question-1"),
    kind,
    text: {},
    ...(KINDS[kind].hasOptions && { options: startOptions() }),
  };
  const list = ["blocks", block, "questions"];
  const place = owner.questions.length;
  const next = insert(document, list, place, owner.protected ? withProbabilities(open) : open);
  return { document: settled(next, block, document), at: [...list, place] };
}

/** Whether a part can have more questions; numbers, places and arms each have a separate part. */
export const hasSpace = ({ questions }) => !questions.some((question) => kindOf(question).isAlone);

/** Add a copy of a question after it, with a new key. */
export function duplicateQuestion(document, block, place) {
  const list = ["blocks", block, "questions"];
  const question = getAt(document, [...list, place]);
  if (kindOf(question).isAlone) {
    const { document: next, at } = duplicateBlock(document, block);
    return { document: next, at: [...at, "questions", 0] };
  }
  const taken = questionKeys(document);
  const key = freshKey(taken, question.key);
  const copy = withFreshComponents(withoutOthers({ ...question, key }), [...taken, key], freshKey);
  return { document: settled(insert(document, list, place + 1, copy), block, document), at: [...list, place + 1] };
}

/** Add a copy of a block after it, with new keys for block and questions. */
export function duplicateBlock(given, place) {
  const { document, block } = withFreshStems(given, given.blocks[place]);
  const taken = questionKeys(document);
  const renamed = new Map();
  const components = new Map();
  const fresh = block.questions.map((question) => {
    const key = freshKey(taken, question.key);
    taken.push(key);
    renamed.set(question.key, key);
    return withFreshComponents({ ...question, key }, taken, freshKey, components);
  });
  const questions = fresh.map((question) => withRelated(question, (key) => renamed.get(key)));
  const copy = { ...block, key: freshKey(blockKeys(document), block.key), questions };
  const next = insert(document, ["blocks"], place + 1, copy);
  return { document: excluded(next, place + 1, (key) => renamed.get(key) ?? key), at: ["blocks", place + 1] };
}

export function removeQuestion(given, block, place) {
  const { questions } = given.blocks[block];
  const { key } = questions[place];
  const left = questions.map((question) => withRelated(question, (other) => (other === key ? undefined : other)));
  const document = setAt(given, ["blocks", block, "questions"], left);
  return withoutLostArms(settled(remove(document, ["blocks", block, "questions"], place), block, document));
}

/**
 * Move a question up or down by one. At the edge of its block it moves into the next block, and gains or loses
 * probabilities as that block requires.
 * @param {-1 | 1} by
 * @returns {{document: any, at: import("./paths.js").Path}}
 */
export function shiftQuestion(document, block, place, by) {
  if (document.blocks[block].questions[place + by]) {
    return moveQuestion(document, { block, place }, { block, place: place + by });
  }
  const other = document.blocks[block + by];
  if (!other) {
    return { document, at: ["blocks", block, "questions", place] };
  }
  return moveQuestion(document, { block, place }, { block: block + by, place: by < 0 ? other.questions.length : 0 });
}

/** @param {{block: number, place: number}} from @param {{block: number, place: number}} to */
export function moveQuestion(document, from, to) {
  const question = document.blocks[from.block].questions[from.place];
  const at = ["blocks", to.block, "questions", to.place];
  if (from.block === to.block) {
    const next = move(document, ["blocks", from.block, "questions"], from.place, to.place);
    return { document: afterMove(next, from.block, document.blocks[from.block]), at };
  }
  if (!hasSpace({ questions: [question] }) || !hasSpace(document.blocks[to.block])) {
    return { document, at: ["blocks", from.block, "questions", from.place] };
  }
  const adapted = (document.blocks[to.block].protected ? withProbabilities : withoutProbabilities)(question);
  const taken = remove(document, ["blocks", from.block, "questions"], from.place);
  const given = insert(taken, ["blocks", to.block, "questions"], to.place, adapted);
  return { document: settled(settled(given, from.block, document), to.block, document), at };
}

/** The kind under which a question is shown: a line belongs to a list. */
export const shownKind = (document, question) => (stemPlace(document, question) < 0 ? question.kind : "list");

/**
 * Change the kind of a question; its texts stay, and its probabilities are reset. A choice becomes a list of its options and a
 * list a choice of its lines; a line becomes a yes/no question of its own.
 */
export const setKind = (document, path, kind) => withKind(document, path, kind).document;

/** Change the kind of a question, and say where it is now. @returns {{document: any, at: import("./paths.js").Path}} */
export function withKind(document, path, kind) {
  const isLine = stemPlace(document, getAt(document, path)) >= 0;
  if (isLine && kind !== "list") {
    const { document: changed, at } = (kind === "single" ? asChoice : takenOut)(document, path);
    return { document: settled(changed, path[1], document), at };
  }
  if (!isLine && kind === "list") {
    const { key, options = [] } = getAt(document, path);
    const next = settled(asList(document, path), path[1], document);
    const lineOf = (option) => next.blocks[path[1]].questions[path[3] + options.findIndex((each) => each.key === option)].key;
    // A condition on one option becomes one on its line.
    const redirect = (term) =>
      term.question === key && term.options.length === 1 && options.length
        ? { question: lineOf(term.options[0]), options: ["yes"] }
        : term;
    return { document: redirected(next, redirect), at: path };
  }
  const { options, unrelated, prevalence, look: _, ...question } = getAt(document, path);
  const asked = { ...question, kind, ...(KINDS[kind].hasOptions && { options: startOptions(options) }) };
  const next = setAt(document, path, unrelated ? withProbabilities(asked) : asked);
  return { document: settled(next, path[1], document), at: path };
}

/** Disguise a block, or send it undisguised. */
export function setProtected(document, place, isProtected) {
  if (isNumberBlock(document.blocks[place])) {
    const set = setAt(document, ["blocks", place], numberBlock(document.blocks[place], isProtected));
    return isProtected ? set : outOfTurn(set, document.blocks[place].key);
  }
  const { key, truth_probability, light, refusal, no_skip, protected: _, ...rest } = whole(document.blocks[place]);
  const questions = rest.questions.map(isProtected ? withProbabilities : withoutProbabilities);
  const probabilities = isProtected ? probabilitiesOf(questions) : {};
  const next = setAt(document, ["blocks", place], { key, protected: isProtected, ...probabilities, ...rest, questions });
  return isProtected ? next : outOfTurn(next, key);
}

/** Delete a block, also from its rotation. */
export function removeBlock(document, place) {
  return withoutLostStems(withoutLostArms(outOfTurn(remove(document, ["blocks"], place), document.blocks[place].key)));
}

/** Move all questions of a part to the end of the part before it, and delete the part; sets of exclusive answers stay. */
export function withoutBlockButQuestions(document, place) {
  const before = document.blocks[place - 1];
  const { questions, exclusive = [] } = document.blocks[place];
  const sets = [...(before.exclusive ?? []), ...exclusive];
  const joined = { ...before, questions: [...before.questions, ...questions], ...(sets.length ? { exclusive: sets } : {}) };
  const next = settled(setAt(document, ["blocks", place - 1], joined), place - 1, document);
  return outOfTurn(remove(next, ["blocks"], place), document.blocks[place].key);
}

/** Change a block's key, also in its rotation. */
export function setBlockKey(document, place, key) {
  return renamedInTurn(setAt(document, ["blocks", place, "key"], key), document.blocks[place].key, key);
}

/** Change a question's key, also in conditions and exclusive answers. */
export function setQuestionKey(document, path, key) {
  const before = getAt(document, [...path, "key"]);
  const next = excluded(setAt(document, [...path, "key"], key), path[1], (one) => (one === before ? key : one));
  const related = next.blocks[path[1]].questions.map((question) => withRelated(question, (other) => (other === before ? key : other)));
  return redirected(setAt(next, ["blocks", path[1], "questions"], related), (term) =>
    term.question === before ? { ...term, question: key } : term,
  );
}

/** Derive a question's key from its text, if it was generated. @returns {any} the same document if nothing changes */
export function nameByText(document, path, language) {
  const { key, text } = getAt(document, path);
  const proposal = isMadeUp(key) ? proposedKey(text?.[language] ?? "") : null;
  return proposal === null
    ? document
    : setQuestionKey(document, path, freshKey(questionKeys(document).filter((other) => other !== key), proposal));
}

/** Change an option's key, also in conditions and exclusive answers. */
export function setOptionKey(document, path, place, key) {
  const question = getAt(document, path);
  const before = question.options[place].key;
  const renamed = (answer) => (answer === before ? key : answer);
  const item = `${question.key}=`;
  const own = setAt(document, path, withRenamedLevel(question, before, key));
  const next = answersRenamed(setAt(own, [...path, "options", place, "key"], key), path[1], (one) =>
    one.startsWith(item) ? item + renamed(one.slice(item.length)) : one,
  );
  return redirected(next, (term) =>
    term.question === question.key ? { ...term, options: term.options.map(renamed) } : term,
  );
}

/** Keys of a part's items, as used in sets of mutually exclusive answers. */
const itemsOf = ({ questions }) =>
  questions.flatMap((question) => {
    const { key, options = [] } = question;
    return kindOf(question).hasOptions ? options.map((option) => `${key}=${option.key}`) : [key];
  });

/**
 * Add one answer to a part's first set of mutually exclusive answers, or remove it. That set keeps only answers that the
 * part still has; other sets do not change.
 *
 * @returns {string[][] | ""} empty if no answer is left
 */
export function withExclusive(block, key, isChosen) {
  const [first = [], ...others] = block.exclusive ?? [];
  const chosen = itemsOf(block).filter((one) => (one === key ? isChosen : first.includes(one)));
  const found = [chosen, ...others].filter((keys) => keys.length);
  return found.length ? found : "";
}

/** Rename answers in a part's sets of mutually exclusive answers. */
function answersRenamed(document, place, renamed) {
  const sets = document.blocks[place].exclusive?.map((keys) => keys.map(renamed));
  return setAt(document, ["blocks", place, "exclusive"], sets);
}

/** Rename the questions of answers in a part's sets of mutually exclusive answers. */
const excluded = (document, place, renamed) =>
  answersRenamed(document, place, (one) => one.replace(/^[^=]*/, renamed));

/** Remove answers that a part no longer has from its sets of mutually exclusive answers; a set needs two. */
function withoutLostAnswers(block) {
  const items = itemsOf(block);
  const left = block.exclusive?.map((keys) => keys.filter((one) => items.includes(one))) ?? [];
  const sets = left.filter((keys) => keys.length > 1);
  return setAt(block, ["exclusive"], sets.length ? sets : undefined);
}

function redirected(document, change) {
  const changed = ({ asked_if: condition }) => conditionOf(termsOf(condition).map(change), condition.any ? "any" : "all");
  const blocks = document.blocks.map((block) => ({
    ...block,
    ...(block.asked_if && { asked_if: changed(block) }),
    questions: (block.questions ?? []).map((question) => withOpenReferences(question, change)),
  }));
  return { ...document, blocks };
}

/** The terms of a part's condition, each about one question. */
export const termsOf = (condition) => (condition ? condition.all ?? condition.any ?? [condition] : []);

/** A condition from its terms: none, one, or several joined. @param {"all" | "any"} joined */
export const conditionOf = (terms, joined) => (terms.length > 1 ? { [joined]: terms } : terms[0]);

/** Questions on which a later part may depend: those with one answer, in earlier unprotected parts. */
export function conditionsFor(document, place) {
  const earlier = document.blocks.slice(0, place).filter((block) => !block.protected);
  return earlier.flatMap((block) => block.questions.filter((question) => kindOf(question).leads));
}

/**
 * After questions of a block have changed: update its skip probability if it had the proposed one, and drop exclusive answers
 * and sets of questions that no longer fit.
 */
export function settled(document, place, { blocks: { [place]: before } }) {
  const block = afterQuestions(withoutLostAnswers(document.blocks[place]), before);
  return withoutLostStems(setAt(document, ["blocks", place], proposing(block, before)));
}

/** Whether shares do not sum to the whole although they must. */
export const isOff = (question, name) => {
  const { sum } = kindOf(question).shares;
  return sum !== undefined && Array.isArray(question[name]) && total(question[name]) !== sum;
};

