/** What a composite question answers: yes from a number of points, levels with their starts and names, or the sum. */

import { el, fill } from "../dom.js";
import { group, hint, iconButton, idOf, numberField, pair, plainButton, radioField, remark, selectField, wordsField } from "./fields.js";
import { addLevel, basesOf, countedIn, removeLevel, ruleAt, setSent } from "./one-answer.js";
import { getAt, pathText } from "./paths.js";
import { wholeField } from "./points-table.js";
import { isNumberBlock } from "./scale.js";
import { disguisePart } from "./scale-form.js";
import { textIn } from "./wording.js";

/** The least and the largest sum that answers can reach, as the server last computed them. */
export function reachOf(app, path) {
  const { low, high } = app.composites[pathText(path)] ?? {};
  return Number.isInteger(low) ? { low, high } : null;
}

/** A line that says which sums can be reached, and follows each save. */
export function reachLine(app, path) {
  const line = el("p", { class: "soft", role: "status" });
  const show = () => {
    const reach = reachOf(app, path);
    line.textContent = reach ? fill(app.texts.reach, { low: String(reach.low), high: String(reach.high) }) : app.texts.reach_unknown;
  };
  app.whenRefreshed(show);
  show();
  return line;
}

/** A field for a whole number inside a sentence: "Yes from [8] points". */
function inSentence(app, path, sentence, values) {
  const [before, after] = fill(sentence, values).split("{number}");
  const write = (value, tag) => {
    app.edit(app.set(path, value), { tag });
    app.refresh();
  };
  const field = wholeField(app, path, [before, after], getAt(app.document, path), write);
  return el("div", { class: "field", "data-field": pathText(path.slice(0, -1)) }, el("p", { class: "in-sentence" }, before, field, after), remark(path), remark(path.slice(0, -1)));
}

/** For *at least*: of how many components. */
export const leastPart = (app, path) =>
  inSentence(app, [...path, "computed", "levels", 1, "from"], app.texts.at_least_sentence, { count: countedIn(ruleAt(app.document, path)) });

/** For points: what is sent, and its levels. */
export function sentPart(app, path) {
  const { texts } = app;
  const question = getAt(app.document, path);
  const isAlone = app.document.blocks[path[1]].questions.length === 1;
  const kinds = ["yes_no", "single", ...(isAlone || question.kind === "number" ? ["number"] : [])];
  const choose = (kind) => app.edit(setSent(app.document, path, kind, reachOf(app, path) ?? {}), { redraw: true });
  const here = [...path, "computed", "levels"];
  const starts = (question.computed.levels ?? []).length;
  return el(
    "div",
    { class: "stack" },
    radioField(app, [...path, "computed", "sent"], "sent", kinds.map((kind) => [kind, `sent_${kind}`]), { value: question.kind, onChoose: choose }),
    !kinds.includes("number") && hint(texts.sent_number_alone),
    reachLine(app, path),
    question.kind === "yes_no" && starts === 2 && inSentence(app, [...here, 1, "from"], texts.cut_sentence, {}),
    (question.kind === "single" || (question.kind === "yes_no" && starts !== 2)) && levelsPart(app, path, question),
    question.kind === "number" && numberPart(app, path),
  );
}

/** The sum itself: its range, its bins and its protection. */
function numberPart(app, path) {
  const here = [...path, "number"];
  return el(
    "div",
    { class: "stack", "data-field": pathText(here) },
    pair(...["low", "high"].map((name) => numberField(app, [...here, name], `number_${name}`))),
    numberField(app, [...here, "bin"], "number_bin"),
    ...(isNumberBlock(app.document.blocks[path[1]]) ? disguisePart(app, path, getAt(app.document, path)) : []),
    remark(here),
  );
}

/** A row per level: its start, its name, and whether it gives the same answer as another level. */
export function levelsPart(app, path, question) {
  const { texts } = app;
  const here = [...path, "computed", "levels"];
  const { levels = [] } = question.computed;
  const isYesNo = question.kind === "yes_no";
  const rows = levels.map((level, place) => levelRow(app, path, { level, place, count: levels.length, isYesNo }));
  const add = () => {
    app.edit(isYesNo ? withYesNoLevel(app, path) : addLevel(app.document, path), { redraw: true });
    document.getElementById(idOf([...here, levels.length, "from"]))?.focus();
  };
  const children = [
    el("ol", { class: "option-rows" }, ...rows),
    remark(here),
    el("div", { class: "row" }, plainButton(texts.level_add, add)),
    levels.length > 6 && hint(texts.levels_many),
  ];
  return group(here, texts.levels, children, "field stack");
}

