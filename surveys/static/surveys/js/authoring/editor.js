/** The form of the selected part: its heading, the actions on the whole part, and its problems. */

import { button, el, fill } from "../dom.js";
import { FEW_LANGUAGES } from "./app.js";
import { explanationsForm } from "./arm-form.js";
import { blockForm } from "./block-form.js";
import { componentForm } from "./component-form.js";
import { menu } from "./fields.js";
import { getAt, parsePath, pathText } from "./paths.js";
import { divide, isComponent, problemsOf } from "./problems.js";
import { questionForm } from "./question-form.js";
import { aboutForm, groupForm, headForm } from "./survey-form.js";

const FIXED = { head: headForm, about: aboutForm, group: groupForm, explanations: explanationsForm };

/**
 * The form of a part: what respondents read and how they answer, then its settings.
 * @typedef {(Node | false | null | undefined)[] | {fields: (Node | false | null | undefined)[],
 *   settings: (Node | false | null | undefined)[]}} Form
 */

/** @param {Form} form */
const inTwo = (form) => (Array.isArray(form) ? { fields: form, settings: [] } : form);

/** @param {import("./app.js").App} app @returns {Node[]} */
export function editor(app) {
  const part = app.selected;
  const path = parsePath(part);
  const { texts } = app;
  if (FIXED[part]) {
    const { fields, settings } = inTwo(FIXED[part](app));
    return [heading(texts[`part_${part}`]), languageChoice(app), general(), ...fields, settings.length > 0 && settingsMenu(app, ...settings)];
  }
  const isBlock = path.length === 2;
  const place = path.at(-1);
  const total = getAt(app.document, path.slice(0, -1)).length;
  const title = fill(isBlock ? texts.block_number : texts.question_number, { number: place + 1, total });
  const owner = pathText(path.slice(0, isComponent(path) ? 4 : 2));
  const where = isBlock ? null : app.nameOf(owner);
  const back = () => app.select(owner);
  const { fields, settings } = inTwo(isBlock ? blockForm(app, place) : isComponent(path) ? componentForm(app, path) : questionForm(app, path));
  return [
    el("div", { class: "row" }, heading(title), where && button(where, back, "link-button editor-owner")),
    languageChoice(app),
    general(),
    ...fields,
    settingsMenu(app, tools(app, part, { path, isBlock, place, total }), ...settings),
  ];
}

/** With many languages, texts are written in the first and one other. */
function languageChoice(app) {
  const { languages, texts } = app;
  if (languages.length <= FEW_LANGUAGES) {
    return null;
  }
  const option = (tag, name) => el("option", { value: tag, selected: app.tongue === tag }, name);
  const change = ({ target }) => {
    app.tongue = target.value;
    app.draw({});
  };
  const options = languages.map((tag) => option(tag, app.language(tag).name));
  const choice = el("select", { id: "editor-language", autocomplete: "off", change }, ...options, option("", fill(texts.languages_all, { count: languages.length })));
  return el("div", { class: "field" }, el("label", { for: choice.id }, texts.languages_shown), choice);
}

/** Everything else about a part, behind one button, which says how many problems are inside. */
function settingsMenu(app, ...settings) {
  const badge = el("span", { class: "badge", "data-settings-count": "", hidden: true });
  const made = menu(app, "settings", app.texts.settings, ...settings);
  made.querySelector("summary").append(" ", badge);
  return made;
}

const heading = (text) => el("h2", { tabindex: "-1", id: "editor-heading", class: "grow" }, text);

const general = () => el("div", { class: "remarks", "data-remarks": "rest", hidden: true });

function tools(app, part, { path, isBlock, place, total }) {
  const { texts } = app;
  const isWithin = isBlock || isComponent(path);
  const isFirst = isWithin ? place === 0 : place === 0 && path[1] === 0;
  const isLast = isWithin ? place === total - 1 : place === total - 1 && path[1] === app.document.blocks.length - 1;
  const shift = (by, id) => () => {
    app.shift(part, by);
    const again = document.getElementById(id);
    (again?.disabled ? document.getElementById(by < 0 ? "part-down" : "part-up") : again)?.focus();
  };
  const tool = (id, text, click, isOff = false) => {
    const made = button(text, click, "button button--plain button--small");
    made.id = id;
    made.disabled = isOff;
    const label = () => made.setAttribute("aria-label", `${text}: ${app.nameOf(part)}`);
    label();
    app.whenRefreshed(label);
    return made;
  };
  return el(
    "div",
    { class: "row tools", role: "group", "aria-label": texts.tools },
    tool("part-up", texts.up, shift(-1, "part-up"), isFirst),
    tool("part-down", texts.down, shift(1, "part-down"), isLast),
    tool("part-duplicate", texts.duplicate, () => app.duplicate(part)),
    tool("part-drop", texts.delete, () => app.drop(part)),
  );
}

/** Show the problems of the selected part at their fields, and the rest above the form. */
export function showProblems(app, pane) {
  const controls = Array.from(pane.querySelectorAll("[data-field]"));
  const remarks = Array.from(pane.querySelectorAll("[data-remark]"));
  const fields = [...new Set(remarks.map((remark) => remark.dataset.remark))];
  const { byField, rest } = divide(problemsOf(app.problems, app.selected, app.document), fields);
  for (const remark of remarks) {
    const found = byField.get(remark.dataset.remark) ?? [];
    remark.hidden = found.length === 0;
    remark.textContent = found.map((problem) => app.words(problem)).join(" ");
  }
  for (const control of controls) {
    if ("value" in control && control.type !== "radio" && control.type !== "checkbox") {
      const isWrong = byField.has(control.dataset.field) && control.value !== "";
      const isTyped = control.classList.contains("percent") && control.getAttribute("aria-invalid") === "true";
      control.setAttribute("aria-invalid", String(isWrong || isTyped));
    }
  }
  const inside = pane.querySelectorAll('[data-menu="settings"] [data-remark]:not([hidden])').length;
  for (const badge of pane.querySelectorAll("[data-settings-count]")) {
    badge.hidden = inside === 0;
    badge.replaceChildren(String(inside), el("span", { class: "visually-hidden" }, ` ${app.texts.todo_unit}`));
  }
  const above = pane.querySelector("[data-remarks]");
  above.hidden = rest.length === 0;
  above.replaceChildren(...rest.map((problem) => el("p", { class: "remark" }, app.words(problem))));
}

/** The control nearest to a path. @returns {HTMLElement | null} */
export function controlFor(pane, path) {
  const controls = Array.from(pane.querySelectorAll("[data-field]"));
  const steps = parsePath(path);
  for (let length = steps.length; length > 0; length -= 1) {
    const prefix = JSON.stringify(steps.slice(0, length)).slice(0, -1);
    const found = controls.find((control) => {
      const own = JSON.stringify(parsePath(control.dataset.field)).slice(0, -1);
      return own === prefix || own.startsWith(`${prefix},`);
    });
    if (found) {
      return found;
    }
  }
  return null;
}
