/** The form of a number or a place: what it ranges over, how it is disguised, what may take part in rules. */

import { button, el, fill } from "../dom.js";
import { dateField, four, iconButton, idOf, numberField, pair, questionText, radioField, selectField, wordsField } from "./fields.js";
import { namesInData } from "./key-fields.js";
import { addItem, MECHANISMS, PURPOSES, removeItem, setCalendar, setMechanism } from "./scale.js";
import { getAt, pathText } from "./paths.js";
import { placePart } from "./place-form.js";
import { predictions } from "./predictions.js";
import { CEILINGS, epsilonFor, strengthAt, sureAt } from "./strength.js";

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function scaleForm(app, path) {
  const { texts } = app;
  const question = getAt(app.document, path);
  return [
    questionText(app, path),
    wordsField(app, { path: [...path, "help"], label: texts.question_help, optional: true }),
    ...(question.kind === "number" ? numberForm(app, path, question) : placeForm(app, path, question)),
    namesInData(app, path, question),
  ].filter(Boolean);
}

/** Purposes first: what is to be known, and how well it is protected. */
function numberForm(app, path, question) {
  return [
    calendarPart(app, path, question),
    ...(question.number.calendar ? datePart(app, path, question) : numberPart(app, path)),
    lookPart(app, path, question),
    purposePart(app, path, question),
    bandsPart(app, path, question),
    strengthPart(app, path, question),
    el(
      "details",
      { class: "for-experts" },
      el("summary", {}, app.texts.experts),
      el("div", { class: "details-body stack" }, mechanismPart(app, path, question), predictions(app, path)),
    ),
  ];
}

/** Several levels are kept as they are: another mechanism would make one list of their areas. */
const placeForm = (app, path, question) => [
  ...placePart(app, path, question),
  ...(question.place.mechanism === "levels" ? [] : [mechanismPart(app, path, question), predictions(app, path)]),
];

const purposeOf = ({ number: { mechanism } }) =>
  Object.keys(PURPOSES).find((purpose) => PURPOSES[purpose] === mechanism) ?? null;

function purposePart(app, path, question) {
  const { texts } = app;
  const purpose = purposeOf(question);
  const choices = Object.keys(PURPOSES).map((value) => ({
    value,
    text: texts[`purpose_${value}`],
    about: texts[`purpose_${value}_about`],
  }));
  const { mechanism } = question.number;
  const own = { value: null, text: fill(texts.purpose_own, { name: texts[`mechanism_name_${mechanism}`] ?? mechanism }) };
  return radioField({
    field: `${pathText(path)}.purpose`,
    legend: texts.purpose,
    value: purpose,
    choices: purpose === null ? [...choices, own] : choices,
    onChoose: (value) => value && app.edit(setMechanism(app.document, path, PURPOSES[value]), { redraw: true }),
  });
}

function strengthPart(app, path, question) {
  const { texts } = app;
  const { epsilon } = question.number;
  const strength = strengthAt(epsilon);
  const choices = Object.keys(CEILINGS).map((value) => ({
    value,
    text: texts[`strength_${value}`],
    about: fill(texts.strength_number, { sure: sureAt(value).one }),
  }));
  const own = { value: null, text: texts.strength_number_own };
  return radioField({
    field: `${pathText(path)}.strength`,
    legend: texts.strength_of_number,
    value: strength,
    choices: strength === null ? [...choices, own] : choices,
    onChoose: (value) => value && app.edit(app.set([...path, "number", "epsilon"], epsilonFor(value)), { redraw: true }),
  });
}

function numberPart(app, path) {
  const { texts } = app;
  const here = [...path, "number"];
  return [
    el("p", { class: "hint" }, texts.number_hint),
    four(
      numberField(app, [...here, "low"], texts.number_low),
      numberField(app, [...here, "high"], texts.number_high),
      numberField(app, [...here, "bin"], texts.number_bin, { hint: texts.number_bin_hint }),
      numberField(app, [...here, "decimals"], texts.number_decimals),
    ),
    wordsField(app, { path: [...here, "unit"], label: texts.number_unit, optional: true }),
  ];
}