const withYesNoLevel = (app, path) => {
  const { levels } = ruleAt(app.document, path);
  const last = levels.at(-1);
  const next = { option: last.option === "yes" ? "no" : "yes", from: (Number.isInteger(last.from) ? last.from : 0) + 1 };
  return app.set([...path, "computed", "levels"], [...levels, next]);
};

function levelRow(app, path, { level, place, count, isYesNo }) {
  const { texts } = app;
  const here = [...path, "computed", "levels", place];
  const question = getAt(app.document, path);
  const { levels } = question.computed;
  const name = fill(texts.level_number, { number: place + 1 });
  const first = levels.findIndex(({ option }) => option === level.option);
  const option = (question.options ?? []).findIndex(({ key }) => key === level.option);
  const startPath = [...here, "from"];
  const start = place
    ? wholeField(app, startPath, [name, texts.level_from], level.from, (value, tag) => app.edit(app.set(startPath, value), { tag }))
    : el("span", { class: "soft" }, texts.level_first);
  const drop = () => {
    const next = isYesNo ? app.set([...path, "computed", "levels"], ruleAt(app.document, path).levels.toSpliced(place, 1).map((each, at) => (at ? each : { option: each.option }))) : removeLevel(app.document, path, place);
    app.edit(next, { redraw: true, undoable: fill(texts.level_removed, { name }) });
    document.getElementById(idOf([...path, "computed", "levels"]))?.focus();
  };
  return el(
    "li",
    { class: "option-row level-row", "data-field": pathText(here) },
    el("div", { class: "field" }, el("span", { class: "label" }, place ? texts.level_from : name), start, place > 0 && remark(startPath)),
    el(
      "div",
      { class: "stack" },
      option >= 0 && first === place && wordsField(app, [...path, "options", option, "text"], { said: fill(texts.level_name, { number: place + 1 }) }),
      (isYesNo || levels.length > 2) && sameAnswer(app, path, here, level),
      remark(here),
    ),
    count > 2 ? iconButton("×", fill(texts.remove, { name }), drop, { id: `${idOf(here)}-drop` }) : "",
  );
}

/** Which answer a level gives; several levels may give the same. */
function sameAnswer(app, path, here, level) {
  const { texts } = app;
  const question = getAt(app.document, path);
  const options = question.kind === "yes_no" ? [["no", texts.no], ["yes", texts.yes]] : question.options.map(({ key, text }, place) => [key, textIn(text, app.speaking) || fill(texts.level_unnamed, { number: place + 1 })]);
  const field = selectField(app, [...here, "option"], "level_answer", options, {
    value: level.option,
    onChoose: (key) => app.write([...here, "option"], key, { redraw: true }),
  });
  return following(app, field, (key) => textIn((getAt(app.document, [...path, "options"]) ?? []).find((option) => option.key === key)?.text, app.speaking));
}

/** From which level on results give further shares. */
export function basePart(app, path) {
  const { texts } = app;
  const question = getAt(app.document, path);
  const { base = "" } = question.computed;
  const bases = question.kind === "single" ? basesOf(question.computed) : [];
  if (!bases.length && !base) {
    return null;
  }
  const named = (key) => textIn(question.options.find((option) => option.key === key)?.text, app.speaking) || key;
  const options = [["", texts.base_none], ...new Set([...bases, ...(base ? [base] : [])])].map((each) => (Array.isArray(each) ? each : [each, named(each)]));
  const field = selectField(app, [...path, "computed", "base"], "base", options, { value: base });
  return following(app, field, (key) => (key ? textIn(getAt(app.document, [...path, "options"]).find((option) => option.key === key)?.text, app.speaking) : ""));
}

/** A select whose options follow the names that are typed elsewhere on the page. @param {(key: string) => string} nameOf */
function following(app, field, nameOf) {
  app.whenRefreshed(() => {
    for (const option of field.querySelectorAll("option")) {
      option.textContent = nameOf(option.value) || option.textContent;
    }
  });
  return field;
}
