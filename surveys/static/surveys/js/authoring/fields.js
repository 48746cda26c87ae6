/**
 * Controls of the builder. Each says by `data-field` which place of the definition it edits, so that problems
 * find it, and has an id made of that place, so that the focus survives when the form is drawn again.
 *
 * @typedef {import("./app.js").App} App
 */

import { button, el, fill } from "../dom.js";
import { percentText, readPercent } from "./chances.js";
import { nameByText } from "./edits.js";
import { getAt, pathText, setAt } from "./paths.js";
import { writeText } from "./wording.js";

/** @param {string} field a place of the definition */
export const idOf = (field) => `f-${field.replace(/[^\w-]+/g, "-")}`;

const noteOf = (id, field) => el("p", { class: "remark", id: `${id}-note`, hidden: true, "data-remark": field });

/**
 * A label, a control, a hint and room for a problem.
 * @param {{field: string, label: string, control: HTMLElement, hint?: string, quietly?: boolean}} part
 */
export function framed({ field, label, control, hint, quietly = false }) {
  const id = control.id || idOf(field);
  control.id = id;
  control.dataset.field = field;
  control.setAttribute("aria-describedby", [hint && `${id}-hint`, `${id}-note`].filter(Boolean).join(" "));
  return el(
    "div",
    { class: "field" },
    el("label", { for: id, class: quietly ? "visually-hidden" : null }, label),
    control,
    hint && el("p", { class: "hint", id: `${id}-hint` }, hint),
    noteOf(id, field),
  );
}

/** The text of a question, which names it in the data until somebody gives it another name. */
export function questionText(app, path) {
  const onDone = () => {
    const named = app.isPublished ? app.document : nameByText(app.document, path, app.languages[0]);
    if (named !== app.document) {
      app.edit(named);
      const field = document.getElementById(idOf(`${pathText(path)}.key`));
      if (field) {
        field.value = getAt(named, path).key;
      }
    }
  };
  return wordsField(app, { path: [...path, "text"], label: app.texts.question_text, lines: 2, onDone });
}

/**
 * One text in every language of the survey, side by side.
 * @param {App} app
 * @param {{path: import("./paths.js").Path, label: string, hint?: string, optional?: boolean, lines?: number,
 *   onDone?: () => void}} part onDone: called when what was written is left
 */
export function wordsField(app, { path, label, hint, optional = false, lines = 1, onDone = () => {} }) {
  const languages = app.languages;
  const base = idOf(pathText(path));
  const areas = languages.map((tag) => {
    const field = `${pathText(path)}.${tag}`;
    const id = idOf(field);
    const { name, direction } = app.language(tag);
    const input = (event) =>
      app.edit(writeText(app.document, path, tag, event.target.value, { optional }), { tag: id });
    const area = el("textarea", {
      id,
      rows: lines,
      lang: tag,
      dir: direction,
      maxlength: 5000,
      autocomplete: "off",
      "data-field": field,
      "aria-describedby": [hint && `${base}-hint`, `${id}-note`].filter(Boolean).join(" "),
      input,
      change: onDone,
    });
    area.value = getAt(app.document, path)?.[tag] ?? "";
    const isOnly = languages.length === 1;
    return el(
      "div",
      { class: "language" },
      el(
        "label",
        { for: id, class: isOnly ? "visually-hidden" : "tongue" },
        el("span", { class: "visually-hidden" }, `${label}, `),
        el("span", { lang: tag }, name),
      ),
      area,
      noteOf(id, field),
    );
  });
  return el(
    "fieldset",
    { class: "field words" },
    el("legend", { class: "label" }, label, optional && el("span", { class: "soft" }, ` · ${app.texts.optional}`)),
    hint && el("p", { class: "hint", id: `${base}-hint` }, hint),
    el("div", { class: "languages" }, ...areas),
    noteOf(base, pathText(path)),
  );
}

/**
 * A chance, typed as a percentage with two decimals.
 * @param {App} app
 * @param {{field: string, label: string, hint?: string, share: number, least?: number, most?: number,
 *   quietly?: boolean, onShare: (share: number, id: string) => void}} part
 */
