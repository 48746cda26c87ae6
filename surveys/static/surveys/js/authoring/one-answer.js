/** Changes to the rule of a composite question, as pure functions on definitions. The server makes and unmakes the question. */

import { componentKeys, isComposite, renamedComponents } from "./composites.js";
import { conditionOf, termsOf } from "./edits.js";
import { freshKey, questionKeys } from "./keys.js";
import { kindOf } from "./kinds.js";
import { getAt, setAt } from "./paths.js";
import { addOption, removeOption } from "./protection.js";
import { blockOfOneNumber, isNumberBlock, isScaleBlock } from "./scale.js";
import { bestRefusal, PROPOSED, proposing, truthFor } from "./strength.js";

/** Largest numbers of components and steps, as in privacy/survey/composite_parts.py. */
export const MOST_COMPONENTS = 40;
export const MOST_STEPS = 8;
/** One gap is allowed for this many components, as in surveys/questionnaire/one_answer.py. */
const GAPS_OF = 5;
const EXPECTED_YES = 2000;

export const ruleAt = (document, path) => getAt(document, [...path, "computed"]);
const isWhole = Number.isInteger;

/** The answers that can have points: keys for yes/no and options, ends for the bands of a number. */
export function answersOf({ kind, options = [], bands = [] }) {
  if (kind === "yes_no") {
    return [{ key: "no" }, { key: "yes" }];
  }
  return kind === "number" ? bands : options;
}

/** The points of a component, one per answer; 0 if not stated. */
export const pointsOf = (component) =>
  component.kind === "yes_no" ? (component.points ?? [0, 0]) : answersOf(component).map(({ points }) => points ?? 0);

const withPoints = (component, points) => {
  if (component.kind === "yes_no") {
    return { ...component, points };
  }
  const member = component.kind === "number" ? "bands" : "options";
  return { ...component, [member]: (component[member] ?? []).map((each, place) => ({ ...each, points: points[place] })) };
};

/** Change a rule; the rule for gaps goes on following the usual one if it did. @param {(rule: any) => any} change */
export function withRule(document, path, change) {
  const rule = ruleAt(document, path);
  const next = change(rule);
  const usual = usualGaps(rule);
  const follows = ["at_most", "as"].every((name) => rule.missing?.[name] === usual[name]);
  return setAt(document, [...path, "computed"], follows ? { ...next, missing: usualGaps(next) } : next);
}

const withComponent = (document, path, place, change) =>
  withRule(document, path, (rule) => ({ ...rule, components: rule.components.with(place, change(rule.components[place])) }));

/** Write the points of one answer. A text that is no number is kept as typed, and the server reports it. */
export const setPoint = (document, path, place, answer, points) =>
  withComponent(document, path, place, (component) => withPoints(component, pointsOf(component).with(answer, points)));

/** Give a component its points in the opposite order. */
export const reversed = (document, path, place) =>
  withComponent(document, path, place, (component) => withPoints(component, pointsOf(component).toReversed()));

/** Whole numbers in pasted cells: lines are rows, tabs or blanks separate columns. @returns {(number | null)[][]} */
export function readCells(text) {
  const cell = (word) => (/^[-−+]?\d+$/.test(word) ? Number(word.replace("−", "-")) : null);
  const lines = text.replace(/\s+$/u, "").split(/\r?\n/u);
  return lines.map((line) => line.trim().split(/\t|[ ,;]+/u).map(cell));
}

/**
 * Fill in pasted points from one cell on, to the right and down; rows without points are passed over.
 * @returns {{document: any, count: number, left: number}} how many were filled in, and how many had no place
 */
export function pastePoints(document, path, place, answer, cells) {
  let [next, count, left] = [document, 0, 0];
  const rows = ruleAt(document, path).components.flatMap((component, at) => (at >= place && !component.instructed ? [at] : []));
  cells.forEach((row, number) => {
    row.forEach((points, column) => {
      const at = rows[number];
      const fits = at !== undefined && answer + column < pointsOf(ruleAt(next, path).components[at]).length;
      if (fits && points !== null) {
        next = setPoint(next, path, at, answer + column, points);
        count += 1;
      } else {
        left += 1;
      }
    });
  });
  return { document: next, count, left };
}

