/** The rest of a composite question's rule: gaps, points of open questions, and steps. */

import { button, el, fill } from "../dom.js";
import { conditionsFor } from "./edits.js";
import { folded, group, hint, iconButton, idOf, lineField, plainButton, radioField, remark, tickField } from "./fields.js";
import {
  addStep, answersOf, countedIn, MOST_STEPS, pointsOf, removeStep, ruleAt, setStepKey, setStepPoints, setStepSource, setUse, usualGaps, withStep,
} from "./one-answer.js";
import { getAt, pathText } from "./paths.js";
import { answerName, wholeField } from "./points-table.js";
import { textIn } from "./wording.js";

const componentName = (app, component, place) => textIn(component.text, app.speaking) || fill(app.texts.component_number, { number: place + 1 });

/** How many questions may stay empty, and what they count. @param {import("./paths.js").Path} path of the missing member */
function gapsFields(app, path, sentence) {
  const [before, after] = sentence.split("{number}");
  const at = [...path, "at_most"];
  const field = wholeField(app, at, [before, after], getAt(app.document, at), (value, tag) => app.edit(app.set(at, value), { tag }));
  return [
    el("div", { class: "field" }, el("p", { class: "in-sentence" }, before, field, after), remark(at)),
    radioField(app, [...path, "as"], "gaps_as", [["no_points", "gaps_no_points"], ["mean", "gaps_mean"]], { inline: true }),
    remark(path),
  ];
}

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path of the question */
export function gapsPart(app, path) {
  const { texts } = app;
  const here = [...path, "computed", "missing"];
  const rule = ruleAt(app.document, path);
  const usual = usualGaps(rule);
  const canSkip = Boolean(app.document.blocks[path[1]].refusal);
  const isUsual = rule.missing?.at_most === usual.at_most && rule.missing?.as === usual.as;
  const follow = () => {
    app.edit(app.set(here, usual), { redraw: true });
    document.getElementById(idOf([...here, "at_most"]))?.focus();
  };
  return group(here, texts.gaps, [
    !canSkip && hint(texts.gaps_none),
    ...gapsFields(app, here, fill(texts.gaps_sentence, { count: countedIn(rule) })),
    !isUsual && el("p", { class: "row" }, button(fill(texts.gaps_usual, { count: usual.at_most, as: texts[`gaps_${usual.as}`] }), follow, "link-button")),
    hint(texts.gaps_hint),
  ], "field stack");
}

/** Points of earlier open questions. */
export function usesPart(app, path) {
  const { texts } = app;
  const { uses = [] } = ruleAt(app.document, path);
  const open = conditionsFor(app.document, path[1]);
  const lost = uses.filter(({ question }) => !open.some(({ key }) => key === question));
  if (!open.length && !lost.length) {
    return null;
  }
  const row = ({ key, kind, options = [], text }) => {
    const answers = kind === "yes_no" ? [{ key: "no" }, { key: "yes" }] : options;
    const own = uses.find(({ question }) => question === key)?.points ?? {};
    const cells = answers.map((answer, place) => {
      const label = answerName(app, { kind }, answer, place);
      const at = [...path, "computed", "uses", key, answer.key];
      const write = (value, tag) => app.edit(setUse(app.document, path, key, answer.key, value), { tag });
      return el("label", { class: "use-answer" }, el("span", {}, label), wholeField(app, at, [textIn(text, app.speaking), label], own[answer.key] ?? 0, write));
    });
    return el("div", { class: "field" }, el("p", { class: "label" }, textIn(text, app.speaking) || key), el("div", { class: "row" }, ...cells));
  };
  const drop = (question) => () => {
    const left = ruleAt(app.document, path).uses.filter((use) => use.question !== question);
    app.edit(app.set([...path, "computed", "uses"], left.length ? left : undefined), { redraw: true });
  };
  const gone = lost.map(({ question }) =>
    el("p", { class: "row" }, fill(texts.condition_lost, { key: question }), button(fill(texts.remove, { name: question }), drop(question), "link-button")),
  );
  const here = [...path, "computed", "uses"];
  return opened(folded(texts.uses, hint(texts.uses_hint), group(here, "", [...open.map(row), ...gone, remark(here)], "field stack")), uses.length > 0);
}

/** A part that is open if the rule uses it. */
function opened(details, isOpen) {
  details.open = isOpen;
  details.toggleAttribute("data-open", isOpen);
  return details;
}

/** Sums of their own whose level gives points. */
export function stepsPart(app, path) {
  const { texts } = app;
  const here = [...path, "computed", "steps"];
  const { steps = [] } = ruleAt(app.document, path);
  const add = () => {
    app.edit(addStep(app.document, path), { redraw: true });
    document.getElementById(idOf([...here, steps.length]))?.focus();
  };
  const children = [
    hint(texts.steps_hint),
    ...steps.map((_, place) => stepCard(app, path, place)),
    remark(here),
    steps.length < MOST_STEPS && el("div", { class: "row" }, plainButton(texts.step_add, add)),
  ];
  return opened(folded(texts.steps, group(here, "", children, "field stack")), steps.length > 0);
}

