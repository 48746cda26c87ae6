/** The form of one question: words, kind, options, chances. */

import { button, el, fill } from "../dom.js";
import { armForm } from "./arm-form.js";
import { isArm } from "./arms.js";
import { percentText, total, WHOLE } from "./chances.js";
import { isOff, setKind } from "./edits.js";
import { iconButton, idOf, percentField, questionText, radioField, wordsField } from "./fields.js";
import { namesInData } from "./key-fields.js";
import { quotasForm } from "./quotas-form.js";
import { isScale } from "./scale.js";
import { scaleForm } from "./scale-form.js";
import { getAt, pathText } from "./paths.js";
import { isRanking } from "./ranking.js";
import { addOption, levelled, mended, moveOption, pasteOptions, removeOption } from "./protection.js";

const KINDS = ["yes_no", "single", "multi", "ranking"];

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function questionForm(app, path) {
  const { texts } = app;
  const question = getAt(app.document, path);
  if (isScale(question)) {
    return scaleForm(app, path);
  }
  if (isArm(question)) {
    return armForm(app, path);
  }
  const here = pathText(path);
  const isProtected = app.document.blocks[path[1]].protected === true;
  return [
    questionText(app, path),
    wordsField(app, { path: [...path, "help"], label: texts.question_help, optional: true }),
    radioField({
      field: `${here}.kind`,
      legend: texts.kind,
      inline: true,
      value: question.kind,
      choices: KINDS.map((value) => ({ value, text: texts[`kind_${value}`] })),
      onChoose: (kind) => app.edit(setKind(app.document, path, kind), { redraw: true }),
    }),
    ["yes_no", "single"].includes(question.kind) &&
      radioField({
        field: `${here}.look`,
        legend: texts.look,
        inline: true,
        value: question.look ?? "",
        choices: [
          { value: "", text: texts.look_list },
          question.kind === "single" && { value: "rating", text: texts.look_rating, about: texts.look_rating_about },
          { value: "matrix", text: texts.look_matrix, about: texts.look_matrix_about },
        ].filter(Boolean),
        onChoose: (look) => app.edit(app.set([...path, "look"], look || undefined)),
      }),
    isProtected &&
      radioField({
        field: `${here}.known`,
        legend: texts.known,
        inline: true,
        value: question.known,
        choices: [
          { value: true, text: texts.known_yes, about: texts.known_yes_about },
          { value: false, text: texts.known_no },
        ],
        onChoose: (known) => app.edit(app.set([...path, "known"], known)),
      }),
    question.kind === "yes_no" ? isProtected && yesPart(app, path) : optionsPart(app, path, isProtected),
    question.wordings && el("p", { class: "hint" }, fill(texts.kept_wordings, { key: question.wordings.question })),
    quotasForm(app, path),
    namesInData(app, path, question),
  ].filter(Boolean);
}

/** The two chances of one item. */
function chanceFields(app, path, place, { decoy, expected, quietly = false }) {
  const question = getAt(app.document, path);
  const field = (name, label, hint, limits) =>
    percentField(app, {
      field: `${pathText(path)}.${name}[${place}]`,
      label,
      hint,
      quietly,
      share: question[name]?.[place],
      ...limits,
      onShare: (share, tag) => {
        const shares = [...(getAt(app.document, [...path, name]) ?? [])];
        shares[place] = share;
        app.edit(app.set([...path, name], shares), { tag });
        app.refresh();
      },
    });
  return [
    field("unrelated", decoy.label, decoy.hint, { least: 1, most: WHOLE - 1 }),
    field("prevalence", expected.label, expected.hint),
  ];
}

function yesPart(app, path) {
  const { texts } = app;
  return el(
    "fieldset",
    { class: "field for-experts" },
    el("legend", { class: "label" }, texts.chances),
    el(
      "div",
      { class: "pair" },
      ...chanceFields(app, path, 0, {
        decoy: { label: texts.decoy_yes, hint: texts.decoy_yes_hint },
        expected: { label: texts.expected_yes, hint: texts.expected_hint },
      }),
    ),
    remarks(path, ["unrelated", "prevalence"]),
  );
}

const remarks = (path, names) =>
  el("div", {}, ...names.map((name) => el("p", { class: "remark", hidden: true, "data-remark": `${pathText(path)}.${name}` })));