const counts = ({ kind, points, instructed }) => Boolean(instructed) || (kind === "yes_no" && points?.[0] === 0 && points[1] === 1);

/** What a rule does: "at_least" and "how_many" count yes, "points" is any other. */
export function wayOf({ kind, computed }) {
  const { components = [], steps, uses, levels = [] } = computed;
  if (steps || uses || !components.every(counts)) {
    return "points";
  }
  if (kind === "yes_no" && levels.length === 2 && levels[1].option === "yes") {
    return "at_least";
  }
  const isCount = kind === "single" && levels.length > 1 && levels.every(({ from = 0 }, place) => from === place);
  return isCount ? "how_many" : "points";
}

const isThing = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isListOfThings = (value) => Array.isArray(value) && value.every(isThing);

/** Whether the forms can show a rule; a draft from a file may contain anything, and the server lists what is wrong. */
export function isLegible(rule) {
  const { components, missing, levels = [], steps = [], uses = [] } = rule ?? {};
  return (
    [components, levels, steps, uses].every(isListOfThings) &&
    isThing(missing) &&
    components.every(({ key, options = [], bands = [], points = [] }) => typeof key === "string" && isListOfThings(options) && isListOfThings(bands) && Array.isArray(points)) &&
    steps.every(({ of, levels: own, points = {} }) => Array.isArray(of) && isListOfThings(own) && isThing(points)) &&
    uses.every(({ points }) => isThing(points))
  );
}

/** How many components count: those without an instructed answer. */
export const countedIn = ({ components }) => components.filter(({ instructed }) => !instructed).length;

/** Points that count an answer once: yes one point; an option one point if it has any, at any position. */
function counted(component) {
  if (component.instructed) {
    return component;
  }
  const points = pointsOf(component).map((own, place) =>
    component.kind === "yes_no" ? Number(place > 0) : Math.min(Math.max(Number(own) || 0, 0), 1),
  );
  return withPoints(component, points);
}

/**
 * Let a rule count yes.
 * @param {"at_least" | "how_many"} way
 * @param {{least?: number, names?: object[]}} [how] least: for "at_least"; names: texts of the levels of "how_many"
 */
export function setWay(document, path, way, { least = 1, names = [] } = {}) {
  const most = Math.min(3, countedIn(ruleAt(document, path)) + 1);
  const plain = way === "at_least" ? setSent(document, path, "yes_no") : setLevelCount(setSent(document, path, "single"), path, most);
  const question = getAt(plain, path);
  const { uses: _, steps: __, base: ___, ...rule } = question.computed;
  const components = rule.components.map(counted);
  const levels =
    way === "at_least"
      ? [{ option: "no" }, { option: "yes", from: least }]
      : question.options.map(({ key }, place) => (place ? { option: key, from: place } : { option: key }));
  const named = (option, place) => (hasText(option) ? option : { ...option, text: names[place] ?? {} });
  const next = { ...rule, components, levels };
  const whole = { ...question, computed: { ...next, missing: usualGaps(next, "no_points") } };
  return setAt(plain, path, way === "how_many" ? { ...whole, options: question.options.map(named) } : whole);
}

const hasText = ({ text }) => Object.values(text ?? {}).some(Boolean);

/** The first start after the first level. */
const firstStart = ({ levels = [] }) => levels.find(({ from }) => from !== undefined)?.from ?? 1;

