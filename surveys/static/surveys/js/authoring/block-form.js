/** The form of one part (block): whether it is disguised, how strongly, and who is asked. */

import { button, el, fill } from "../dom.js";
import { isArmBlock } from "./arms.js";
import { percentText } from "./probabilities.js";
import { conditionPart } from "./condition-form.js";
import { asDrawn } from "./drawn-part.js";
import { addQuestion, setBlockKey, setProtected, withExclusive } from "./edits.js";
import {
  folded, group, hint, idOf, lineField, menu, percentField, plainButton, radioField, remark, tickField,
} from "./fields.js";
import { chosenKinds, kindOf } from "./kinds.js";
import { oneAnswerPart } from "./one-answer-part.js";
import { isNumberBlock, isScaleBlock } from "./scale.js";
import { getAt } from "./paths.js";
import { inPlace, phone, sentAs, surveyName } from "./phone.js";
import { perPersonPart } from "./rotation-form.js";
import { answersFor, bestRefusal, CEILINGS, strengthOf, withStrength } from "./strength.js";
import { textIn } from "./wording.js";

/** Allowed error of a share: 5 percentage points. */
const OFF = 0.05;
/** Limits of the probabilities of a coin. */
const SOME = { least: 1, most: 9999 };

/** @param {import("./app.js").App} app @param {number} place */
export function blockForm(app, place) {
  const { texts } = app;
  const block = app.document.blocks[place];
  const path = ["blocks", place];
  const title = inPlace(app, [...path, "title"], "block_title", { look: "title", optional: true });
  if (isArmBlock(block)) {
    return { phone: phone(app, surveyName(app), title), fields: [hint(texts.arm_about)], settings: [] };
  }
  const help = inPlace(app, [...path, "help"], "block_help", { optional: true });
  const isScale = isScaleBlock(block);
  const hasCoin = block.protected && !isScale;
  const protect = (value) => app.edit(setProtected(app.document, place, value), { redraw: true });
  const key = lineField(app, [...path, "key"], "key", {
    attributes: { maxlength: 64 },
    onWrite: (value, tag) => app.edit(setBlockKey(app.document, place, value), { tag }),
  });
  const fields = [
    isScale && hint(texts.scale_block),
    (!isScale || isNumberBlock(block)) &&
      radioField(app, [...path, "protected"], "block_way", waysOf(texts, block), {
        value: block.protected === true,
        onChoose: protect,
      }),
    hasCoin && strengthPart(app, place),
    !isScale && questionsPart(app, place, block),
  ];
  const settings = [
    block.protected && oneAnswerPart(app, place),
    hasCoin && perPersonPart(app, place),
    block.protected && skipPart(app, path, block, isScale),
    hasCoin && probabilitiesPart(app, path, block),
    conditionPart(app, place),
    hasCoin && exclusivePart(app, path, block),
    folded(texts.names_in_data, key),
  ];
  return { phone: phone(app, surveyName(app), sentAs(app, block), title, help), fields, settings };
}

/** The choice between protected and stored as answered; a number explains it differently, because it shares no coin. */
function waysOf(texts, block) {
  const number = { said: texts.block_protected, says: texts.block_protected_number };
  return [[true, isNumberBlock(block) ? number : "block_protected"], [false, "block_open"]];
}

/** Checkboxes for the yes/no questions of which at most one can be true. */
function exclusivePart(app, path, block) {
  const { texts } = app;
  const asked = (block.questions ?? []).filter((question) => !kindOf(question).hasOptions);
  if (asked.length < 2) {
    return null;
  }
  const here = [...path, "exclusive"];
  const chosen = block.exclusive?.[0] ?? [];
  const tick = ({ key, text }) =>
    tickField(app, [...here, key], { said: textIn(text, app.speaking) || key }, chosen.includes(key), (isChosen) =>
      app.write(here, withExclusive(getAt(app.document, path), key, isChosen)),
    );
  return group(here, texts.exclusive, [hint(texts.exclusive_hint), ...asked.map(tick)]);
}

/** The share of respondents who answer each question of a part. */
const shareAsked = (block) => (asDrawn(block).questions_per_person ?? block.questions.length) / block.questions.length;

