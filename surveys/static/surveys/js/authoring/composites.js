/** Composite questions of a definition: their keys and references, so that no edit loses or breaks a rule. */

/** Whether devices compute the answer to a question from components. */
export const isComposite = (question) => typeof question?.computed === "object" && question.computed !== null;

const componentsOf = (question) => (Array.isArray(question?.computed?.components) ? question.computed.components : []);

/** The keys of a question's components, which are unique among all questions and components. */
export const componentKeys = (question) => componentsOf(question).map(({ key }) => key);

const termsOf = (condition) => (condition ? condition.all ?? condition.any ?? [condition] : []);

/** Change each term of a condition, and keep how they are joined. */
function changedTerms(condition, change) {
  const terms = termsOf(condition).map(change);
  return condition.all ? { all: terms } : condition.any ? { any: terms } : terms[0];
}

/** Change each reference of a rule to a component: in conditions, in steps, and in the points of steps. */
export function renamedComponents(rule, renamed) {
  const term = (one) => (one.component === undefined ? one : { ...one, component: renamed(one.component) });
  const step = ({ of = [], points, ...rest }) => ({
    ...rest,
    of: of.map(renamed),
    ...(points && { points: Object.fromEntries(Object.entries(points).map(([key, own]) => [renamed(key), own])) }),
  });
  const components = rule.components.map((component) => ({
    ...component,
    key: renamed(component.key),
    ...(component.asked_if && { asked_if: changedTerms(component.asked_if, term) }),
  }));
  return { ...rule, components, ...(rule.steps && { steps: rule.steps.map(step) }) };
}

/**
 * A copy of a question whose components have keys of their own.
 * @param {any} question
 * @param {string[]} taken keys in use; the new ones are added
 * @param {(taken: string[], key: string) => string} freshKey
 * @param {Map<string, string>} [names] new keys of shared components that were copied before
 */
export function withFreshComponents(question, taken, freshKey, names = new Map()) {
  if (!componentsOf(question).length) {
    return question;
  }
  for (const key of componentKeys(question)) {
    if (names.has(key)) {
      continue;
    }
    const fresh = freshKey(taken, key);
    taken.push(fresh);
    names.set(key, fresh);
  }
  return { ...question, computed: renamedComponents(question.computed, (key) => names.get(key) ?? key) };
}

/** Members of a rule that name another composite question of the part: its index, or its other half. */
export const RELATED = ["placebo_of", "other_half"];

/** A question whose rule names others by their new keys; without a new key, it names none. @param {(key: string) => string | undefined} renamed */
export function withRelated(question, renamed) {
  if (!isComposite(question)) {
    return question;
  }
  const entries = Object.entries(question.computed).flatMap(([name, value]) => {
    const next = RELATED.includes(name) ? renamed(value) : value;
    return next === undefined ? [] : [[name, next]];
  });
  return { ...question, computed: Object.fromEntries(entries) };
}

/** A copy of a question for the same part: it shares no component, and belongs to no other question. */
export function withoutOthers(question) {
  if (!isComposite(question)) {
    return question;
  }
  const { computed } = withRelated(question, () => undefined);
  return { ...question, computed: { ...computed, components: componentsOf(question).map(({ shared: _, ...component }) => component) } };
}

/**
 * Change each reference of a rule to an open question: in conditions of components and in `uses`.
 * @param {any} question
 * @param {(term: any) => any} change from a term with question and options
 */
export function withOpenReferences(question, change) {
  if (!isComposite(question)) {
    return question;
  }
  const term = (one) => (one.question === undefined ? one : change(one));
  const use = ({ question: key, points = {} }) => {
    const before = Object.keys(points);
    const after = change({ question: key, options: before });
    return { question: after.question, points: Object.fromEntries(before.map((one, at) => [after.options[at], points[one]])) };
  };
  const { uses, components = [] } = question.computed;
  const computed = {
    ...question.computed,
    components: components.map((component) =>
      component.asked_if ? { ...component, asked_if: changedTerms(component.asked_if, term) } : component,
    ),
    ...(uses && { uses: uses.map(use) }),
  };
  return { ...question, computed };
}

/** Rename an option of a composite question in its levels and its base. */
export function withRenamedLevel(question, before, after) {
  if (!isComposite(question)) {
    return question;
  }
  const { levels, base } = question.computed;
  const renamed = (level) => (level.option === before ? { ...level, option: after } : level);
  return {
    ...question,
    computed: {
      ...question.computed,
      ...(levels && { levels: levels.map(renamed) }),
      ...(base !== undefined && { base: base === before ? after : base }),
    },
  };
}

/** How many components of a rule are asked only after certain answers to others. */
export const followersIn = ({ components = [] }) => components.filter(({ asked_if: condition }) => termsOf(condition).some(({ component }) => component)).length;

/**
 * As many ready-made neutral questions as a rule has follow-ups; questions that it has already stay.
 * @param {any} rule @param {{text: Record<string, string>}[]} ready
 */
export const withNeutral = (rule, ready) => [...(rule.neutral ?? []), ...ready.slice(rule.neutral?.length ?? 0)].slice(0, followersIn(rule));