/** Let the answer be yes or no, levels, or the sum as a number. @param {"yes_no" | "single" | "number"} kind */
export function setSent(document, path, kind, reach = {}) {
  const question = getAt(document, path);
  if (question.kind === kind) {
    return document;
  }
  const { options: _, number: __, unrelated: ___, prevalence: ____, look: _____, computed, ...plain } = question;
  const { levels: ______, base: _______, ...rule } = computed;
  const start = firstStart(computed);
  const place = path[1];
  const block = document.blocks[place];
  if (kind === "number") {
    const { low = 0, high = Math.max(1, countedIn(rule)) } = reach;
    const number = { ...plain, kind, number: { low, high, bin: 1 }, computed: rule };
    return setAt(document, ["blocks", place], blockOfOneNumber(block, number));
  }
  const made =
    kind === "yes_no"
      ? { unrelated: [5000], prevalence: [EXPECTED_YES], computed: { ...rule, levels: [{ option: "no" }, { option: "yes", from: start }] } }
      : {
          options: ["level-1", "level-2"].map((key) => ({ key, text: {} })),
          unrelated: [5000, 5000],
          prevalence: [10_000 - EXPECTED_YES, EXPECTED_YES],
          computed: { ...rule, levels: [{ option: "level-1" }, { option: "level-2", from: start }] },
        };
  const next = setAt(document, path, { ...plain, kind, ...made });
  if (!isScaleBlock(block)) {
    return setAt(next, ["blocks", place], proposing(next.blocks[place], block));
  }
  const { questions } = next.blocks[place];
  const refusal = block.refusal ? bestRefusal({ questions }, PROPOSED) : null;
  const shared = { ...next.blocks[place], truth_probability: truthFor({ questions, refusal }, PROPOSED) };
  return setAt(next, ["blocks", place], { ...shared, ...(refusal ? { refusal } : {}) });
}

/** Add or remove levels at the end until there are so many. */
function setLevelCount(document, path, count) {
  let next = document;
  while (ruleAt(next, path).levels.length < count) {
    next = addLevel(next, path);
  }
  while (ruleAt(next, path).levels.length > count) {
    next = removeLevel(next, path, ruleAt(next, path).levels.length - 1);
  }
  return next;
}

/** Add a level above the highest one, with an answer of its own. */
export function addLevel(document, path) {
  const { levels } = ruleAt(document, path);
  const starts = levels.map(({ from }) => from).filter(isWhole);
  const from = starts.length ? Math.max(...starts) + 1 : 1;
  const block = document.blocks[path[1]];
  const before = new Set(getAt(document, [...path, "options"]).map(({ key }) => key));
  const next = addOption(document, path);
  const { key } = getAt(next, [...path, "options"]).find((option) => !before.has(option.key));
  const whole = setAt(next, [...path, "computed", "levels"], [...levels, { option: key, from }]);
  return setAt(whole, ["blocks", path[1]], proposing(whole.blocks[path[1]], block));
}

/** Remove a level, and its answer if no other level leads to it. */
export function removeLevel(document, path, place) {
  const { levels, base } = ruleAt(document, path);
  const { option } = levels[place];
  const block = document.blocks[path[1]];
  const left = levels.toSpliced(place, 1).map((level, at) => (at === 0 ? { option: level.option } : level));
  let next = setAt(document, [...path, "computed", "levels"], left);
  if (!left.some((level) => level.option === option)) {
    next = removeOption(next, path, getAt(next, [...path, "options"]).findIndex(({ key }) => key === option));
  }
  if (base === option) {
    next = setAt(next, [...path, "computed", "base"], undefined);
  }
  return setAt(next, ["blocks", path[1]], proposing(next.blocks[path[1]], block));
}

/** Options that can be the base: those that are not only the first or the last level. */
export const basesOf = ({ levels = [] }) => [...new Set(levels.slice(1, -1).map(({ option }) => option))];

/** The usual rule for gaps: none where points are codes, else a fifth of the components. @returns {{at_most: number, as: string}} */
export function usualGaps(rule, as = waysOfGaps(rule)) {
  return { at_most: areCodes(rule) ? 0 : Math.floor(countedIn(rule) / GAPS_OF), as };
}

const waysOfGaps = ({ components, steps, uses }) => (!steps && !uses && components.every(counts) ? "no_points" : "mean");

