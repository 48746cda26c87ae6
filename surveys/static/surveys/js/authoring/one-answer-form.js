/** The form of a composite question: what it computes from its components, with three made-up people. */

import { button, el, fill } from "../dom.js";
import { focusTool, folded, group, hint, iconButton, idOf, menu, plainButton, questionText, radioField, remark, wordsField } from "./fields.js";
import { namesInData } from "./key-fields.js";
import { basePart, leastPart, levelsPart, sentPart } from "./levels-form.js";
import { madeUpTable } from "./made-up-people.js";
import { neutralPart } from "./neutral-part.js";
import {
  addComponent, COMPONENT_KINDS, countedIn, isLegible, MOST_COMPONENTS, removeComponent, ruleAt, setWay, shiftComponent, wayOf,
} from "./one-answer.js";
import { getAt, parsePath, pathText } from "./paths.js";
import { inPlace, questionOnPhone } from "./phone.js";
import { answerNames, pointsTable } from "./points-table.js";
import { togetherPart } from "./together-form.js";
import { gapsPart, stepsPart, usesPart } from "./rule-form.js";
import { textIn } from "./wording.js";

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
    app.draw({ focus: "heading" });
    if (!isNamed) {
      document.getElementById(idOf([...parsePath(body.select), "text", app.languages[0]]))?.focus();
    }
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
  const here = [...path, "computed"];
  const lines = question.computed.components.map((_, place) => asked(app, path, place));
  const help = inPlace(app, [...path.slice(0, 2), "help"], "help_near", { look: "help", optional: true, says: texts.help_near_hint });
  const screen = questionOnPhone(app, path, [group([...here, "components"], el("span", { class: "visually-hidden" }, texts.components), [...lines, remark([...here, "components"])], "stack"), addPart(app, path), help]);
  const fields = [
    hint(texts.composite_about),
    // It comes first, because a new answer has no name yet.
    questionText(app, path, "answer_name"),
    radioField(app, [...path, "computed", "way"], "way", ["at_least", "how_many", "points"].map((each) => [each, `way_${each}`]), {
      value: way,
      onChoose: (chosen) => choose(app, path, chosen),
    }),
    way === "at_least" && leastPart(app, path),
    hasPoints && pointsTable(app, path),
    remark(here),
    way === "how_many" && levelsPart(app, path, question),
    hasPoints && sentPart(app, path),
    cautions(app, path, way),
    madeUpTable(app, path),
  ];
  const settings = [
    basePart(app, path),
    gapsPart(app, path),
    hasPoints && usesPart(app, path),
    hasPoints && stepsPart(app, path),
    neutralPart(app, path),
    togetherPart(app, path),
    wordsField(app, [...here, "source"], "cut_off_source", { optional: true }),
    backPart(app, path),
    namesInData(app, path, question),
  ];
  return { phone: screen, fields, settings };
}

/**
 * A component as respondents read it, with its tools, which appear while it is used. Its form has its answers, which differ in kind.
 * @param {import("./paths.js").Path} path of the composite question
 */
function asked(app, path, place) {
  const { texts } = app;
  const here = [...path, "computed", "components", place];
  const component = getAt(app.document, here);
  const [id, total] = [idOf(here), ruleAt(app.document, path).components.length];
  const name = () => textIn(getAt(app.document, here)?.text, app.speaking) || fill(texts.component_number, { number: place + 1 });
  const shift = (by) => {
    const moved = name();
    const { document: next, at } = shiftComponent(app.document, here, by);
    app.edit(next, { redraw: true });
    app.announce(fill(texts.moved, { name: moved, place: at.at(-1) + 1, total }));
    focusTool(...(by < 0 ? ["up", "down"] : ["down", "up"]).map((way) => `${idOf(at)}-${way}`));
  };
  const drop = () => {
    app.edit(removeComponent(app.document, here), { redraw: true, undoable: fill(texts.removed, { name: name() }) });
    document.getElementById(idOf([...path, "computed", "components"]))?.focus();
  };
  const tool = (sign, label, click, suffix, more = {}) => {
    const made = iconButton(sign, "", click, { id: `${id}-${suffix}`, ...more });
    // The question is typed beside its tools.
    const show = () => {
      made.title = fill(texts[label], { name: name() });
      made.lastChild.textContent = made.title;
    };
    app.whenRefreshed(show);
    show();
    return made;
  };
  const tools = el(
    "div",
    { class: "row row--tools" },
    tool("…", "component_open", () => app.select(pathText(here)), "open"),
    tool("↑", "move_up", () => shift(-1), "up", { disabled: place === 0 }),
    tool("↓", "move_down", () => shift(1), "down", { disabled: place === total - 1 }),
    tool("×", "remove", drop, "drop", { disabled: total === 1 }),
  );
  const notes = [component.asked_if && texts.tag_condition, component.instructed && texts.tag_instructed].filter(Boolean);
  const answers = el("p", { class: "hint" });
  const showAnswers = () => (answers.textContent = answerNames(app, component).join(" · "));
  app.whenRefreshed(showAnswers);
  showAnswers();
  const number = el("span", { class: "visually-hidden" }, fill(texts.component_number, { number: place + 1 }));
  return group(here, number, [
    inPlace(app, [...here, "text"], "question_text", { look: "line" }),
    component.help && inPlace(app, [...here, "help"], "question_help", { look: "help", optional: true }),
    answers,
    notes.length > 0 && el("p", { class: "row" }, ...notes.map((note) => el("span", { class: "tag tag--quiet" }, note))),
    remark(here),
    tools,
  ], "phone-line stack");
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
  const kinds = el("div", { class: "row" }, ...COMPONENT_KINDS.map((kind) => plainButton(texts[names[kind]], () => add(kind))));
  const made = menu(app, "kinds", texts.add_question, kinds);
  made.classList.add("phone-add");
  return made;
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
  return group([...path, "computed", "lost"], texts.lost_title, [el("p", {}, texts.lost), lines], "field stack");
}

/** The way back: each question sends its own answer again. */
function backPart(app, path) {
  const { texts } = app;
  const { key } = getAt(app.document, path);
  const complaint = el("p", { class: "error", role: "alert", hidden: true });
  const back = () => press(app, { each: key }, { said: texts.each_again_done, complaint });
  return folded(texts.each_again_title, hint(texts.each_again_hint), el("div", { class: "row" }, plainButton(texts.each_again, back)), complaint);
}
