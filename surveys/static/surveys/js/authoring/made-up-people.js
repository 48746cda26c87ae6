/** Three made-up people, their answers, and what the device computes from them: shown while a rule is edited. */

// Components with boxes need their kind.
import "../boxes.js";
import { askedComponents } from "../composite.js";
import { computedValue, total } from "../composite-answer.js";
import { el, fill } from "../dom.js";
import { answersOf, pointsOf } from "./one-answer.js";
import { getAt } from "./paths.js";
import { textIn } from "./wording.js";

/** How many of three components the second person answers with the most points. */
const EVERY = 3;

/** The first answer with the fewest or the most points. */
function extreme(component, isMost) {
  const { kind, options = [], bands = [], number, instructed } = component;
  const answers = answersOf(component);
  if (instructed) {
    return answers.findIndex(({ key }) => key === instructed);
  }
  const points = pointsOf(component);
  if (kind === "several") {
    return options.map((_, place) => Number(isMost ? points[place] > 0 : points[place] < 0));
  }
  if (kind === "number") {
    const values = [number.low, number.high, ...bands.map(({ from }) => from)];
    const worth = (value) => points[bands.findIndex(({ from, to }) => from <= value && value <= to)] ?? 0;
    return values.reduce((best, value) => ((isMost ? worth(value) > worth(best) : worth(value) < worth(best)) ? value : best));
  }
  return points.indexOf(isMost ? Math.max(...points) : Math.min(...points));
}

/**
 * The answers of three people: the fewest points; the most for every third component, with a gap at the end if gaps are
 * allowed; and the most points. As in surveys/questionnaire/made_up_answers.py.
 * @param {any} rule @returns {Record<string, any>[]} by key of the component
 */
export function madeUpAnswers({ components, missing }) {
  const last = components.findLastIndex(({ instructed }) => !instructed);
  const isGap = (place) => missing.at_most > 0 && components.length > EVERY && place === last;
  const of = (answer) => Object.fromEntries(components.flatMap((one, place) => (answer(one, place) === null ? [] : [[one.key, answer(one, place)]])));
  return [
    of((component) => extreme(component, false)),
    of((component, place) => (isGap(place) ? null : extreme(component, place % EVERY === 0))),
    of((component) => extreme(component, true)),
  ];
}

/** What the three people answer to the open questions whose answers have points: the fewest, the fewest, the most. */
export function madeUpOpen({ uses = [] }, openQuestions) {
  const of = (isMost) =>
    Object.fromEntries(
      uses.map(({ question, points }) => {
        const keys = openQuestions.find(({ key }) => key === question)?.options ?? Object.keys(points);
        const worth = (key) => points[key] ?? 0;
        return [question, keys.reduce((best, key) => ((isMost ? worth(key) > worth(best) : worth(key) < worth(best)) ? key : best))];
      }),
    );
  return [of(false), of(false), of(true)];
}

/** Whether all numbers of a rule are whole, so that it can be computed; fields keep what is typed. */
function isComputable({ components, levels = [], steps = [], uses = [], missing }) {
  const numbers = [
    ...components.flatMap(pointsOf),
    ...components.flatMap(({ number, bands = [] }) => [...(number ? [number.low, number.high] : []), ...bands.flatMap(({ from, to }) => [from, to])]),
    ...levels.slice(1).map(({ from }) => from),
    ...steps.flatMap(({ levels: own, points = {} }) => [...own.map(({ points: each }) => each), ...own.slice(1).map(({ from }) => from), ...Object.values(points).flat()]),
    ...uses.flatMap(({ points }) => Object.values(points)),
    missing.at_most,
  ];
  return components.length > 0 && numbers.every(Number.isInteger);
}