/** Whether each combination of answers has its own sum, so that the points are codes and a gap has no middle. */
function areCodes({ components }) {
  const own = components.filter(({ instructed }) => !instructed).map((one) => [...new Set([0, ...pointsOf(one)])]);
  const pointed = own.filter((points) => points.length > 1);
  if (pointed.length < 2 || !pointed.flat().every(isWhole)) {
    return false;
  }
  let sums = [0];
  for (const points of pointed) {
    const next = new Set(sums.flatMap((sum) => points.map((each) => sum + each)));
    if (next.size < sums.length * points.length) {
      return false;
    }
    sums = [...next];
  }
  return true;
}

const PLAIN = {
  yes_no: () => ({ points: [0, 1] }),
  single: (options) => ({ options: options.map((option, place) => ({ ...option, points: option.points ?? place })) }),
  several: (options) => ({ options: options.map((option) => ({ ...option, points: option.points ?? 1 })) }),
  number: () => ({ number: { low: 0, high: 99 }, bands: [{ from: 1, to: 99, points: 1 }] }),
};
export const COMPONENT_KINDS = Object.keys(PLAIN);

const startOptions = () => [1, 2].map((number) => ({ key: `option-${number}`, text: {} }));

/** Change how a component is answered; its texts stay, and options that both kinds have. */
export function setComponentKind(document, path, kind) {
  const { options = [], points: _, number: __, bands: ___, instructed: ____, ...component } = getAt(document, path);
  const start = options.length ? options : startOptions();
  return withRule(document, path.slice(0, 4), (rule) => ({
    ...rule,
    components: rule.components.with(path[6], { ...component, kind, ...PLAIN[kind](start) }),
    ...(rule.steps && { steps: rule.steps.map(({ points = {}, ...step }) => withStepPoints(step, points, component.key)) }),
  }));
}

/** A step without own points for a component. */
function withStepPoints(step, points, key) {
  const { [key]: _, ...others } = points;
  return { ...step, ...(Object.keys(others).length ? { points: others } : {}) };
}

/** @returns {{document: any, at: import("./paths.js").Path}} the new component at the end */
export function addComponent(document, path, kind) {
  const key = freshKey(questionKeys(document), "question-1");
  const place = ruleAt(document, path).components.length;
  const component = { key, kind, text: {}, ...PLAIN[kind](startOptions()) };
  const next = withRule(document, path, (rule) => ({ ...rule, components: [...rule.components, component] }));
  return { document: next, at: [...path, "computed", "components", place] };
}

/** A copy of a component behind it. */
export function duplicateComponent(document, path) {
  const whole = path.slice(0, 4);
  const component = { ...getAt(document, path), key: freshKey(questionKeys(document), getAt(document, path).key) };
  const next = withRule(document, whole, (rule) => ({ ...rule, components: rule.components.toSpliced(path[6] + 1, 0, component) }));
  return { document: next, at: path.with(6, path[6] + 1) };
}

/** Remove a component with every reference of the rule to it. */
export function removeComponent(document, path) {
  const { key } = getAt(document, path);
  return withRule(document, path.slice(0, 4), (rule) => {
    const components = rule.components.toSpliced(path[6], 1).map((component) => withoutTerms(component, key));
    const { steps, ...rest } = rule;
    const left = withoutSource(steps ?? [], key);
    return { ...rest, components, ...(left.length ? { steps: left } : {}) };
  });
}

function withoutTerms(component, key) {
  const { asked_if: condition, ...rest } = component;
  const terms = termsOf(condition).filter((term) => term.component !== key);
  const left = conditionOf(terms, condition?.any ? "any" : "all");
  return left ? { ...rest, asked_if: left } : rest;
}

/** The steps without a component or a step; those that are empty then are removed as well. */
function withoutSource(steps, key) {
  const left = steps.map(({ points = {}, ...step }) => withStepPoints({ ...step, of: (step.of ?? []).filter((one) => one !== key) }, points, key));
  const empty = left.find(({ of }) => of.length === 0);
  return empty ? withoutSource(left.filter((step) => step !== empty), empty.key) : left;
}

