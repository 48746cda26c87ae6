/** The outline: every part of the survey in order, to be chosen and put elsewhere. */

import { button, el, fill } from "../dom.js";
import { addBlock, addQuestion } from "./edits.js";
import { addAnchors, addExperiment, addReady, isArmBlock, lacksAnchors, lacksReady } from "./arms.js";
import { addScale, isScaleBlock } from "./scale.js";
import { partOf } from "./problems.js";

const FIXED = ["head", "about", "group"];

/** @param {string} part */
export const outlineId = (part) => `o-${part.replace(/[^\w]+/g, "-")}`;

/** @param {import("./app.js").App} app @returns {Node[]} */
export function outline(app) {
  const { texts, document: survey } = app;
  return [
    el("h2", { class: "visually-hidden" }, texts.outline),
    el(
      "ol",
      { class: "outline-list" },
      ...FIXED.map((part) => el("li", {}, row(app, part, app.nameOf(part)))),
      survey.explanations && el("li", {}, row(app, "explanations", app.nameOf("explanations"))),
      ...survey.blocks.map((block, place) => blockEntry(app, block, place)),
    ),
    survey.blocks.length === 0 && el("p", { class: "hint" }, texts.outline_empty),
    el(
      "div",
      { class: "outline-add" },
      button(texts.add_protected_block, () => app.open(addBlock(app.document, true), { focus: "first" }), "button button--plain button--wide"),
      button(texts.add_open_block, () => app.open(addBlock(app.document, false), { focus: "first" }), "button button--plain button--wide"),
    ),
    survey.blocks.some((block) => block.protected) &&
      el(
        "div",
        { class: "outline-add" },
        !survey.explanations && button(texts.add_experiment, () => experiment(app), "button button--plain button--wide"),
        lacksReady(survey, app.ready) &&
          button(texts.add_ready, () => app.open(addReady(survey, app.ready, app.languages), { focus: "first" }), "button button--plain button--wide"),
        lacksAnchors(survey, app.ready) &&
          button(texts.add_anchors, () => app.open(addAnchors(survey, app.ready, app.languages)), "button button--plain button--wide"),
      ),
    el(
      "div",
      { class: "outline-add" },
      button(texts.add_number, () => app.open(addScale(app.document, "number"), { focus: "first" }), "button button--plain button--wide"),
      button(texts.add_place, () => app.open(addScale(app.document, "place"), { focus: "first" }), "button button--plain button--wide"),
    ),
    survey.blocks.length > 0 && el("p", { class: "hint" }, texts.outline_hint),
  ].filter(Boolean);
}

/** Half of the people read another explanation. */
function experiment(app) {
  const { texts, speaking: language } = app;
  app.open(addExperiment(app.document, { language, title: texts.arm_title, first: texts.arm_first }), { focus: "first" });
}

function blockEntry(app, block, place) {
  const { texts } = app;
  const part = `blocks[${place}]`;
  const sign = el(
    "span",
    { class: block.protected ? "tag" : "tag tag--quiet" },
    block.protected ? texts.tag_protected : texts.tag_open,
  );
  const questions = block.questions.map((_, number) => {
    const here = `${part}.questions[${number}]`;
    return el("li", {}, row(app, here, app.nameOf(here), { grip: true }));
  });
  const add = () => app.open(addQuestion(app.document, place, "yes_no"), { focus: "first" });
  const more = button(texts.add_question, add, "link-button outline-more");
  more.id = `${outlineId(part)}-more`;
  more.setAttribute("aria-label", fill(texts.add_question_to, { name: app.nameOf(part) }));
  return el(
    "li",
    { class: "outline-block" },
    row(app, part, app.nameOf(part), { grip: true, sign }),
    el("ol", { class: "outline-questions" }, ...questions, !isScaleBlock(block) && !isArmBlock(block) && el("li", {}, more)),
  );
}

function row(app, part, name, { grip = false, sign } = {}) {
  const { texts } = app;
  const todo = app.problems.filter(({ path }) => partOf(path) === part).length;
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
      "aria-keyshortcuts": grip && "Alt+ArrowUp Alt+ArrowDown",
      click: () => app.select(part),
      keydown: (event) => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (grip && by && event.altKey) {
          event.preventDefault();
          document.getElementById(outlineId(app.shift(part, by)))?.focus();
        }
      },
    },
    el("span", { class: "outline-name" }, name),
    sign,
    badge,
  );
  const handle = grip && el("span", { class: "grip", "data-grip": part, "aria-hidden": "true" }, "⠿");
  return el("div", { class: "outline-row", "data-part": part }, handle, link);
}