export function percentField(app, { field, label, hint, share, least = 0, most = 10000, quietly, onShare }) {
  const input = el("input", { id: idOf(field), inputmode: "decimal", autocomplete: "off", class: "percent" });
  input.value = typeof share === "number" ? percentText(share) : "";
  const frame = framed({ field, label, control: input, hint, quietly });
  const complaint = el("p", { class: "error", id: `${input.id}-error`, hidden: true });
  frame.append(complaint);
  input.after(el("span", { class: "unit", "aria-hidden": "true" }, "%"));
  input.setAttribute("aria-describedby", `${input.id}-error ${input.getAttribute("aria-describedby")}`);
  const check = () => {
    const read = readPercent(input.value);
    const fits = read !== null && read >= least && read <= most;
    complaint.hidden = fits;
    complaint.textContent = fits
      ? ""
      : fill(app.texts.percent_wrong, { least: percentText(least), most: percentText(most) });
    input.setAttribute("aria-invalid", String(!fits));
    return fits ? read : null;
  };
  input.addEventListener("input", () => {
    const read = check();
    if (read !== null) {
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

/** @param {{field: string, label: string, value: string, hint?: string, options: [string, string][], onChoose}} part */
export function selectField({ field, label, value, hint, options, onChoose }) {
  const choices = options.map(([key, text]) => el("option", { value: key, selected: key === value }, text));
  const control = el("select", { change: (event) => onChoose(event.target.value) }, ...choices);
  return framed({ field, label, control, hint });
}

/** @param {{field: string, label: string, value: string, hint?: string, attributes?: object, onWrite}} part */
export function lineField({ field, label, value, hint, attributes = {}, onWrite }) {
  const input = (event) => onWrite(event.target.value, event.target.id);
  const control = el("input", { autocomplete: "off", spellcheck: "false", ...attributes, input });
  control.value = value;
  return framed({ field, label, control, hint });
}

/** A number of the definition, as it is typed; what is no number is kept as a text, and the server says so. */
export function numberField(app, path, label, { hint, onWrite } = {}) {
  const write = onWrite ?? ((value, tag) => app.edit(app.set(path, value), { tag }));
  return lineField({
    field: pathText(path),
    label,
    hint,
    value: getAt(app.document, path) === undefined ? "" : String(getAt(app.document, path)),
    attributes: { inputmode: "decimal", class: "figure-input" },
    onWrite: (text, tag) => {
      const typed = text.trim().replace(",", ".");
      write(typed === "" ? undefined : Number.isNaN(Number(typed)) ? typed : Number(typed), tag);
    },
  });
}

/** A month or a day of the definition, as ISO 8601 writes it. @param {"month" | "day"} calendar */
export function dateField(app, path, label, calendar) {
  return lineField({
    field: pathText(path),
    label,
    value: getAt(app.document, path) ?? "",
    attributes: { type: calendar === "month" ? "month" : "date", placeholder: calendar === "month" ? "2025-03" : "2025-03-01" },
    onWrite: (text, tag) => app.edit(app.set(path, text.trim() || undefined), { tag }),
  });
}

/** A sentence with a field for a whole number in it: "Ask each person [4] of these 10 questions." */
export function numberInSentence({ field, sentence, value, hint, onNumber }) {
  const id = idOf(field);
  const [before, after] = sentence.split("{number}");
  const input = el("input", {
    id,
    inputmode: "numeric",
    autocomplete: "off",
    class: "figure-input count-input",
    "data-field": field,
    "aria-describedby": [hint && `${id}-hint`, `${id}-note`].filter(Boolean).join(" "),
    input: (event) => {
      const typed = event.target.value.trim();
      onNumber(typed === "" ? undefined : /^\d+$/.test(typed) ? Number(typed) : typed, id);
    },
  });
  input.value = value ?? "";
  return el(
    "div",
    { class: "field" },
    el("label", { class: "in-sentence", for: id }, before, input, after),
    hint && el("p", { class: "hint", id: `${id}-hint` }, hint),
    el("p", { class: "remark", id: `${id}-note`, hidden: true, "data-remark": field }),
  );
}

/** Two fields beside each other where there is room. */
export const pair = (...fields) => el("div", { class: "pair" }, ...fields);

/** Up to four short fields beside each other. */
export const four = (...fields) => el("div", { class: "four" }, ...fields);

/**
 * One of several, each with a sentence.
 * @param {{field: string, legend: string, value: any, choices: {value: any, text: string, about?: string}[],
 *   disabled?: boolean, inline?: boolean, onChoose}} part
 */
export function radioField({ field, legend, value, choices, disabled = false, inline = false, onChoose }) {
  const id = idOf(field);
  const labels = choices.map((choice, place) => {
    const radio = el("input", {
      type: "radio",
      name: id,
      id: place ? `${id}-${place}` : id,
      disabled,
      autocomplete: "off",
      "data-field": place ? null : field,
      "aria-describedby": choice.about ? `${id}-${place}-about` : null,
      change: () => onChoose(choice.value),
    });
    radio.checked = choice.value === value;
    return el(
      "label",
      { class: "option" },
      radio,
      el(
        "span",
        {},
        el("span", { class: "option-name" }, choice.text),
        choice.about && el("span", { class: "hint", id: `${id}-${place}-about` }, choice.about),
      ),
    );
  });
  return el(
    "fieldset",
    { class: "field" },
    el("legend", { class: "label" }, legend),
    el("div", { class: inline ? "options options--inline" : "options" }, ...labels),
    noteOf(id, field),
  );
}

/** @param {{field: string, label: string, checked: boolean, hint?: string, onTick}} part */
export function tickField({ field, label, checked, hint, onTick }) {
  const id = idOf(field);
  const box = el("input", {
    type: "checkbox",
    id,
    autocomplete: "off",
    "data-field": field,
    "aria-describedby": hint ? `${id}-hint` : null,
    change: (event) => onTick(event.target.checked),
  });
  box.checked = checked;
  return el(
    "div",
    { class: "field" },
    el("label", { class: "option", for: id }, box, el("span", { class: "option-name" }, label)),
    hint && el("p", { class: "hint", id: `${id}-hint` }, hint),
    noteOf(id, field),
  );
}

/** Write a plain member of the definition; an emptied one goes. */
export function put(app, path, value, how) {
  app.edit(setAt(app.document, path, value === "" ? undefined : value), how);
}

/** A small button with a name for those who cannot see its sign. */
export function iconButton(sign, name, click, attributes = {}) {
  const made = button("", click, "icon-button");
  made.append(el("span", { "aria-hidden": "true" }, sign), el("span", { class: "visually-hidden" }, name));
  made.title = name;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(key, value === true ? "" : value);
    }
  }
  return made;
}