/** Move a component up or down by one. */
export function shiftComponent(document, path, by) {
  const place = path[6];
  const { components } = ruleAt(document, path.slice(0, 4));
  const at = path.with(6, place + by);
  if (!components[place + by]) {
    return { document, at: path };
  }
  const moved = components.toSpliced(place, 1).toSpliced(place + by, 0, components[place]);
  return { document: setAt(document, path.slice(0, 6), moved), at };
}

/** Change a component's key, and the references of its rule. */
export function setComponentKey(document, path, key) {
  const { key: before } = getAt(document, path);
  const whole = path.slice(0, 4);
  const rule = renamedComponents(ruleAt(document, whole), (one) => (one === before ? key : one));
  return setAt(document, [...whole, "computed"], rule);
}

/** Change the key of a component's option, and the references of its rule. */
export function setComponentOptionKey(document, path, place, key) {
  const { key: own, options, instructed } = getAt(document, path);
  const before = options[place].key;
  const renamed = setAt(document, [...path, "options", place, "key"], key);
  const whole = instructed === before ? setAt(renamed, [...path, "instructed"], key) : renamed;
  const term = (one) =>
    one.component === own ? { ...one, options: one.options.map((option) => (option === before ? key : option)) } : one;
  const here = path.slice(0, 4);
  return withRule(whole, here, (rule) => ({
    ...rule,
    components: rule.components.map((component) => {
      const { asked_if: condition } = component;
      return condition ? { ...component, asked_if: conditionOf(termsOf(condition).map(term), condition.any ? "any" : "all") } : component;
    }),
  }));
}

/** Let a component check attention: it has no points and is in no step. @param {string | null} answer */
export function setInstructed(document, path, answer) {
  const { instructed: _, ...component } = getAt(document, path);
  const plain = answer ? { ...withPoints(component, pointsOf(component).map(() => 0)), instructed: answer } : component;
  return withRule(document, path.slice(0, 4), (rule) => {
    const { steps, ...rest } = rule;
    const left = answer ? withoutSource(steps ?? [], component.key) : (steps ?? []);
    return { ...rest, components: rule.components.with(path[6], plain), ...(left.length ? { steps: left } : {}) };
  });
}

/** Components on which a component can depend: earlier ones of its question that are answered by yes or no or one option. */
export const decidersOf = (document, path) =>
  ruleAt(document, path.slice(0, 4)).components
    .slice(0, path[6])
    .filter(({ kind, instructed }) => (kind === "yes_no" || kind === "single") && !instructed);

/** Write the points that an answer to an open question adds; 0 adds none. */
export function setUse(document, path, question, option, points) {
  return withRule(document, path, (rule) => {
    const { uses: list = [], ...rest } = rule;
    const own = list.find((use) => use.question === question)?.points ?? {};
    const { [option]: _, ...others } = own;
    const next = points === 0 ? others : { ...others, [option]: points };
    const entry = Object.keys(next).length ? [{ question, points: next }] : [];
    const place = list.findIndex((use) => use.question === question);
    const uses = place < 0 ? [...list, ...entry] : list.toSpliced(place, 1, ...entry);
    return { ...rest, ...(uses.length ? { uses } : {}) };
  });
}

/** Add a step about the first component that counts. */
export function addStep(document, path) {
  return withRule(document, path, (rule) => {
    const taken = [...rule.components, ...(rule.steps ?? [])].map(({ key }) => key);
    const first = rule.components.find(({ instructed }) => !instructed);
    const step = { key: freshKey(taken, "step-1"), of: [first.key], levels: [{ points: 0 }, { from: 1, points: 1 }] };
    return { ...rule, steps: [...(rule.steps ?? []), step] };
  });
}

export function removeStep(document, path, place) {
  return withRule(document, path, (rule) => {
    const { steps, ...rest } = rule;
    const left = withoutSource(steps.toSpliced(place, 1), steps[place].key);
    return { ...rest, ...(left.length ? { steps: left } : {}) };
  });
}