function stepCard(app, path, place) {
  const { texts } = app;
  const here = [...path, "computed", "steps", place];
  const { components, steps } = ruleAt(app.document, path);
  const step = steps[place];
  const name = fill(texts.step_number, { number: place + 1 });
  const sources = [
    ...components.flatMap((component, at) => (component.instructed ? [] : [[component.key, componentName(app, component, at)]])),
    ...steps.slice(0, place).map(({ key }, at) => [key, fill(texts.step_source, { number: at + 1, key })]),
  ];
  const tick = ([key, said]) =>
    tickField(app, [...here, "of", key], { said }, step.of.includes(key), (isChosen) => app.edit(setStepSource(app.document, path, place, key, isChosen), { redraw: true }));
  const drop = () => app.edit(removeStep(app.document, path, place), { redraw: true, undoable: fill(texts.level_removed, { name }) });
  const key = lineField(app, [...here, "key"], "step_key", {
    attributes: { maxlength: 64 },
    onWrite: (value, tag) => app.edit(setStepKey(app.document, path, place, value), { tag }),
  });
  const own = components.flatMap((component, at) => (step.of.includes(component.key) ? [ownPoints(app, path, place, component, at)] : []));
  const hasGaps = step.missing !== undefined;
  const setGaps = (isTicked) => {
    const next = ({ missing: _, ...rest }) => (isTicked ? { ...rest, missing: { at_most: Math.floor(step.of.length / 5), as: "mean" } } : rest);
    app.edit(withStep(app.document, path, place, next), { redraw: true });
  };
  return group(here, name, [
    key,
    group([...here, "of"], texts.step_of, [el("div", { class: "step-sources" }, ...sources.map(tick)), remark([...here, "of"])]),
    stepLevels(app, path, place),
    own.length > 0 && opened(folded(texts.step_points, hint(texts.step_points_hint), ...own), step.points !== undefined),
    tickField(app, [...here, "missing"], "step_gaps", hasGaps, setGaps),
    ...(hasGaps ? gapsFields(app, [...here, "missing"], fill(texts.gaps_sentence, { count: step.of.length })) : []),
    remark(here),
    el("div", { class: "row" }, button(fill(texts.remove, { name }), drop, "link-button")),
  ], "field stack card");
}

/** From which sum a step gives how many points. */
function stepLevels(app, path, place) {
  const { texts } = app;
  const here = [...path, "computed", "steps", place, "levels"];
  const { levels } = ruleAt(app.document, path).steps[place];
  const write = (at) => (value, tag) => app.edit(app.set(at, value), { tag });
  // Read anew at each press, because typing does not draw the form again.
  const now = () => getAt(app.document, here);
  const rows = levels.map((level, number) => {
    const name = fill(texts.level_number, { number: number + 1 });
    const [from, points] = ["from", "points"].map((member) => [...here, number, member]);
    const drop = () => {
      const left = now().toSpliced(number, 1).map(({ from: start, ...rest }, at) => (at ? { from: start, ...rest } : rest));
      app.edit(app.set(here, left), { redraw: true });
    };
    return el(
      "li",
      { class: "row step-level" },
      number ? el("label", {}, texts.level_from, " ", wholeField(app, from, [name, texts.level_from], level.from, write(from))) : el("span", { class: "soft" }, texts.level_first),
      el("label", {}, texts.step_gives, " ", wholeField(app, points, [name, texts.step_gives], level.points, write(points))),
      levels.length > 1 && iconButton("×", fill(texts.remove, { name }), drop),
      remark([...here, number]),
    );
  });
  const add = () => {
    const list = now();
    const last = list.at(-1);
    const start = Number.isInteger(last.from) ? last.from + 1 : 1;
    app.edit(app.set(here, [...list, { from: start, points: (Number(last.points) || 0) + 1 }]), { redraw: true });
    document.getElementById(idOf([...here, levels.length, "from"]))?.focus();
  };
  return group(here, texts.step_levels, [el("ol", { class: "plain-list stack" }, ...rows), remark(here), el("div", { class: "row" }, plainButton(texts.level_add, add))], "field stack");
}

/** Points that a component has in this step instead of its own. */
function ownPoints(app, path, place, component, at) {
  const { texts } = app;
  const here = [...path, "computed", "steps", place, "points", component.key];
  const own = ruleAt(app.document, path).steps[place].points?.[component.key];
  const said = componentName(app, component, at);
  const choose = (isTicked) => app.edit(setStepPoints(app.document, path, place, component.key, isTicked ? pointsOf(component) : null), { redraw: true });
  const cells = (own ?? []).map((points, number) => {
    const label = answerName(app, component, answersOf(component)[number] ?? {}, number);
    const write = (value, tag) => {
      const now = ruleAt(app.document, path).steps[place].points[component.key];
      app.edit(setStepPoints(app.document, path, place, component.key, now.with(number, value)), { tag });
    };
    return el("label", { class: "use-answer" }, el("span", {}, label), wholeField(app, [...here, number], [said, label], points, write));
  });
  return el("div", { class: "stack", "data-field": pathText(here) }, tickField(app, here, { said }, own !== undefined, choose), own && el("div", { class: "row" }, ...cells), remark(here));
}