/** The answers in words, with their points. */
function cellWords(app, component, value, isAsked) {
  const { texts } = app;
  if (!isAsked) {
    return texts.people_unasked;
  }
  if (value === undefined) {
    return texts.people_gap;
  }
  const answers = answersOf(component);
  const name = (place) =>
    component.kind === "yes_no" ? texts[answers[place].key] : textIn(answers[place].text, app.speaking) || answers[place].key;
  if (component.kind === "number") {
    return String(value);
  }
  if (Array.isArray(value)) {
    return answers.flatMap((_, place) => (value[place] ? [name(place)] : [])).join(texts.people_joint) || texts.people_none;
  }
  return name(value);
}

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path of a composite question */
export function madeUpTable(app, path) {
  const area = el("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": app.texts.people });
  const show = () => area.replaceChildren(...content(app, path));
  app.whenRefreshed(show);
  show();
  return el("section", { class: "stack people" }, el("h3", {}, app.texts.people), el("p", { class: "hint" }, app.texts.people_hint), area);
}

function content(app, path) {
  const { texts } = app;
  const question = getAt(app.document, path);
  const rule = question?.computed;
  if (!rule?.components || !isComputable(rule)) {
    return [el("p", { class: "soft" }, texts.people_unready)];
  }
  try {
    return [peopleTable(app, path, question)];
  } catch {
    // A rule that the server refuses; its fields name the problems.
    return [el("p", { class: "soft" }, texts.people_unready)];
  }
}

function peopleTable(app, path, question) {
  const { texts } = app;
  const { computed: rule } = question;
  const open = app.document.blocks.slice(0, path[1]).flatMap(({ protected: isProtected, questions }) => (isProtected ? [] : questions));
  const keysOf = ({ key, kind, options = [] }) => ({ key, options: kind === "yes_no" ? ["no", "yes"] : options.map((one) => one.key) });
  const chosen = madeUpOpen(rule, open.map(keysOf));
  const people = madeUpAnswers(rule).map((answers, number) => {
    const asked = askedComponents(rule, answers, chosen[number]);
    return { answers, asked, sum: total(rule, answers, chosen[number]), chosen: chosen[number] };
  });
  const head = (text, number) => el("th", { scope: "col" }, fill(text, { number }));
  const shown = rule.components.map((component) => [component, textIn(component.text, app.speaking) || component.key]);
  const rows = shown.map(([component, name]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      ...people.map(({ answers, asked }) => el("td", {}, cellWords(app, component, answers[component.key], asked.has(component.key)))),
    ),
  );
  const uses = (rule.uses ?? []).map(({ question: key, points }) => {
    const own = open.find((one) => one.key === key);
    const name = (option) => textIn(own?.options?.find((one) => one.key === option)?.text, app.speaking) || texts[option] || option;
    const words = people.map((one) => el("td", {}, fill(texts.people_points, { answer: name(one.chosen[key]), points: String(points[one.chosen[key]] ?? 0) })));
    return el("tr", {}, el("th", { scope: "row" }, textIn(own?.text, app.speaking) || key), ...words);
  });
  const foot = (name, words) =>
    el("tr", {}, el("th", { scope: "row" }, name), ...people.map((person) => el("td", {}, el("strong", {}, words(person)))));
  return el(
    "table",
    {},
    el("caption", { class: "visually-hidden" }, texts.people),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, texts.people_question), ...[1, 2, 3].map((number) => head(texts.people_number, number)))),
    el("tbody", {}, ...rows, ...uses),
    el(
      "tfoot",
      {},
      foot(texts.people_sum, ({ sum }) => (sum === null ? "–" : String(sum))),
      foot(texts.people_sent, (person) => answerWords(app, question, person)),
    ),
  );
}

/** The answer that the device disguises. */
function answerWords(app, question, { answers, sum, chosen }) {
  const { texts } = app;
  if (sum === null) {
    return texts.people_skip;
  }
  if (question.kind === "number") {
    return String(sum);
  }
  const { options = [] } = question;
  const place = computedValue({ ...question, options: options.map(({ key }) => key) }, answers, chosen);
  return options.length ? textIn(options[place]?.text, app.speaking) || fill(texts.level_unnamed, { number: place + 1 }) : texts[["no", "yes"][place]];
}