function calendarPart(app, path, question) {
  const { texts } = app;
  return radioField({
    field: `${pathText([...path, "number"])}.calendar`,
    legend: texts.calendar,
    inline: true,
    value: question.number.calendar ?? "",
    choices: ["", "month", "day"].map((value) => ({ value, text: texts[`calendar_${value || "none"}`] })),
    onChoose: (calendar) => app.edit(setCalendar(app.document, path, calendar || undefined), { redraw: true }),
  });
}

function datePart(app, path, { number: { calendar } }) {
  const { texts } = app;
  const here = [...path, "number"];
  return [
    el("p", { class: "hint" }, texts.number_hint),
    pair(dateField(app, [...here, "low"], texts.date_low, calendar), dateField(app, [...here, "high"], texts.date_high, calendar)),
    numberField(app, [...here, "bin"], texts[`date_bin_${calendar}`], { hint: texts.date_bin_hint }),
  ];
}

function lookPart(app, path, question) {
  const { texts } = app;
  return radioField({
    field: `${pathText(path)}.look`,
    legend: texts.look,
    inline: true,
    value: question.look ?? "",
    choices: [
      { value: "", text: texts.look_number },
      { value: "slider", text: texts.look_slider, about: texts.look_slider_about },
    ],
    onChoose: (look) => app.edit(app.set([...path, "look"], look || undefined)),
  });
}

function mechanismPart(app, path, question) {
  const { texts } = app;
  const here = [...path, question.kind];
  const names = MECHANISMS[question.kind];
  const { mechanism } = question[question.kind];
  const known = names.includes(mechanism) ? names : [...names, mechanism];
  return el(
    "div",
    { class: "stack for-experts" },
    selectField({
      field: pathText([...here, "mechanism"]),
      label: texts.mechanism,
      hint: texts[`mechanism_${mechanism}`],
      value: mechanism,
      options: known.map((name) => [name, texts[`mechanism_name_${name}`] ?? name]),
      onChoose: (name) => app.edit(setMechanism(app.document, path, name), { redraw: true }),
    }),
    numberField(app, [...here, "epsilon"], texts.scale_epsilon, { hint: texts.scale_epsilon_hint }),
  );
}

function bandsPart(app, path, question) {
  const { texts } = app;
  if (question.number.mechanism !== "keep") {
    return null;
  }
  const here = [...path, "options"];
  const { calendar } = question.number;
  const end = (place, name, label) =>
    calendar ? dateField(app, [...here, place, name], label, calendar) : numberField(app, [...here, place, name], label);
  const rows = (question.options ?? []).map((_, place) =>
    el(
      "li",
      { class: "option-row option-row--band" },
      wordsField(app, { path: [...here, place, "text"], label: fill(texts.band_number, { number: place + 1 }) }),
      (calendar ? pair : four)(end(place, "from", texts.band_from), end(place, "to", texts.band_to)),
      iconButton("×", fill(texts.remove, { name: fill(texts.band_number, { number: place + 1 }) }), () =>
        app.edit(removeItem(app.document, path, place), { redraw: true }),
      ),
    ),
  );
  const add = () => app.edit(addItem(app.document, path, { from: question.number.low, to: question.number.high }), { redraw: true });
  return itemsFrame(path, texts.bands, texts.bands_hint, rows, button(texts.band_add, add, "button button--plain"));
}

function itemsFrame(path, legend, hint, rows, more) {
  const field = `${pathText(path)}.options`;
  return el(
    "fieldset",
    { class: "field stack", id: idOf(field), "data-field": field, tabindex: "-1" },
    el("legend", { class: "label" }, legend),
    el("p", { class: "hint" }, hint),
    el("p", { class: "remark", hidden: true, "data-remark": field }),
    el("ol", { class: "option-rows" }, ...rows),
    el("div", { class: "row" }, more),
  );
}
