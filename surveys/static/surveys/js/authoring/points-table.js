/** The points of a composite question's components: a row per component, a column per answer. */

import { el, fill } from "../dom.js";
import { focusTool, group, hint, idOf, iconButton, remark } from "./fields.js";
import { answersOf, pastePoints, pointsOf, readCells, reversed, ruleAt, setPoint } from "./one-answer.js";
import { getAt, pathText } from "./paths.js";
import { wordsOf } from "./phone.js";
import { textIn } from "./wording.js";

/** Most columns of points next to the questions. */
const MOST_COLUMNS = 3;

const STEPS = { ArrowUp: -1, ArrowDown: 1, Enter: 1 };

/** The name of an answer. */
export function answerName(app, component, answer, place) {
  if (component.kind === "yes_no") {
    return app.texts[answer.key];
  }
  if (component.kind === "number") {
    return fill(app.texts.band_span, { from: String(answer.from ?? "?"), to: String(answer.to ?? "?") });
  }
  return textIn(answer.text, app.speaking) || fill(app.texts.option_number, { number: place + 1 });
}

/** What respondents can answer, as they read it. @returns {string[]} */
export function answerNames(app, component) {
  const { kind, number, options = [] } = component;
  if (kind === "number") {
    return [[fill(app.texts.band_span, { from: String(number?.low ?? "?"), to: String(number?.high ?? "?") }), textIn(number?.unit, app.tongue)].filter(Boolean).join(" ")];
  }
  return kind === "yes_no" ? ["yes", "no"].map((name) => wordsOf(app)[name] ?? app.texts[name]) : options.map(({ text }, place) => textIn(text, app.tongue) || fill(app.texts.option_number, { number: place + 1 }));
}

/** The path of the points of one answer, as the server names it. */
export const pointPath = (path, component, answer) =>
  component.kind === "yes_no"
    ? [...path, "points", answer]
    : [...path, component.kind === "number" ? "bands" : "options", answer, "points"];

/** A whole number as typed; other texts are kept, and the server reports them. */
export const readWhole = (text) => (/^[-−+]?\d+$/.test(text.trim()) ? Number(text.trim().replace("−", "-")) : text.trim() === "" ? 0 : text.trim());

/**
 * A field for a whole number. @param {import("./paths.js").Path} path @param {string[]} name of the field, in parts
 * @param {(value: number | string, tag: string) => void} onWrite @param {object} [more] attributes
 */
export function wholeField(app, path, name, value, onWrite, more = {}) {
  const id = idOf(path);
  const input = el("input", {
    id,
    inputmode: "text",
    autocomplete: "off",
    class: "figure-input whole-input",
    "aria-label": name.join(" "),
    "aria-describedby": `${id}-note`,
    "data-field": pathText(path),
    input: ({ target }) => onWrite(readWhole(target.value), id),
    ...more,
  });
  input.value = value ?? "";
  return input;
}

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path of the question */
export function pointsTable(app, path) {
  const { texts } = app;
  const { components } = ruleAt(app.document, path);
  const columns = Math.max(...components.map((one) => answersOf(one).length), 0);
  const isSame = isAlike(app, components);
  const rows = components.map((component, place) => componentRow(app, path, place, columns));
  const heads = () =>
    isSame
      ? answersOf(components[0]).map((answer, place) => el("th", { scope: "col", class: "num" }, answerName(app, components[0], answer, place)))
      : [el("th", { scope: "col", colspan: columns }, texts.points)];
  const table = el(
    "table",
    { class: ["points", isSame && "points--same", columns > MOST_COLUMNS && "points--many"].filter(Boolean).join(" ") },
    el("caption", { class: "visually-hidden" }, texts.points),
    el(
      "thead",
      {},
      el("tr", {}, el("th", { scope: "col" }, texts.people_question), ...heads(), el("th", { scope: "col" }, el("span", { class: "visually-hidden" }, texts.tools))),
    ),
    el("tbody", {}, ...rows),
  );
  return group([...path, "computed", "points"], texts.points, [hint(texts.points_hint), table], "field stack");
}

/** Whether all components that have points have the same answers, so that one head is enough. */
function isAlike(app, components) {
  const names = components.filter(({ instructed, kind }) => !instructed && kind !== "number").map((one) => JSON.stringify(answersOf(one).map((answer, place) => answerName(app, one, answer, place))));
  return names.length > 0 && names.length === components.filter(({ instructed }) => !instructed).length && new Set(names).size === 1 && !components[0].instructed;
}

function componentRow(app, path, place, columns) {
  const { texts } = app;
  const here = [...path, "computed", "components", place];
  const component = getAt(app.document, here);
  const nameNow = () => textIn(getAt(app.document, here)?.text, app.speaking) || fill(texts.component_number, { number: place + 1 });
  const name = nameNow();
  const shown = el("span", { class: "points-name" }, name);
  // It is typed on the phone, which does not draw the table again.
  app.whenRefreshed(() => (shown.textContent = nameNow()));
  const answers = answersOf(component);
  const cells = answers.map((answer, column) => {
    const at = pointPath(here, component, column);
    const label = answerName(app, component, answer, column);
    const field = wholeField(app, at, [name, label], pointsOf(component)[column], (value, tag) => {
      app.edit(setPoint(app.document, path, place, column, value), { tag });
    }, { "data-row": place, "data-column": column, keydown: (event) => move(event, path), paste: (event) => paste(app, path, event, place, column) });
    return el("td", { class: "num" }, el("span", { class: "points-answer", "aria-hidden": "true" }, label), field);
  });
  const rest = columns - answers.length;
  const inert = [el("td", { class: "soft", colspan: columns || null }, component.instructed ? texts.points_instructed : "")];
  const reverse = () => {
    app.edit(reversed(app.document, path, place), { redraw: true });
    app.announce(fill(texts.points_reversed, { name }));
    focusTool(`${idOf(here)}-reverse`);
  };
  const canReverse = !component.instructed && answers.length > 1 && component.kind !== "several";
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, shown),
    ...(component.instructed ? inert : [...cells, ...(rest > 0 ? [el("td", { colspan: rest, class: "points-rest" })] : [])]),
    el("td", { class: "points-tools" }, canReverse && iconButton("⇄", fill(texts.points_reverse, { name }), reverse, { id: `${idOf(here)}-reverse` })),
  );
}

/** Arrow keys and Enter move within a column. */
function move(event, path) {
  const by = STEPS[event.key];
  if (!by || event.altKey || event.ctrlKey || event.metaKey) {
    return;
  }
  event.preventDefault();
  const { row, column } = event.target.dataset;
  const fields = Array.from(event.target.closest("table").querySelectorAll(`[data-column="${column}"]`));
  const at = fields.findIndex((field) => field.dataset.row === row) + by;
  fields[at]?.focus();
  fields[at]?.select();
}

/** Fill in a pasted column or block of numbers from this cell on. */
function paste(app, path, event, place, column) {
  const cells = readCells(event.clipboardData.getData("text"));
  if (cells.length < 2 && cells[0].length < 2) {
    return;
  }
  event.preventDefault();
  const { id } = event.target;
  const { document: next, count, left } = pastePoints(app.document, path, place, column, cells);
  const said = fill(left ? app.texts.points_pasted_partly : app.texts.points_pasted, { count, left });
  app.edit(next, { redraw: true, undoable: said });
  app.announce(said);
  document.getElementById(id)?.focus();
}
