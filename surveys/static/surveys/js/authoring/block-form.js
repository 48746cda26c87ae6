/** The form of one part (block): whether it is disguised, how strongly, who is asked. */

import { button, el, fill } from "../dom.js";
import { isArmBlock } from "./arms.js";
import { percentText } from "./chances.js";
import { conditionPart } from "./condition-form.js";
import { asDrawn } from "./drawn-part.js";
import { addQuestion, setBlockKey, setProtected, withExclusive } from "./edits.js";
import { idOf, lineField, percentField, put, radioField, selectField, tickField, wordsField } from "./fields.js";
import { isScaleBlock } from "./scale.js";
import { getAt, pathText } from "./paths.js";
import { nearLine } from "./kept-lines.js";
import { factors } from "./near-part.js";
import { demandedRefusal } from "./protection.js";
import { perPersonPart } from "./rotation-form.js";
import { answersFor, CEILINGS, strengthOf, sureAt, truthFor } from "./strength.js";
import { textIn } from "./wording.js";

/** So far off may a share be: percentages within 5 points. */
const OFF = 0.05;

/** @param {import("./app.js").App} app @param {number} place */
export function blockForm(app, place) {
  const { texts } = app;
  const block = app.document.blocks[place];
  const path = ["blocks", place];
  const here = pathText(path);
  const scale = isScaleBlock(block);
  if (isArmBlock(block)) {
    return [wordsField(app, { path: [...path, "title"], label: texts.block_title }), el("p", { class: "hint" }, texts.arm_about)];
  }
  return [
    wordsField(app, { path: [...path, "title"], label: texts.block_title }),
    scale ? el("p", { class: "hint" }, texts.scale_block) : radioField({
      field: `${here}.protected`,
      legend: texts.block_way,
      value: block.protected === true,
      choices: [
        { value: true, text: texts.block_protected, about: texts.block_protected_about },
        { value: false, text: texts.block_open, about: texts.block_open_about },
      ],
      onChoose: (value) => app.edit(setProtected(app.document, place, value), { redraw: true }),
    }),
    ...(block.protected && !scale ? [perPersonPart(app, place), strengthPart(app, place), nearLine(texts, path, block), skipPart(app, path, block), chancesPart(app, path, block)] : []),
    scale && scaleSkipPart(app, path, block),
    conditionPart(app, place),
    !scale && questionsPart(app, place, block),
    // Changed answers make rows that nobody has: they go with no answers that exclude each other.
    block.protected && !scale && (block.radius === undefined || block.exclusive) && exclusivePart(app, path, block),
    wordsField(app, { path: [...path, "help"], label: texts.block_help, optional: true, lines: 2 }),
    el(
      "details",
      {},
      el("summary", {}, texts.names_in_data),
      el(
        "div",
        { class: "details-body" },
        lineField({
          field: `${here}.key`,
          label: texts.key,
          hint: texts.key_hint,
          value: block.key ?? "",
          attributes: { maxlength: 64 },
          onWrite: (value, tag) => app.edit(setBlockKey(app.document, place, value), { tag }),
        }),
      ),
    ),
  ].filter(Boolean);
}

/** Ticks for the yes/no questions of which at most one can be true: one set of them, as people think of it. */
function exclusivePart(app, path, block) {
  const { texts } = app;
  const asked = (block.questions ?? []).filter(({ kind }) => kind === "yes_no");
  if (asked.length < 2) {
    return null;
  }
  const field = `${pathText(path)}.exclusive`;
  const chosen = block.exclusive?.[0] ?? [];
  const choose = (key, isChosen) =>
    put(app, [...path, "exclusive"], withExclusive(getAt(app.document, path), key, isChosen));
  return el(
    "fieldset",
    { class: "field", id: idOf(field), "data-field": field, tabindex: "-1" },
    el("legend", { class: "label" }, texts.exclusive),
    el("p", { class: "hint" }, texts.exclusive_hint),
    ...asked.map(({ key, text }) =>
      tickField({
        field: `${field}.${key}`,
        label: textIn(text, app.speaking) || key,
        checked: chosen.includes(key),
        onTick: (isChosen) => choose(key, isChosen),
      }),
    ),
  );
}

/** Of all respondents so many answer each question of a part. */
const shareAsked = (block) => (asDrawn(block).questions_per_person ?? block.questions.length) / block.questions.length;

/** How well the part protects: purposes, of which each is a truth probability. */
function strengthPart(app, place) {
  const { texts } = app;
  const path = ["blocks", place];
  const block = getAt(app.document, path);
  const strength = strengthOf(block);
  const truths = Object.keys(CEILINGS).map((value) => ({ value, truth: truthFor(block, value) }));
  // A lighter one that comes to the same chance is no choice: all of a long part is what tells.
  const different = truths.filter(({ truth }, place) => truth === null || truths.findIndex((each) => each.truth === truth) === place);
  const choices = different.map(({ value, truth }) => {
    const [kept] = truth ? factors(asDrawn({ ...block, truth_probability: truth }), 1) : [];
    const answers = kept > 0 && fill(texts.strength_answers, { n: answersFor(10_000 * kept, OFF, shareAsked(block)).toLocaleString(document.documentElement.lang) });
    const about = [fill(texts.strength_sure, sureAt(value)), answers].filter(Boolean).join(" ");
    return { value, text: texts[`strength_${value}`], about };
  });
  const own = { value: null, text: fill(texts.strength_own, { share: percentText(block.truth_probability) }) };
  const ways = radioField({
    field: `${pathText(path)}.strength`,
    legend: texts.strength,
    value: strength,
    choices: strength === null ? [...choices, own] : choices,
    onChoose: (value) => {
      const truth = value && truthFor(getAt(app.document, path), value);
      if (truth) {
        app.edit(app.set([...path, "truth_probability"], truth), { redraw: true });
      }
    },
  });
  return el("div", { class: "field" }, ways, block.questions.length > 1 && el("p", { class: "hint" }, texts.strength_fewer));
}

