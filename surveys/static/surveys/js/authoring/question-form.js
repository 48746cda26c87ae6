/** The form of one question: texts, kind, options, probabilities. */

import { button, el, fill } from "../dom.js";
import { armForm } from "./arm-form.js";
import { isComposite } from "./composites.js";
import { percentText, total, WHOLE } from "./probabilities.js";
import { isOff, shownKind, withKind } from "./edits.js";
import {
  folded, group, hint, iconButton, idOf, labelled, pair, percentField, plainButton, questionText, radioField, remark,
  wordsField,
} from "./fields.js";
import { namesInData } from "./key-fields.js";
import { chosenKinds, kindOf } from "./kinds.js";
import { lineTools, stemPart } from "./list-form.js";
import { stemPlace } from "./lists.js";
import { scaleForm } from "./scale-form.js";
import { oneAnswerForm } from "./one-answer-form.js";
import { getAt, pathText } from "./paths.js";
import { addOption, mended, moveOption, pasteOptions, removeOption } from "./protection.js";

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
  const fields = [
    isLine && stemPart(app, path),
    questionText(app, path, isLine ? "line_text" : "question_text"),
    isLine && lineTools(app, path),
    radios("kind", chosenKinds().map((kind) => [kind, `kind_${kind}`]), { onChoose: choose, value: shownKind(app.document, question) }),
    hasOptions && optionsPart(app, path, isProtected),
  ];
  const settings = [
    hasOptions && pastedOptions(app, path),
    wordsField(app, [...path, "help"], isLine ? "line_help" : "question_help", { optional: true }),
    looks && !isLine && radios("look", looks),
    isProtected && radios("known", [[true, "known_yes"], [false, "known_no"]]),
    !hasOptions && isProtected && yesPart(app, path),
    question.wordings && hint(fill(texts.kept_wordings, { key: question.wordings.question })),
    namesInData(app, path, question),
  ];
  return { fields, settings };
}

/** The two probabilities of one item. @param {string} decoy the key of its label @param {string} expected likewise */
function probabilityFields(app, path, place, decoy, expected) {
  const field = (name, label, limits) =>
    percentField(app, [...path, name, place], label, {
      ...limits,
      onShare: (share, tag) => {
        const shares = [...(getAt(app.document, [...path, name]) ?? [])];
        shares[place] = share;
        app.write([...path, name], shares, { tag });
        app.refresh();
      },
    });
  return [field("unrelated", decoy, { least: 1, most: WHOLE - 1 }), field("prevalence", expected)];
}

function yesPart(app, path) {
  const legend = el("legend", { class: "label" }, app.texts.probabilities);
  const fields = pair(...probabilityFields(app, path, 0, "decoy_yes", "expected_yes"));
  return el("fieldset", { class: "field for-experts" }, legend, fields, ...remarks(path));
}

const remarks = (path) => ["unrelated", "prevalence"].map((name) => remark([...path, name]));

/** @param {boolean} isProtected whether the options have probabilities */
export function optionsPart(app, path, isProtected) {
  const { texts } = app;
  const here = [...path, "options"];
  const question = getAt(app.document, path);
  const list = question.options ?? [];
  const rows = list.map((_, place) => optionRow(app, path, place, { count: list.length, hasProbabilities: isProtected }));
  const add = () => {
    app.edit(addOption(app.document, path), { redraw: true });
    document.getElementById(idOf([...here, list.length, "text", app.languages[0]]))?.focus();
  };
  const children = [
    isProtected && el("p", { class: "hint for-experts" }, texts.options_probabilities_hint),
    el("ol", { class: "option-rows" }, ...rows),
    remark(here),
    ...(isProtected ? remarks(path) : []),
    isProtected && kindOf(question).shares.sum && sums(app, path),
    el("div", { class: "row" }, plainButton(texts.option_add, add)),
  ];
  return group(here, texts.options, children, "field stack");
}

/** A pasted list, one option per line. */
export function pastedOptions(app, path) {
  const { texts } = app;
  const here = [...path, "options"];
  const id = `${idOf(here)}-paste`;
  const area = el("textarea", { id, rows: 5, maxlength: 100_000, autocomplete: "off", "aria-describedby": `${id}-hint` });
  const use = () => {
    const { document: next, added } = pasteOptions(app.document, path, area.value, app.languages);
    const said = fill(texts.options_pasted, { count: added });
    if (added) {
      app.edit(next, { redraw: true, undoable: said });
      document.getElementById(idOf(here))?.focus();
    } else {
      app.announce(said);
      area.focus();
    }
  };
  return folded(
    texts.options_paste,
    labelled(id, texts.options_paste_label, el("p", { class: "hint", id: `${id}-hint` }, texts.options_paste_hint), area),
    el("div", { class: "row" }, plainButton(texts.options_paste_use, use)),
  );
}

function optionRow(app, path, place, { count, hasProbabilities }) {
  const { texts } = app;
  const here = [...path, "options", place];
  const name = fill(texts.option_number, { number: place + 1 });
  const id = idOf(here);
  const shift = (by) => {
    app.edit(moveOption(app.document, path, place, place + by), { redraw: true });
    app.announce(fill(texts.moved, { name, place: place + by + 1, total: count }));
    const moved = idOf([...path, "options", place + by]);
    const wanted = document.getElementById(`${moved}-${by < 0 ? "up" : "down"}`);
    (wanted?.disabled ? document.getElementById(`${moved}-${by < 0 ? "down" : "up"}`) : wanted)?.focus();
  };
  const drop = () => {
    app.edit(removeOption(app.document, path, place), { redraw: true, undoable: fill(texts.option_removed, { name }) });
    document.getElementById(idOf([...path, "options"]))?.focus();
  };
  const probabilities = () => probabilityFields(app, path, place, "decoy_short", "expected_short");
  return el(
    "li",
    { class: "option-row" },
    wordsField(app, [...here, "text"], { said: name }),
    hasProbabilities && el("div", { class: "option-probabilities for-experts" }, ...probabilities()),
    el(
      "div",
      { class: "row row--tools" },
      iconButton("↑", fill(texts.move_up, { name }), () => shift(-1), { id: `${id}-up`, disabled: place === 0 }),
      iconButton("↓", fill(texts.move_down, { name }), () => shift(1), { id: `${id}-down`, disabled: place === count - 1 }),
      iconButton("×", fill(texts.remove, { name }), drop, { id: `${id}-drop` }),
    ),
  );
}

/** The sums of shares that must be 100%, with a button to fix a wrong sum. */
function sums(app, path) {
  const { texts } = app;
  const line = (name, label) => {
    const words = el("span", { class: "sum-words" });
    const fit = () => app.edit(mended(app.document, path, name), { redraw: true });
    const remedy = button(texts.sum_fit, fit, "link-button");
    const part = el("div", { class: "sum", role: "status" }, words, remedy);
    const show = () => {
      const question = getAt(app.document, path);
      const off = isOff(question, name);
      const sum = percentText(total(question[name] ?? []));
      part.classList.toggle("sum--off", off);
      remedy.hidden = !off;
      words.textContent = fill(off ? texts.sum_off : texts.sum_right, { label, sum });
    };
    show();
    app.whenRefreshed(show);
    return part;
  };
  return el("div", { class: "sums for-experts" }, line("unrelated", texts.decoy_short), line("prevalence", texts.expected_short));
}
