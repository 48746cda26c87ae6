/** The form of a number or a place: its range, its disguise, and its items in rules. */

import { el, fill } from "../dom.js";
import {
  dateField, folded, four, group, hint, iconButton, numberField, pair, plainButton, radioField, remark,
  wordsField,
} from "./fields.js";
import { namesInData } from "./key-fields.js";
import { mechanismPart } from "./mechanism-part.js";
import { addItem, PURPOSES, removeItem, setCalendar, setMechanism } from "./scale.js";
import { getAt } from "./paths.js";
import { questionOnPhone, questionTexts } from "./phone.js";
import { placeForm } from "./place-form.js";
import { CEILINGS, epsilonFor, strengthAt } from "./strength.js";

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function scaleForm(app, path) {
  const question = getAt(app.document, path);
  return {
    phone: questionOnPhone(app, path, questionTexts(app, path)),
    fields: FORMS[question.kind](app, path, question),
    settings: [namesInData(app, path, question)],
  };
}

/** The form of a number; aim and protection come before details for experts. */
function numberForm(app, path, question) {
  const { calendar } = question.number;
  const kinds = ["", "month", "day"].map((kind) => [kind, `calendar_${kind || "none"}`]);
  const looks = [["", "look_number"], ["slider", "look_slider"]];
  const isProtected = app.document.blocks[path[1]].protected === true;
  return [
    radioField(app, [...path, "number", "calendar"], "calendar", kinds, {
      inline: true,
      onChoose: (kind) => app.edit(setCalendar(app.document, path, kind || undefined), { redraw: true }),
    }),
    hint(app.texts.number_hint),
    ...(calendar ? datePart(app, [...path, "number"], calendar) : numberPart(app, [...path, "number"])),
    radioField(app, [...path, "look"], "look", looks, { inline: true }),
    isProtected && purposePart(app, path, question),
    (!isProtected || question.number.mechanism === "keep") && bandsPart(app, path, question),
    ...(isProtected ? [strengthPart(app, path, question), expertsPart(app, path, question)] : []),
  ];
}

/** How a number is disguised: for which purpose, and how strongly. */
export const disguisePart = (app, path, question) => [
  purposePart(app, path, question),
  strengthPart(app, path, question),
  expertsPart(app, path, question),
];

/** The form of each kind with a disguise of its own. */
const FORMS = {
  number: numberForm,
  place: placeForm,
};

function expertsPart(app, path, question) {
  const experts = folded(app.texts.experts, mechanismPart(app, path, question));
  experts.className = "for-experts";
  return experts;
}

function purposePart(app, path, { number: { mechanism } }) {
  const choices = Object.keys(PURPOSES).map((value) => [value, `purpose_${value}`]);
  return radioField(app, [...path, "purpose"], "purpose", choices, {
    value: Object.keys(PURPOSES).find((each) => PURPOSES[each] === mechanism) ?? null,
    onChoose: (value) => value && app.edit(setMechanism(app.document, path, PURPOSES[value]), { redraw: true }),
  });
}

function strengthPart(app, path, { number: { epsilon } }) {
  const strength = strengthAt(epsilon);
  const choices = Object.keys(CEILINGS).map((value) => [value, `strength_${value}`]);
  const own = [null, "strength_number_own"];
  return radioField(app, [...path, "strength"], "strength_of_number", strength === null ? [...choices, own] : choices, {
    value: strength,
    onChoose: (value) => value && app.write([...path, "number", "epsilon"], epsilonFor(value), { redraw: true }),
  });
}

const numberPart = (app, here) => [
  four(...["low", "high", "bin", "decimals"].map((name) => numberField(app, [...here, name], `number_${name}`))),
  stepsSaid(app, here),
  wordsField(app, [...here, "unit"], "number_unit", { optional: true }),
];

/** A sentence on the steps in which a number is sent, which follows the entries. */
function stepsSaid(app, here) {
  const element = el("p", { class: "hint", role: "status" });
  const show = () => {
    element.textContent = stepsText(getAt(app.document, here) ?? {}, app.texts);
  };
  app.whenRefreshed(show);
  show();
  return element;
}

/** @param {{low?: number, bin?: number, decimals?: number}} number @param {Record<string, string>} texts */
export function stepsText({ low, bin, decimals = 0 }, texts) {
  const unit = 10 ** -decimals;
  if (!Number.isFinite(low) || !(bin > 1.5 * unit)) {
    return "";
  }
  const [first, next, last] = [low, low + unit, low + bin - unit].map((value) => value.toFixed(decimals));
  const others = next === last ? next : fill(texts.number_steps_to, { first: next, last });
  return fill(texts.number_steps, { step: bin, first, next: others });
}

const datePart = (app, here, calendar) => [
  pair(...["low", "high"].map((name) => dateField(app, [...here, name], `date_${name}`, calendar))),
  numberField(app, [...here, "bin"], `date_bin_${calendar}`),
];

/** The bands of a number that association rules can use. */
function bandsPart(app, path, { number: { calendar, low, high }, options = [] }) {
  const { texts } = app;
  const here = [...path, "options"];
  const end = (place, name) => {
    const at = [...here, place, name];
    return calendar ? dateField(app, at, `band_${name}`, calendar) : numberField(app, at, `band_${name}`);
  };
  const rows = options.map((_, place) => {
    const name = fill(texts.band_number, { number: place + 1 });
    const drop = () => app.edit(removeItem(app.document, path, place), { redraw: true });
    return el(
      "li",
      { class: "option-row option-row--band" },
      wordsField(app, [...here, place, "text"], { said: name }),
      (calendar ? pair : four)(end(place, "from"), end(place, "to")),
      iconButton("×", fill(texts.remove, { name }), drop),
    );
  });
  const add = () => app.edit(addItem(app.document, path, { from: low, to: high }), { redraw: true });
  const children = [
    hint(texts.bands_hint),
    remark(here),
    el("ol", { class: "option-rows" }, ...rows),
    el("div", { class: "row" }, plainButton(texts.band_add, add)),
  ];
  return group(here, texts.bands, children, "field stack");
}
