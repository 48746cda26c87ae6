/**
 * Controls of the builder. Their arguments are the path that a control edits, and its label. A control writes to that path
 * unless a function handles the value. Problems are matched by `data-field`, and an id with the path keeps the focus on redraw.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./paths.js").Path | string} Place
 * @typedef {string | {said: string, says?: string}} Label key of the label's text, whose hint has the key with "_hint"
 *   appended; or label and hint themselves
 */

import { button, el, fill } from "../dom.js";
import { percentText, readPercent } from "./probabilities.js";
import { nameByText } from "./edits.js";
import { getAt, parsePath, pathText } from "./paths.js";
import { writeText } from "./wording.js";

/** @param {Place} place */
const fieldOf = (place) => (typeof place === "string" ? place : pathText(place));

/** @param {Place} place */
export const idOf = (place) => `f-${fieldOf(place).replace(/[^\w-]+/g, "-")}`;

const valueAt = ({ document: survey }, place) => getAt(survey, parsePath(fieldOf(place)));
/** @param {Label} label */
export const labelOf = ({ texts }, label) => label.said ?? texts[label];
/** @param {Label} label */
const hintOf = ({ texts }, label) => (label.said ? label.says : texts[`${label}_hint`]);
const described = (id, hint) => [hint && `${id}-hint`, `${id}-note`].filter(Boolean).join(" ");
const hintBelow = (id, hint) => hint && el("p", { class: "hint", id: `${id}-hint` }, hint);

/** Element for the problems of a path. @param {Place} place */
export const remark = (place) =>
  el("p", { class: "remark", id: `${idOf(place)}-note`, hidden: true, "data-remark": fieldOf(place) });

/** @param {string} text */
export const hint = (text) => el("p", { class: "hint" }, text);

/** Content that unfolds below a summary line. */
export const folded = (summary, ...children) =>
  el("details", {}, el("summary", {}, summary), el("div", { class: "details-body stack" }, ...children));

/**
 * Rarely used fields or actions behind one button. It stays as the user leaves it when another part is selected.
 * @param {import("./app.js").App} app @param {string} name @param {string} summary
 */
export function menu(app, name, summary, ...children) {
  const body = el("div", { class: "details-body stack" }, ...children);
  const details = el("details", { class: "menu", "data-menu": name }, el("summary", {}, summary), body);
  details.addEventListener("toggle", () => app.menus.set(name, details.open));
  return details;
}

/** Fields for one path, the target of its problems. @param {Place} place */
export const group = (place, legend, children, className = "field") =>
  el(
    "fieldset",
    { class: className, id: idOf(place), "data-field": fieldOf(place), tabindex: "-1" },
    legend && el("legend", { class: "label" }, legend),
    ...children,
  );

/** A control that does not edit the definition. @param {string} id of the control, which is one of the children */
export const labelled = (id, label, ...children) => el("div", { class: "field" }, el("label", { for: id }, label), ...children);

/** A label, a control, a hint and an element for problems. */
function framed(app, place, label, control) {
  const [id, says] = [idOf(place), hintOf(app, label)];
  control.id = id;
  control.dataset.field = fieldOf(place);
  control.setAttribute("aria-describedby", described(id, says));
  return el(
    "div",
    { class: "field" },
    el("label", { for: id }, labelOf(app, label)),
    control,
    hintBelow(id, says),
    remark(place),
  );
}

/** Derive a question's key from its text, until someone edits the key. */
export function nameQuestion(app, path) {
  const named = app.isPublished ? app.document : nameByText(app.document, path, app.languages[0]);
  if (named !== app.document) {
    app.edit(named);
    const field = document.getElementById(idOf([...path, "key"]));
    if (field) {
      field.value = getAt(named, path).key;
    }
  }
}

/** The text of a question, beside its other fields. @param {Label} [label] */
export const questionText = (app, path, label = "question_text") =>
  wordsField(app, [...path, "text"], label, { lines: 2, onDone: () => nameQuestion(app, path) });

/**
 * The control for a text in one language.
 * @param {App} app @param {import("./paths.js").Path} path of the text by language @param {string} tag
 * @param {{optional?: boolean, lines?: number, says?: string, onDone?: () => void}} how says: the hint's text, if there is one
 * @returns {HTMLTextAreaElement}
 */