/** How well the part protects: strengths, each with its truth probability. */
function strengthPart(app, place) {
  const { texts } = app;
  const path = ["blocks", place];
  const block = getAt(app.document, path);
  const strength = strengthOf(block);
  const truths = Object.keys(CEILINGS).map((value) => ({ value, truth: withStrength(block, value)?.truth_probability ?? null }));
  // Omit strengths with the same p as another: there the limit for the whole part decides.
  const different = truths.filter(({ truth }, number) => truth === null || truths.findIndex((each) => each.truth === truth) === number);
  const choices = different.map(({ value, truth }) => {
    const answers = truth && block.questions.length && answersFor(truth, OFF, shareAsked(block));
    return [value, { said: texts[`strength_${value}`], says: answers ? fill(texts.strength_answers, { n: answers }) : "" }];
  });
  const own = [null, { said: fill(texts.strength_own, { share: percentText(block.truth_probability) }) }];
  const ways = radioField(app, [...path, "strength"], "strength", strength === null ? [...choices, own] : choices, {
    value: strength,
    onChoose: (value) => {
      const next = value && withStrength(getAt(app.document, path), value);
      if (next) {
        app.write(path, next, { redraw: true });
      }
    },
  });
  return el("div", { class: "field" }, ways, block.questions.length > 1 && hint(texts.strength_fewer));
}

/** The probabilities themselves, for experts. */
function probabilitiesPart(app, path, block) {
  const { texts } = app;
  const parts = [truthPart(app, path), lightPart(app, path, block), skipSharePart(app, path, block)];
  const made = folded(texts.experts, ...parts, hint(texts.design_other));
  made.className = "probabilities for-experts";
  return made;
}

/** The probability p, which is shown again after each change: keeping a strength changes p when questions change. */
function truthPart(app, path) {
  const here = [...path, "truth_probability"];
  const exact = percentField(app, here, "truth", SOME);
  const typed = exact.querySelector("input");
  app.whenRefreshed(() => {
    if (document.activeElement !== typed) {
      typed.value = percentText(getAt(app.document, here));
    }
  });
  return exact;
}

/** The truth probability of the light strength; the server proposes one if none is stated. */
function lightPart(app, path, block) {
  const here = [...path, "light"];
  if (app.document.group?.light !== true) {
    return null;
  }
  const share = block.light ?? app.budget.light_truths?.[`blocks[${path[1]}]`];
  const take = () => app.write(here, undefined, { redraw: true });
  return el(
    "div",
    { class: "field stack" },
    percentField(app, here, "light_truth", { ...SOME, share }),
    typeof block.light === "number" && button(app.texts.light_take, take, "link-button"),
  );
}

/** Share of random skips while a part's probabilities are invalid, in ten-thousandths. */
const ANY_SKIP = 1_000;

/** The option to skip, hidden among random skips. For a number or a place, the server sets the smallest probability. */
function skipPart(app, path, block, isScale) {
  const here = [...path, "refusal"];
  const isOffered = Boolean(block.refusal);
  const probability = () => (isScale ? true : (bestRefusal(block) ?? ANY_SKIP));
  const offer = (isTicked) => {
    const { no_skip: _, ...rest } = getAt(app.document, path);
    app.write(path, { ...rest, refusal: isTicked ? probability() : null }, { redraw: true });
  };
  const tick = tickField(app, isScale ? here : [...here, "offer"], "skip", isOffered, offer);
  return el("div", { class: "stack" }, tick, !isOffered && lineField(app, [...path, "no_skip"], "no_skip"));
}

function skipSharePart(app, path, block) {
  const { texts } = app;
  if (typeof block.refusal !== "number") {
    return null;
  }
  const best = bestRefusal(block);
  const says = best ? fill(texts.skip_share_hint, { share: percentText(best) }) : "";
  return percentField(app, [...path, "refusal"], { said: texts.skip_share, says }, SOME);
}

function questionsPart(app, place, block) {
  const { texts } = app;
  const here = ["blocks", place, "questions"];
  const add = (kind) => app.open(addQuestion(app.document, place, kind), { focus: "first" });
  const kinds = chosenKinds().map((kind) => plainButton(texts[`add_${kind}`], () => add(kind)));
  const adds = [el("div", { class: "row" }, ...kinds), hint(texts.no_free_text)];
  return el(
    "div",
    { class: "field", id: idOf(here), "data-field": `blocks[${place}].questions`, tabindex: "-1" },
    el("p", { class: "label" }, fill(texts.block_questions, { count: block.questions.length })),
    remark(here),
    // A part without questions needs one next.
    ...(block.questions.length === 0 ? adds : [menu(app, "kinds", texts.add_question, ...adds)]),
  );
}