/** Change one step. @param {(step: any) => any} change */
export const withStep = (document, path, place, change) =>
  withRule(document, path, (rule) => ({ ...rule, steps: rule.steps.with(place, change(rule.steps[place])) }));

/** Let a step contain a component or an earlier step, or not; in the order of the rule. */
export function setStepSource(document, path, place, key, isChosen) {
  const { components, steps } = ruleAt(document, path);
  const order = [...components, ...steps.slice(0, place)].map((each) => each.key);
  return withStep(document, path, place, ({ points = {}, ...step }) => {
    const of = order.filter((one) => (one === key ? isChosen : step.of.includes(one)));
    return isChosen ? { ...step, of, ...(Object.keys(points).length ? { points } : {}) } : withStepPoints({ ...step, of }, points, key);
  });
}

/** Give a component points of its own in a step; null for those that it has everywhere. */
export const setStepPoints = (document, path, place, key, points) =>
  withStep(document, path, place, ({ points: own = {}, ...step }) =>
    points === null ? withStepPoints(step, own, key) : { ...step, points: { ...own, [key]: points } },
  );

/** Rename a step, also where later steps contain it. */
export function setStepKey(document, path, place, key) {
  const before = ruleAt(document, path).steps[place].key;
  return withRule(document, path, (rule) => ({
    ...rule,
    steps: rule.steps.map((step, at) => ({
      ...step,
      ...(at === place ? { key } : {}),
      of: step.of.map((one) => (one === before ? key : one)),
    })),
  }));
}

/** Whether a question can become a component: yes or no, a choice, or a number. */
const canBeComponent = (question) => Boolean(kindOf(question).isChosen || kindOf(question).canBeStored);

/** Questions of a part by what devices send for them. */
export const splitPart = ({ questions }) => ({
  composites: questions.flatMap((question, place) => (isComposite(question) && isLegible(question.computed) ? [place] : [])),
  plain: questions.flatMap((question, place) => (!isComposite(question) && canBeComponent(question) ? [place] : [])),
});

/** The questions that the components of a composite question became; the question itself is set aside. */
const questionsOf = (kept) =>
  kept.computed.components
    .filter(({ instructed }) => !instructed)
    .flatMap(({ key }) => (kept.lines?.[key] ? Object.values(kept.lines[key]) : [key]));

const sharedKeys = ({ computed: { components } }) => components.filter(({ shared }) => shared).map(({ key }) => key);

/** A composite question and those that share components with it, also through others. */
function sharing(composite, others) {
  let group = [composite];
  for (let size = 0; size < group.length; ) {
    size = group.length;
    const keys = group.flatMap(sharedKeys);
    group = others.filter((one) => one === composite || sharedKeys(one).some((key) => keys.includes(key)));
  }
  return group;
}

/** The composite question that the draft keeps for some of these questions, as `earlier_rule` of the server. */
export function earlierRule({ blocks = [], set_aside: aside = [] }, keys) {
  const composites = (Array.isArray(aside) ? aside : []).filter((each) => isLegible(each?.computed));
  const kept = composites.filter((each, place) => composites.findLastIndex(({ key }) => key === each.key) === place);
  const left = blocks.flatMap((block) => (block.questions.length === 1 && isNumberBlock(block) ? [block.questions[0].key] : []));
  const inOthers = blocks.flatMap(({ questions }) => questions.flatMap(componentKeys));
  return kept.findLast((each) => {
    const own = sharing(each, kept)
      .flatMap(questionsOf)
      .filter((key) => !inOthers.includes(key));
    return own.some((key) => keys.includes(key)) && own.every((key) => keys.includes(key) || left.includes(key));
  });
}

/** Whether at least two headings have two of these questions each, as `answerable_headings` of the server. */
export const hasHeadings = ({ headings = [] }, keys) =>
  (Array.isArray(headings) ? headings : []).filter(({ questions = [] }) => keys.filter((key) => questions.includes(key)).length > 1).length > 1;