export function textArea(app, path, tag, { optional = false, lines = 1, says = "", onDone = () => {} }) {
  const here = [...path, tag];
  const id = idOf(here);
  const area = el("textarea", {
    id,
    rows: lines,
    lang: tag,
    dir: app.language(tag).direction,
    maxlength: 5000,
    autocomplete: "off",
    "data-field": fieldOf(here),
    "aria-describedby": [says && `${idOf(path)}-hint`, `${id}-note`].filter(Boolean).join(" "),
    input: ({ target }) => app.edit(writeText(app.document, path, tag, target.value, { optional }), { tag: id }),
    change: onDone,
  });
  area.value = getAt(app.document, path)?.[tag] ?? "";
  return area;
}

/**
 * One text in every language of the survey, in columns.
 * @param {App} app
 * @param {import("./paths.js").Path} path
 * @param {Label} label
 * @param {{optional?: boolean, lines?: number, onDone?: () => void}} [how] onDone: called when the user leaves the text
 */
export function wordsField(app, path, label, { optional = false, lines = 1, onDone = () => {} } = {}) {
  const { languages } = app;
  const [name, says] = [labelOf(app, label), hintOf(app, label)];
  const areas = languages.map((tag) => {
    const here = [...path, tag];
    const { name: tongue } = app.language(tag);
    const area = textArea(app, path, tag, { optional, lines, says, onDone });
    return el(
      "div",
      { class: "language", hidden: !app.shows(tag) },
      el(
        "label",
        { for: area.id, class: languages.length === 1 ? "visually-hidden" : "tongue" },
        el("span", { class: "visually-hidden" }, `${name}, `),
        el("span", { lang: tag }, tongue),
      ),
      area,
      remark(here),
    );
  });
  return el(
    "fieldset",
    { class: "field words" },
    el("legend", { class: "label" }, name, optional && el("span", { class: "soft" }, ` · ${app.texts.optional}`)),
    hintBelow(idOf(path), says),
    el("div", { class: "languages" }, ...areas),
    remark(path),
  );
}

/**
 * A probability, typed as a percentage with two decimals.
 * @param {App} app
 * @param {Place} place
 * @param {Label} label
 * @param {{share?: number, least?: number, most?: number, onShare?: (share: number, id: string) => void}} [how]
 */
export function percentField(app, place, label, how = {}) {
  const { share = valueAt(app, place), least = 0, most = 10000 } = how;
  const { onShare = (given, tag) => app.write(place, given, { tag }) } = how;
  const input = el("input", { inputmode: "decimal", autocomplete: "off", class: "percent" });
  input.value = typeof share === "number" ? percentText(share) : "";
  const frame = framed(app, place, label, input);
  const complaint = el("p", { class: "error", id: `${input.id}-error`, hidden: true });
  frame.append(complaint);
  input.after(el("span", { class: "unit", "aria-hidden": "true" }, "%"));
  input.setAttribute("aria-describedby", `${input.id}-error ${input.getAttribute("aria-describedby")}`);
  input.addEventListener("input", () => {
    const read = readPercent(input.value);
    const fits = read !== null && read >= least && read <= most;
    complaint.hidden = fits;
    complaint.textContent = fits
      ? ""
      : fill(app.texts.percent_wrong, { least: percentText(least), most: percentText(most) });
    input.setAttribute("aria-invalid", String(!fits));
    if (fits) {
      onShare(read, input.id);
    }
  });
  input.addEventListener("change", () => {
    const read = readPercent(input.value);
    if (read !== null) {
      input.value = percentText(read);
    }
  });
  return frame;
}

/** @param {[string, string][]} options @param {{value?: string, disabled?: boolean, onChoose?: (value: string) => void}} [how] */
export function selectField(app, place, label, options, how = {}) {
  const { value = valueAt(app, place), disabled = false, onChoose = (chosen) => app.write(place, chosen) } = how;
  const choices = options.map(([key, text]) => el("option", { value: key, selected: key === value }, text));
  const control = el("select", { disabled, change: ({ target }) => onChoose(target.value) }, ...choices);
  return framed(app, place, label, control);
}

/** @param {{attributes?: object, onWrite?: (text: string, tag: string) => void}} [how] */
export function lineField(app, place, label, how = {}) {
  const { attributes = {}, onWrite = (text, tag) => app.write(place, text.trim(), { tag }) } = how;
  const input = ({ target }) => onWrite(target.value, target.id);
  const control = el("input", { autocomplete: "off", spellcheck: "false", ...attributes, input });
  control.value = valueAt(app, place) ?? "";
  return framed(app, place, label, control);
}

/** A number in the definition. A text that is no number is kept as typed, and the server reports it. */
export function numberField(app, path, label, onWrite = (value, tag) => app.write(path, value, { tag })) {
  return lineField(app, path, label, {
    attributes: { inputmode: "decimal", class: "figure-input" },
    onWrite: (text, tag) => {
      const typed = text.trim().replace(",", ".");
      onWrite(typed === "" ? undefined : Number.isNaN(Number(typed)) ? typed : Number(typed), tag);
    },
  });
}

