/** Composite questions of one part that belong together: placebo indices, halves, shared filters; as pure functions. */

import { isComposite } from "./composites.js";
import { freshKey, questionKeys } from "./keys.js";
import { wayOf } from "./one-answer.js";
import { getAt, setAt } from "./paths.js";
import { proposing } from "./strength.js";

const changedRule = (question, change) => (isComposite(question) ? { ...question, computed: change(question.computed) } : question);

/** The placebo index of a question in its part. */
export const placeboOf = ({ questions }, key) => questions.find(({ computed }) => computed?.placebo_of === key);

/** Whether a question can get a placebo index: it counts yes, is none itself, and has none. */
export const canHavePlacebo = (block, question) =>
  wayOf(question) !== "points" && !question.computed.placebo_of && !placeboOf(block, question.key);

/**
 * Add the placebo index of a question behind it: as many ready-made acts under the same rule.
 * @param {{text: Record<string, string>}[]} acts @param {string[]} languages @param {Record<string, string>} names its name by language
 * @returns {{document: any, at: import("./paths.js").Path}}
 */
export function addPlacebo(document, path, acts, languages, names) {
  const question = getAt(document, path);
  const [, place, , number] = path;
  const taken = questionKeys(document);
  const key = freshKey(taken, `${question.key}-placebo`.slice(0, 60));
  taken.push(key);
  const count = question.computed.components.filter(({ instructed }) => !instructed).length;
  const components = acts.slice(0, count).map(({ text }) => {
    const own = freshKey(taken, `${key}-1`.slice(0, 62));
    taken.push(own);
    const texts = Object.fromEntries(languages.flatMap((tag) => (text[tag] ? [[tag, text[tag]]] : [])));
    return { key: own, kind: "yes_no", text: texts, points: [0, 1] };
  });
  const { levels, missing } = question.computed;
  const copy = { ...question, key, text: names, computed: { components, levels, missing, placebo_of: question.key } };
  const block = document.blocks[place];
  const next = setAt(document, ["blocks", place, "questions"], block.questions.toSpliced(number + 1, 0, copy));
  return { document: setAt(next, ["blocks", place], proposing(next.blocks[place], block)), at: path.with(3, number + 1) };
}

/** Where a shared component is in a part: the positions of questions and components. */
const copiesOf = ({ questions }, key) =>
  questions.flatMap(({ computed }, number) => {
    const place = (computed?.components ?? []).findIndex((component) => component.key === key);
    return place < 0 ? [] : [[number, place]];
  });

/** The composite questions of a part that contain a component, by position. */
export const sharers = (block, key) => copiesOf(block, key).map(([number]) => number);

/**
 * Let another composite question of the part depend on the same filter, or no longer.
 * @param {import("./paths.js").Path} path of the component @param {number} number of the other question
 */
export function setShared(document, path, number, isShared) {
  const component = getAt(document, path);
  const block = document.blocks[path[1]];
  const put = (questions, at, change) => questions.with(at, changedRule(questions[at], (rule) => ({ ...rule, components: change(rule.components) })));
  const { shared: _, ...alone } = component;
  const other = put(block.questions, number, (list) =>
    isShared ? [{ ...component, shared: true }, ...list] : list.filter(({ key }) => key !== component.key),
  );
  const isLast = !isShared && copiesOf({ questions: other }, component.key).length === 1;
  const [own, place] = [path[3], path[6]];
  const questions = put(other, own, (list) => list.with(place, isLast ? alone : isShared ? { ...component, shared: true } : component));
  return setAt(document, ["blocks", path[1], "questions"], questions);
}

/** Write what was changed in one copy of a shared component into its other copies. */
export function withSharedInStep(document, before) {
  const blocks = document.blocks.map((block, place) => {
    const was = before.blocks[place];
    if (was === block || !was || was.key !== block.key) {
      return block;
    }
    const old = new Set(was.questions.flatMap(({ computed }) => computed?.components ?? []));
    const changed = block.questions.flatMap(({ computed }) => (computed?.components ?? []).filter((one) => one.shared && !old.has(one)));
    const newest = new Map(changed.map((one) => [one.key, one]));
    if (!newest.size) {
      return block;
    }
    const questions = block.questions.map((question) =>
      changedRule(question, (rule) => ({
        ...rule,
        components: rule.components.map((one) => (one.shared && newest.has(one.key) ? newest.get(one.key) : one)),
      })),
    );
    return { ...block, questions };
  });
  return { ...document, blocks };
}
