/** The form of the selected part: its heading, the actions on the whole part, and its problems. */

import { button, el, fill } from "../dom.js";
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
 * The form of a part: the phone on which its texts are typed, if it has one, the other fields, and its settings.
 * @typedef {(Node | false | null | undefined)[] | {phone?: Node, fields: (Node | false | null | undefined)[],
 *   settings: (Node | false | null | undefined)[]}} Form
 */

/** @param {Form} form */
const whole = (form) => (Array.isArray(form) ? { fields: form, settings: [] } : form);

/**
 * The selected part in two columns: in the middle its phone, or else its form, and beside it everything else.
 * @param {import("./app.js").App} app @returns {{middle: Node[], beside: Node[]}}
 */
export function editor(app) {
  const part = app.selected;
  const { texts } = app;
  if (FIXED[part]) {
    const { phone, fields, settings } = whole(FIXED[part](app));
    const head = [el("div", { class: "row" }, heading(texts[`part_${part}`]), languageChoice(app)), general()];
    return inColumns(head, phone, fields, settings.length > 0 && settingsMenu(app, ...settings));
  }
  const path = parsePath(part);
  const isBlock = path.length === 2;
  const place = path.at(-1);
  const total = getAt(app.document, path.slice(0, -1)).length;
  const title = fill(isBlock ? texts.block_number : texts.question_number, { number: place + 1, total });
  const owner = pathText(path.slice(0, isComponent(path) ? 4 : 2));
  const where = isBlock ? null : app.nameOf(owner);
  const back = () => app.select(owner);
  const { phone, fields, settings } = whole(isBlock ? blockForm(app, place) : isComponent(path) ? componentForm(app, path) : questionForm(app, path));
  const names = el("div", { class: "row" }, heading(title), where && button(where, back, "link-button editor-owner"), languageChoice(app));
  const menu_ = settingsMenu(app, tools(app, part, { path, isBlock, place, total }), ...settings);
  return inColumns([names, general()], phone, fields, menu_);
}

const inColumns = (head, phone, fields, menu_) =>
  phone ? { middle: [...head, phone], beside: [...fields, menu_] } : { middle: [...head, ...fields, menu_], beside: [] };

/** The language of the phone, if the survey has several. */
function languageChoice(app) {
  const { languages, texts, tongue } = app;
  if (languages.length < 2) {
    return null;
  }
  const option = (tag) => el("option", { value: tag, selected: tongue === tag }, app.language(tag).name);
  const choice = el("select", { id: "editor-language", "aria-label": texts.languages_shown, autocomplete: "off" }, ...languages.map(option));
  choice.addEventListener("change", () => app.speak(choice.value));
  return choice;
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
