/** The form of one component of a composite question: its words, how it is answered, and when it is asked. */

import { el, fill } from "../dom.js";
import { conditionFields } from "./condition-form.js";
import { conditionsFor } from "./edits.js";
import { folded, four, group, hint, iconButton, lineField, numberField, pair, plainButton, radioField, remark, selectField, wordsField } from "./fields.js";
import { isMadeUp } from "./keys.js";
import { COMPONENT_KINDS, decidersOf, setComponentKey, setComponentKind, setComponentOptionKey, setInstructed } from "./one-answer.js";
import { getAt } from "./paths.js";
import { optionsInPlace, pastedOptions } from "./options-form.js";
import { fixedChoices, inPlace, questionOnPhone } from "./phone.js";
import { sharedPart } from "./together-form.js";
import { textIn } from "./wording.js";

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path of the component */
export function componentForm(app, path) {
  const { texts } = app;
  const component = getAt(app.document, path);
  const choose = (kind) => app.edit(setComponentKind(app.document, path, kind), { redraw: true });
  const kinds = COMPONENT_KINDS.map((kind) => [kind, `kind_${kind}`]);
  const answers = component.options ? optionsInPlace(app, path) : component.kind === "yes_no" && fixedChoices(app, "yes", "no");
  const fields = [
    hint(texts.component_about),
    radioField(app, [...path, "kind"], "kind", kinds, { inline: true, onChoose: choose }),
    component.kind === "number" && numberPart(app, path, component),
    ...conditionPart(app, path),
    remark(path),
  ];
  const settings = [
    component.options && pastedOptions(app, path),
    sharedPart(app, path),
    instructedPart(app, path, component),
    namesPart(app, path, component),
  ];
  const typed = [
    inPlace(app, [...path, "text"], "question_text", { look: "title" }),
    inPlace(app, [...path, "help"], "question_help", { look: "help", optional: true }),
  ];
  return { phone: questionOnPhone(app, path, [...typed, answers]), fields, settings };
}

function conditionPart(app, path) {
  const answers = ({ kind, options = [] }) =>
    kind === "yes_no" ? [["yes", app.texts.yes], ["no", app.texts.no]] : options.map((option) => [option.key, textIn(option.text, app.speaking) || option.key]);
  const possible = (member, questions) => questions.map((one) => ({ member, key: one.key, text: textIn(one.text, app.speaking) || one.key, options: answers(one) }));
  const deciders = decidersOf(app.document, path);
  const fields = conditionFields(app, [...path, "asked_if"], [...possible("component", deciders), ...possible("question", conditionsFor(app.document, path[1]))], "component_condition");
  const isFollower = JSON.stringify(getAt(app.document, path).asked_if ?? "").includes('"component"');
  return [fields ?? hint(app.texts.component_condition_none), isFollower && hint(app.texts.component_condition_time)];
}

/** Which answer a component demands, if it only checks that people read. */
function instructedPart(app, path, component) {
  const { texts } = app;
  if (component.kind !== "yes_no" && component.kind !== "single") {
    return null;
  }
  const answers = component.kind === "yes_no" ? [["no", texts.no], ["yes", texts.yes]] : component.options.map(({ key, text }) => [key, textIn(text, app.speaking) || key]);
  return selectField(app, [...path, "instructed"], "instructed", [["", texts.instructed_none], ...answers], {
    value: component.instructed ?? "",
    onChoose: (key) => app.edit(setInstructed(app.document, path, key || null), { redraw: true }),
  });
}

/** The range of a number, and the bands that have points. */
function numberPart(app, path, { bands = [] }) {
  const { texts } = app;
  const here = [...path, "bands"];
  // Read anew at each press, because typing does not draw the form again.
  const now = () => getAt(app.document, here) ?? [];
  const rows = bands.map((_, place) => {
    const name = fill(texts.band_number, { number: place + 1 });
    const drop = () => app.edit(app.set(here, now().length > 1 ? now().toSpliced(place, 1) : undefined), { redraw: true });
    return el(
      "li",
      { class: "option-row option-row--band" },
      four(...["from", "to", "points"].map((member) => numberField(app, [...here, place, member], member === "points" ? "points" : `band_${member}`))),
      iconButton("×", fill(texts.remove, { name }), drop),
      remark([...here, place]),
    );
  });
  const add = () => {
    const list = now();
    const { low, high } = getAt(app.document, [...path, "number"]);
    const from = Number.isInteger(list.at(-1)?.to) ? list.at(-1).to + 1 : low;
    app.edit(app.set(here, [...list, { from, to: high, points: list.length + 1 }]), { redraw: true });
  };
  return el(
    "div",
    { class: "stack" },
    pair(...["low", "high"].map((name) => numberField(app, [...path, "number", name], `number_${name}`))),
    wordsField(app, [...path, "number", "unit"], "number_unit", { optional: true }),
    group(here, texts.point_bands, [hint(texts.point_bands_hint), el("ol", { class: "option-rows" }, ...rows), remark(here), el("div", { class: "row" }, plainButton(texts.band_add, add))], "field stack"),
    remark([...path, "number"]),
  );
}

function namesPart(app, path, { key, options = [] }) {
  const { texts } = app;
  const field = (place, label, change) => lineField(app, place, label, { attributes: { maxlength: 64 }, onWrite: (text, tag) => app.edit(change(text), { tag }) });
  const optionField = ({ text: words }, place) =>
    field([...path, "options", place, "key"], { said: fill(texts.option_key, { name: textIn(words, app.speaking) || place + 1 }) }, (text) => setComponentOptionKey(app.document, path, place, text));
  const form = folded(texts.names_in_data, field([...path, "key"], "key", (text) => setComponentKey(app.document, path, text)), ...options.map(optionField));
  form.toggleAttribute("data-open", isMadeUp(key));
  return form;
}
