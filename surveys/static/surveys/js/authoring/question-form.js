/** The form of one question: its phone, kind and probabilities. */

import { el, fill } from "../dom.js";
import { armForm } from "./arm-form.js";
import { isComposite } from "./composites.js";
import { shownKind, withKind } from "./edits.js";
import { hint, pair, radioField } from "./fields.js";
import { namesInData } from "./key-fields.js";
import { chosenKinds, kindOf } from "./kinds.js";
import { onList, pastedLines, stemLook } from "./list-form.js";
import { stemPlace } from "./lists.js";
import { scaleForm } from "./scale-form.js";
import { oneAnswerForm } from "./one-answer-form.js";
import { optionShares, optionsInPlace, pastedOptions, probabilityFields, shareRemarks } from "./options-form.js";
import { getAt, pathText } from "./paths.js";
import { fixedChoices, mayLeave, questionOnPhone, questionTexts } from "./phone.js";

const FORMS = { scale: scaleForm, arm: armForm };

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function questionForm(app, path) {
  const { texts } = app;
  const question = getAt(app.document, path);
  const { form, looks, hasOptions } = kindOf(question);
  if (isComposite(question)) {
    return oneAnswerForm(app, path);
  }
  if (form) {
    return FORMS[form](app, path);
  }
  const isProtected = app.document.blocks[path[1]].protected === true;
  const choose = (kind) => {
    const { document: next, at } = withKind(app.document, path, kind);
    app.edit(next, { redraw: true, select: pathText(at) });
  };
  const radios = (name, choices, how) => radioField(app, [...path, name], name, choices, { inline: true, ...how });
  const isLine = stemPlace(app.document, question) >= 0;
  const answers = hasOptions ? optionsInPlace(app, path) : fixedChoices(app, "yes", "no");
  const screen = questionOnPhone(app, path, isLine ? [onList(app, path, answers)] : [...questionTexts(app, path), !isProtected && mayLeave(app), answers]);
  const fields = [
    radios("kind", chosenKinds().map((kind) => [kind, `kind_${kind}`]), { onChoose: choose, value: shownKind(app.document, question) }),
  ];
  const settings = [
    hasOptions && pastedOptions(app, path),
    isLine && pastedLines(app, path),
    isLine && stemLook(app, path),
    looks && !isLine && radios("look", looks),
    isProtected && radios("known", [[true, "known_yes"], [false, "known_no"]]),
    isProtected && (hasOptions ? optionShares(app, path) : yesPart(app, path)),
    question.wordings && hint(fill(texts.kept_wordings, { key: question.wordings.question })),
    namesInData(app, path, question),
  ];
  return { phone: screen, fields, settings };
}

function yesPart(app, path) {
  const legend = el("legend", { class: "label" }, app.texts.probabilities);
  const fields = pair(...probabilityFields(app, path, 0, "decoy_yes", "expected_yes"));
  return el("fieldset", { class: "field for-experts" }, legend, fields, ...shareRemarks(path));
}