function optionsPart(app, path, isProtected) {
  const { texts } = app;
  const question = getAt(app.document, path);
  const list = question.options ?? [];
  const ranks = isRanking(question);
  const rows = list.map((option, place) => optionRow(app, path, place, { count: list.length, hasChances: isProtected && !ranks }));
  const add = () => {
    app.edit(addOption(app.document, path), { redraw: true });
    document.getElementById(idOf(`${pathText(path)}.options[${list.length}].text.${app.languages[0]}`))?.focus();
  };
  return el(
    "fieldset",
    { class: "field stack", id: idOf(`${pathText(path)}.options`), "data-field": `${pathText(path)}.options`, tabindex: "-1" },
    el("legend", { class: "label" }, ranks ? texts.things : texts.options),
    ranks ? el("p", { class: "hint" }, texts.things_hint) : isProtected && el("p", { class: "hint for-experts" }, texts.options_chances_hint),
    el("ol", { class: "option-rows" }, ...rows),
    el("p", { class: "remark", hidden: true, "data-remark": `${pathText(path)}.options` }),
    isProtected && remarks(path, ["unrelated", "prevalence"]),
    isProtected && question.kind === "single" && sums(app, path),
    el("div", { class: "row" }, button(texts.option_add, add, "button button--plain")),
    pastedOptions(app, path),
  );
}

/** A list from elsewhere, one option a line. */
function pastedOptions(app, path) {
  const { texts } = app;
  const id = `${idOf(`${pathText(path)}.options`)}-paste`;
  const area = el("textarea", { id, rows: 5, maxlength: 100_000, autocomplete: "off", "aria-describedby": `${id}-hint` });
  const use = () => {
    const { document: next, added } = pasteOptions(app.document, path, area.value, app.languages);
    const said = fill(texts.options_pasted, { count: added });
    if (added) {
      app.edit(next, { redraw: true, undoable: said });
      document.getElementById(idOf(`${pathText(path)}.options`))?.focus();
    } else {
      app.announce(said);
      area.focus();
    }
  };
  return el(
    "details",
    {},
    el("summary", {}, texts.options_paste),
    el(
      "div",
      { class: "details-body stack" },
      el(
        "div",
        { class: "field" },
        el("label", { for: id }, texts.options_paste_label),
        el("p", { class: "hint", id: `${id}-hint` }, texts.options_paste_hint),
        area,
      ),
      el("div", { class: "row" }, button(texts.options_paste_use, use, "button button--plain")),
    ),
  );
}

function optionRow(app, path, place, { count, hasChances }) {
  const { texts } = app;
  const name = fill(texts.option_number, { number: place + 1 });
  const id = idOf(`${pathText(path)}.options[${place}]`);
  const shift = (by) => {
    app.edit(moveOption(app.document, path, place, place + by), { redraw: true });
    app.announce(fill(texts.moved, { name, place: place + by + 1, total: count }));
    const moved = idOf(`${pathText(path)}.options[${place + by}]`);
    const wanted = document.getElementById(`${moved}-${by < 0 ? "up" : "down"}`);
    (wanted?.disabled ? document.getElementById(`${moved}-${by < 0 ? "down" : "up"}`) : wanted)?.focus();
  };
  const drop = () => {
    app.edit(removeOption(app.document, path, place), { redraw: true, undoable: fill(texts.option_removed, { name }) });
    document.getElementById(idOf(`${pathText(path)}.options`))?.focus();
  };
  return el(
    "li",
    { class: "option-row" },
    wordsField(app, { path: [...path, "options", place, "text"], label: name }),
    hasChances &&
      el(
        "div",
        { class: "option-chances for-experts" },
        ...chanceFields(app, path, place, {
          decoy: { label: texts.decoy_short },
          expected: { label: texts.expected_short },
        }),
      ),
    el(
      "div",
      { class: "row row--tools" },
      iconButton("↑", fill(texts.move_up, { name }), () => shift(-1), { id: `${id}-up`, disabled: place === 0 }),
      iconButton("↓", fill(texts.move_down, { name }), () => shift(1), { id: `${id}-down`, disabled: place === count - 1 }),
      iconButton("×", fill(texts.remove, { name }), drop, { id: `${id}-drop` }),
    ),
  );
}

/** What shares that have to sum to the whole do sum to, with a remedy where they do not. */
function sums(app, path) {
  const { texts } = app;
  const line = (name, label) => {
    const words = el("span", { class: "sum-words" });
    const act = (change) => () => app.edit(change(app.document, path, name), { redraw: true });
    const remedies = el(
      "span",
      { class: "row" },
      button(texts.sum_fit, act(mended), "link-button"),
      button(texts.sum_level, act(levelled), "link-button"),
    );
    const part = el("div", { class: "sum", role: "status" }, words, remedies);
    const show = () => {
      const question = getAt(app.document, path);
      const off = isOff(question, name);
      const sum = percentText(total(question[name] ?? []));
      part.classList.toggle("sum--off", off);
      remedies.hidden = !off;
      words.textContent = fill(off ? texts.sum_off : texts.sum_right, { label, sum });
    };
    show();
    app.whenRefreshed(show);
    return part;
  };
  return el("div", { class: "sums for-experts" }, line("unrelated", texts.decoy_short), line("prevalence", texts.expected_short));
}