/** A month or a day in the definition, in ISO 8601. @param {"month" | "day"} calendar */
export function dateField(app, path, label, calendar) {
  const attributes = calendar === "month" ? { type: "month", placeholder: "2025-03" } : { type: "date", placeholder: "2025-03-01" };
  return lineField(app, path, label, { attributes });
}

/** A sentence that contains a field for a whole number: "Ask each person [4] of these 10 questions." */
export function numberInSentence(app, path, sentence, says, onNumber) {
  const id = idOf(path);
  const [before, after] = sentence.split("{number}");
  const input = el("input", {
    id,
    inputmode: "numeric",
    autocomplete: "off",
    class: "figure-input count-input",
    "data-field": fieldOf(path),
    "aria-describedby": described(id, says),
    input: ({ target }) => {
      const typed = target.value.trim();
      onNumber(typed === "" ? undefined : /^\d+$/.test(typed) ? Number(typed) : typed, id);
    },
  });
  input.value = getAt(app.document, path) ?? "";
  const label = el("label", { class: "in-sentence", for: id }, before, input, after);
  return el("div", { class: "field" }, label, hintBelow(id, says), remark(path));
}

/** Two fields side by side, if there is room. */
export const pair = (...fields) => el("div", { class: "pair" }, ...fields);

/** Up to four short fields side by side. */
export const four = (...fields) => el("div", { class: "four" }, ...fields);

/**
 * Radio buttons, each with an explanation, whose key is that of the label with "_about" appended.
 * @param {[any, Label][]} choices values and their labels
 * @param {{value?: any, disabled?: boolean, inline?: boolean, redraw?: boolean, onChoose?: (value: any) => void}} [how]
 */
export function radioField(app, place, label, choices, how = {}) {
  const { value = valueAt(app, place) ?? "", disabled = false, inline = false, redraw = false } = how;
  const { onChoose = (chosen) => app.write(place, chosen, { redraw }) } = how;
  const id = idOf(place);
  const labels = choices.map(([stands, choice], number) => {
    const about = choice.said ? choice.says : app.texts[`${choice}_about`];
    const radio = el("input", {
      type: "radio",
      name: id,
      id: number ? `${id}-${number}` : id,
      disabled,
      autocomplete: "off",
      "data-field": number ? null : fieldOf(place),
      "aria-describedby": about ? `${id}-${number}-about` : null,
      change: () => onChoose(stands),
    });
    radio.checked = stands === value;
    const says = about && el("span", { class: "hint", id: `${id}-${number}-about` }, about);
    return el("label", { class: "option" }, radio, el("span", {}, el("span", { class: "option-name" }, labelOf(app, choice)), says));
  });
  return el(
    "fieldset",
    { class: "field" },
    el("legend", { class: "label" }, labelOf(app, label)),
    el("div", { class: inline ? "options options--inline" : "options" }, ...labels),
    remark(place),
  );
}

/** @param {boolean} checked @param {(isTicked: boolean) => void} onTick */
export function tickField(app, place, label, checked, onTick) {
  const [id, says] = [idOf(place), hintOf(app, label)];
  const box = el("input", {
    type: "checkbox",
    id,
    autocomplete: "off",
    "data-field": fieldOf(place),
    "aria-describedby": says ? `${id}-hint` : null,
    change: ({ target }) => onTick(target.checked),
  });
  box.checked = checked;
  const line = el("label", { class: "option", for: id }, box, el("span", { class: "option-name" }, labelOf(app, label)));
  return el("div", { class: "field" }, line, hintBelow(id, says), remark(place));
}

/** A secondary button. */
export const plainButton = (text, click) => button(text, click, "button button--plain");

/** A small button with a sign, and a name for screen readers. */
export const iconButton = (sign, name, click, attributes = {}) =>
  el(
    "button",
    { type: "button", class: "icon-button", title: name, click, ...attributes },
    el("span", { "aria-hidden": "true" }, sign),
    el("span", { class: "visually-hidden" }, name),
  );

/**
 * Focus the first of these tools of a row that works. Tools appear while their row is in use and cannot have the focus before, so a
 * field of the row gets it first.
 * @param {...string} ids
 */
export function focusTool(...ids) {
  const tool = ids.map((id) => document.getElementById(id)).find((one) => one && !one.disabled);
  const fields = tool?.closest(".option-row, .phone-line, tr")?.querySelectorAll("textarea, input") ?? [];
  Array.from(fields).find((field) => field.checkVisibility())?.focus();
  tool?.focus();
}
