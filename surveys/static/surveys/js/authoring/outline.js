/** The outline: all parts of the survey in order, to select and move them. */

import { button, el, fill } from "../dom.js";
import { addBlock, addQuestion, hasSpace } from "./edits.js";
import { addAnchors, addExperiment, addReady, lacksAnchors, lacksReady } from "./arms.js";
import { addScale } from "./scale.js";
import { hint, menu } from "./fields.js";
import { isLegible } from "./one-answer.js";
import { stemAbove } from "./lists.js";
import { partOf } from "./problems.js";
import { textIn } from "./wording.js";

const FIXED = ["head", "about", "group"];

/** @param {string} part */
const outlineId = (part) => `o-${part.replace(/[^\w]+/g, "-")}`;

/** @param {import("./app.js").App} app @returns {Node[]} */
export function outline(app) {
  const { texts, document: survey } = app;
  const explanation = { language: app.speaking, title: texts.arm_title, first: texts.arm_first };
  const adds = (name, made) =>
    button(texts[`add_${name}`], () => app.open(made(), { focus: "first" }), "button button--plain button--wide");
  const additions = [
    group(adds("protected_block", () => addBlock(app.document, true)), adds("open_block", () => addBlock(app.document, false))),
    survey.blocks.some((block) => block.protected) &&
      group(
        !survey.explanations && adds("experiment", () => addExperiment(survey, explanation)),
        lacksReady(survey, app.ready) && adds("ready", () => addReady(survey, app.ready, app.languages)),
        lacksAnchors(survey, app.ready) && adds("anchors", () => addAnchors(survey, app.ready, app.languages)),
      ),
    group(adds("number", () => addScale(app.document, "number")), adds("place", () => addScale(app.document, "place"))),
  ];
  return [
    el("h2", { class: "visually-hidden" }, texts.outline),
    el(
      "ol",
      { class: "outline-list" },
      ...FIXED.map((part) => el("li", {}, row(app, part, app.nameOf(part)))),
      survey.explanations && el("li", {}, row(app, "explanations", app.nameOf("explanations"))),
      ...survey.blocks.map((block, place) => blockEntry(app, block, place)),
    ),
    survey.blocks.length === 0 && hint(texts.outline_empty),
    // A survey without parts needs one next.
    ...(survey.blocks.length === 0 ? additions : [menu(app, "add", texts.add_part, ...additions, hint(texts.outline_hint))]),
  ];
}

const group = (...buttons) => el("div", { class: "outline-add" }, ...buttons);

function blockEntry(app, block, place) {
  const { texts, document: survey } = app;
  const part = `blocks[${place}]`;
  const sign = el(
    "span",
    { class: block.protected ? "tag" : "tag tag--quiet" },
    block.protected ? texts.tag_protected : texts.tag_open,
  );
  const questions = block.questions.flatMap((_, number) => {
    const here = `${part}.questions[${number}]`;
    const stem = stemAbove(survey, block, number);
    return [
      stem && el("li", { class: "outline-stem soft" }, textIn(stem.text, app.speaking) || texts.stem_unnamed),
      el("li", {}, row(app, here, app.nameOf(here), { isMovable: true }), componentList(app, here, block.questions[number])),
    ];
  });
  const add = () => app.open(addQuestion(app.document, place, "yes_no"), { focus: "first" });
  const more = button(texts.add_question, add, "link-button outline-more");
  more.id = `${outlineId(part)}-more`;
  more.setAttribute("aria-label", fill(texts.add_question_to, { name: app.nameOf(part) }));
  // Otherwise a long survey would have as many of these buttons as parts.
  // The form of a selected part has its own.
  const isHere = app.selected.startsWith(`${part}.`);
  const isLast = !app.selected.startsWith("blocks") && place === survey.blocks.length - 1;
  const hasMore = hasSpace(block) && (app.isExpert || isHere || isLast);
  return el(
    "li",
    { class: "outline-block" },
    row(app, part, app.nameOf(part), { isMovable: true, sign }),
    el("ol", { class: "outline-questions" }, ...questions, hasMore && el("li", {}, more)),
  );
}

/** The components of a composite question. */
function componentList(app, here, { computed }) {
  const inner = (isLegible(computed) ? computed.components : []).map((_, at) => `${here}.computed.components[${at}]`);
  return inner.length > 0 && el("ol", { class: "outline-questions" }, ...inner.map((part) => el("li", {}, row(app, part, app.nameOf(part), { isMovable: true }))));
}

function row(app, part, name, { isMovable = false, sign } = {}) {
  const { texts } = app;
  const todo = app.problems.filter(({ path }) => partOf(path, app.document) === part).length;
  const badge =
    todo > 0 &&
    el("span", { class: "badge" }, String(todo), el("span", { class: "visually-hidden" }, ` ${texts.todo_unit}`));
  const link = el(
    "button",
    {
      type: "button",
      id: outlineId(part),
      class: "outline-link",
      "aria-current": part === app.selected && "true",
      "aria-keyshortcuts": isMovable && "Alt+ArrowUp Alt+ArrowDown",
      click: () => app.select(part),
      keydown: (event) => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (isMovable && by && event.altKey) {
          event.preventDefault();
          document.getElementById(outlineId(app.shift(part, by)))?.focus();
        }
      },
    },
    el("span", { class: "outline-name" }, name),
    sign,
    badge,
  );
  return el("div", { class: "outline-row", "data-part": part }, link);
}
