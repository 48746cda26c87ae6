/** The form of a composite question: what it computes from its components, with three made-up people. */

import { button, el, fill } from "../dom.js";
import { folded, group, hint, plainButton, questionText, radioField, wordsField } from "./fields.js";
import { namesInData } from "./key-fields.js";
import { basePart, leastPart, levelsPart, sentPart } from "./levels-form.js";
import { madeUpTable } from "./made-up-people.js";
import { neutralPart } from "./neutral-part.js";
import { addComponent, COMPONENT_KINDS, countedIn, isLegible, MOST_COMPONENTS, ruleAt, setWay, wayOf } from "./one-answer.js";
import { getAt, parsePath, pathText } from "./paths.js";
import { inPlace, questionOnPhone } from "./phone.js";
import { pointsTable } from "./points-table.js";
import { togetherPart } from "./together-form.js";
import { gapsPart, stepsPart, usesPart } from "./rule-form.js";

/** Questions whose points are shown although they only count yes. */
const scored = new Set();

/** Share of slips, in points, above which the page proposes another rule, as MOST_SLIPS in checks/composites.py. */
const MOST_SLIPS = 3;

/** Press of the server that changes a part: shows the document that it returns. @returns {Promise<boolean>} */
export async function press(app, change, { said, complaint }) {
  const sent = app.document;
  const { status, body } = await app.post(app.urls.one_answer, { document: sent, change }).catch(() => ({}));
  if (status === 200 && app.document !== sent) {
    // Something was typed meanwhile, which the answer lacks.
    return press(app, change, { said, complaint });
  }
  if (status === 200) {
    if (change.way === "points") {
      scored.add(getAt(body.document, [...parsePath(body.select), "key"]));
    }
    app.edit(body.document, { redraw: true, select: body.select || undefined, undoable: said });
    const isNamed = !body.select || Object.values(getAt(app.document, [...parsePath(body.select), "text"]) ?? {}).some(Boolean);
    app.draw({ focus: isNamed ? "heading" : "first" });
    app.announce(said);
    return true;
  }
  complaint.textContent = body?.message ? [body.message, body.remedy].filter(Boolean).join(" ") : app.texts.away;
  complaint.hidden = false;
  return false;
}

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function oneAnswerForm(app, path) {
  const { texts } = app;
  const question = getAt(app.document, path);
  if (!isLegible(question.computed)) {
    // Its problems are listed above the form.
    return [hint(texts.composite_about), questionText(app, path, "answer_name"), namesInData(app, path, question)];
  }
  const derived = wayOf(question);
  const way = derived !== "points" && scored.has(question.key) ? "points" : derived;
  const hasPoints = way === "points";
  return [
    hint(texts.composite_about),
    // It comes first, because a new answer has no name yet.
    questionText(app, path, "answer_name"),
    questionOnPhone(app, path, question.computed.components.map((_, place) => asked(app, [...path, "computed", "components", place]))),
    radioField(app, [...path, "computed", "way"], "way", ["at_least", "how_many", "points"].map((each) => [each, `way_${each}`]), {
      value: way,
      onChoose: (chosen) => choose(app, path, chosen),
    }),
    way === "at_least" && leastPart(app, path),
    pointsTable(app, path, { hasPoints }),
    addPart(app, path),
    way === "how_many" && levelsPart(app, path, question),
    hasPoints && sentPart(app, path),
    basePart(app, path),
    gapsPart(app, path),
    hasPoints && usesPart(app, path),
    hasPoints && stepsPart(app, path),
    neutralPart(app, path),
    togetherPart(app, path),
    madeUpTable(app, path),
    ...cautions(app, path, way),
    wordsField(app, [...path, "computed", "source"], "cut_off_source", { optional: true }),
    backPart(app, path),
    namesInData(app, path, question),
  ];
}

/** A component as respondents read it. Its form has its answers, which differ in kind. */
function asked(app, path) {
  const { help } = getAt(app.document, path);
  const below = help && inPlace(app, [...path, "help"], "question_help", { look: "help", optional: true });
  return el("div", { class: "phone-line" }, inPlace(app, [...path, "text"], "question_text", { look: "line" }), below);
}

function choose(app, path, way) {
  const { texts, languages } = app;
  const { key } = getAt(app.document, path);
  if (way === "points") {
    scored.add(key);
    app.draw({});
    return;
  }
  scored.delete(key);
  const name = (tag, place) => (place < 2 ? String(place) : tag === app.speaking ? texts.two_or_more : `${place}+`);
  const names = [0, 1, 2].map((place) => Object.fromEntries(languages.map((tag) => [tag, name(tag, place)])));
  const wasPoints = wayOf(getAt(app.document, path)) === "points";
  app.edit(setWay(app.document, path, way, { names }), { redraw: true, ...(wasPoints && { undoable: texts.way_changed }) });
}

/** Add a component of any kind. */
function addPart(app, path) {
  const { texts } = app;
  if (ruleAt(app.document, path).components.length >= MOST_COMPONENTS) {
    return hint(fill(texts.components_full, { most: MOST_COMPONENTS }));
  }
  const add = (kind) => app.open(addComponent(app.document, path, kind), { focus: "first" });
  const names = { yes_no: "add_yes_no", single: "add_single", several: "add_several", number: "add_number_component" };
  return el("div", { class: "row" }, ...COMPONENT_KINDS.map((kind) => plainButton(texts[names[kind]], () => add(kind))));
}

/** What this rule loses for good, what slips add, and what words of violence demand. */
function cautions(app, path, way) {
  const { texts } = app;
  const lines = el("div", { class: "stack" });
  const show = () => {
    const { slips, harm } = app.composites[pathText(path)] ?? {};
    const question = getAt(app.document, path);
    const least = question?.computed?.levels?.[1]?.from;
    const more = way === "at_least" && Number.isInteger(least) && least < countedIn(question.computed) ? least + 1 : null;
    const raise = () => app.edit(app.set([...path, "computed", "levels", 1, "from"], more), { redraw: true, undoable: fill(texts.slips_raised, { count: more }) });
    lines.replaceChildren(
      ...[
        typeof slips === "number" && el("p", { class: slips > MOST_SLIPS ? "note note--warn" : "soft" }, fill(texts.slips, { slips: slips.toFixed(1) })),
        typeof slips === "number" && slips > MOST_SLIPS && more && el("p", { class: "row" }, button(fill(texts.slips_raise, { count: more }), raise, "button button--plain button--small")),
        harm && el("p", { class: "note note--warn" }, fill(texts.harm, { words: harm })),
      ].filter(Boolean),
    );
  };
  app.whenRefreshed(show);
  show();
  const help = wordsField(app, [...path.slice(0, 2), "help"], "help_near", { optional: true, lines: 2 });
  return [group([...path, "computed", "lost"], texts.lost_title, [el("p", {}, texts.lost), lines], "field stack"), help];
}

/** The way back: each question sends its own answer again. */
function backPart(app, path) {
  const { texts } = app;
  const { key } = getAt(app.document, path);
  const complaint = el("p", { class: "error", role: "alert", hidden: true });
  const back = () => press(app, { each: key }, { said: texts.each_again_done, complaint });
  return folded(texts.each_again_title, hint(texts.each_again_hint), el("div", { class: "row" }, plainButton(texts.each_again, back)), complaint);
}