/** The chances themselves, for experts. */
function chancesPart(app, path, block) {
  return el(
    "details",
    { class: "chances for-experts" },
    el("summary", {}, app.texts.experts),
    el("div", { class: "details-body stack" }, truthPart(app, path, block), lightPart(app, path, block), skipSharePart(app, path, block), el("p", { class: "hint" }, app.texts.design_other)),
  );
}

function truthPart(app, path, block) {
  const { texts } = app;
  const field = `${pathText(path)}.truth_probability`;
  const write = (share, tag) => put(app, [...path, "truth_probability"], share, { tag });
  const slider = el("input", {
    type: "range",
    min: 100,
    max: 9900,
    step: 100,
    value: block.truth_probability,
    "aria-label": texts.truth,
    id: `${idOf(field)}-slider`,
    autocomplete: "off",
  });
  const exact = percentField(app, {
    field,
    label: texts.truth,
    hint: texts.truth_hint,
    share: block.truth_probability,
    least: 1,
    most: 9999,
    onShare: (share, tag) => {
      slider.value = String(share);
      write(share, tag);
    },
  });
  const typed = exact.querySelector("input");
  app.whenRefreshed(() => {
    const share = getAt(app.document, [...path, "truth_probability"]);
    if (document.activeElement !== typed) {
      typed.value = percentText(share);
      slider.value = String(share);
    }
  });
  slider.addEventListener("input", () => {
    typed.value = percentText(Number(slider.value));
    write(Number(slider.value), slider.id);
  });
  exact.querySelector("label").after(
    el(
      "div",
      { class: "slide" },
      el("span", { class: "hint", "aria-hidden": "true" }, texts.more_protection),
      slider,
      el("span", { class: "hint", "aria-hidden": "true" }, texts.more_precision),
    ),
  );
  return exact;
}

/** The truth probability of whoever is disguised lightly; the server proposes one where none is stated. */
function lightPart(app, path, block) {
  const { texts } = app;
  if (app.document.group?.light !== true) {
    return null;
  }
  const here = pathText(path);
  const isOwn = typeof block.light === "number";
  return el(
    "div",
    { class: "field stack" },
    percentField(app, {
      field: `${here}.light`,
      label: texts.light_truth,
      hint: texts.light_truth_hint,
      share: block.light ?? app.budget.light_truths?.[here],
      least: 1,
      most: 9999,
      onShare: (share, tag) => put(app, [...path, "light"], share, { tag }),
    }),
    isOwn &&
      button(texts.light_take, () => app.edit(app.set([...path, "light"], undefined), { redraw: true }), "link-button"),
  );
}

function skipPart(app, path, block) {
  const { texts } = app;
  const field = `${pathText(path)}.refusal`;
  const proposed = demandedRefusal(block);
  const isOffered = typeof block.refusal === "number";
  if (block.radius !== undefined && !isOffered) {
    return el("p", { class: "hint" }, texts.near_no_skip);
  }
  const offer = (offered) =>
    app.edit(app.set([...path, "refusal"], offered ? proposed : null), { redraw: true });
  return tickField({ field: `${field}.offer`, label: texts.skip_offer, checked: isOffered, hint: texts.skip_hint, onTick: offer });
}

function skipSharePart(app, path, block) {
  const { texts } = app;
  if (typeof block.refusal !== "number") {
    return null;
  }
  const proposed = demandedRefusal(block);
  const take = () => app.edit(app.set([...path, "refusal"], proposed), { redraw: true });
  return el(
    "div",
    { class: "field stack" },
    percentField(app, {
      field: `${pathText(path)}.refusal`,
      label: texts.skip_share,
      share: block.refusal,
      least: 1,
      most: 9999,
      hint: fill(texts.skip_share_hint, { share: percentText(proposed) }),
      onShare: (share, tag) => put(app, [...path, "refusal"], share, { tag }),
    }),
    // A hundredth of a percent is nothing to choose.
    Math.abs(block.refusal - proposed) > 1 &&
      button(fill(texts.skip_take, { share: percentText(proposed) }), take, "link-button"),
  );
}

/** Of a number or a place: the server takes the least chance that hides a skip. */
function scaleSkipPart(app, path, block) {
  const { texts } = app;
  return tickField({
    field: `${pathText(path)}.refusal`,
    label: texts.skip_offer,
    checked: Boolean(block.refusal),
    hint: texts.skip_hint,
    onTick: (offered) => app.edit(app.set([...path, "refusal"], offered ? true : null), { redraw: true }),
  });
}

function questionsPart(app, place, block) {
  const { texts } = app;
  const add = (kind) => app.open(addQuestion(app.document, place, kind), { focus: "first" });
  return el(
    "div",
    { class: "field", id: idOf(`blocks[${place}].questions`), "data-field": `blocks[${place}].questions`, tabindex: "-1" },
    el("p", { class: "label" }, fill(texts.block_questions, { count: block.questions.length })),
    el("p", { class: "remark", hidden: true, "data-remark": `blocks[${place}].questions` }),
    el(
      "div",
      { class: "row" },
      ...["yes_no", "single", "multi", "ranking"].map((kind) => button(texts[`add_${kind}`], () => add(kind), "button button--plain")),
    ),
    el("p", { class: "hint" }, texts.no_free_text),
  );
}
