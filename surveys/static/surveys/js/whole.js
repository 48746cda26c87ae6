/** All questions on one page, for respondents who prefer it: the same answers, the same rules, the same seal. */

import { blockSentences } from "./before.js";
import { blockHead, boxesField, partTitle, questionField } from "./block.js";
import { button, el } from "./dom.js";
import * as flow from "./flow.js";
import { isArm } from "./layout.js";
import { stemHead } from "./lists.js";
import { backButton } from "./parts.js";
import { table } from "./question.js";
import { isRotating } from "./rotation.js";
import { heading, said, stemOf } from "./said.js";
import { joined } from "./sentences.js";

/** @param {Scene} scene */
export function wholeScreen(scene) {
  const { texts, act } = scene;
  const { blocks } = scene.state.design;
  const status = el("p", { class: "visually-hidden", role: "status" });
  const parts = blocks.map((_, block) => new Part(scene, block, () => update()));
  const asked = () => flow.asked(scene.now()).map((isOne, block) => isOne && !isArm(blocks[block]));
  const show = () => {
    const isOne = asked();
    return parts.flatMap((part, block) => part.show(isOne[block]));
  };
  const update = () => {
    const changed = show();
    const isShown = changed.map(({ hidden }) => !hidden);
    if (changed.length) {
      const isSwapped = isShown.includes(true) && isShown.includes(false) && texts.composed_swapped;
      status.textContent = isSwapped || (isShown.includes(true) ? texts.whole_more : texts.whole_less);
    }
  };
  show();
  const complaints = () => {
    const isOne = asked();
    return parts.flatMap((part, block) => (isOne[block] ? part.complaints() : []));
  };
  const complain = () => {
    const wrong = complaints();
    wrong.forEach((each) => each.complain());
    wrong[0].focus();
  };
  // An open question may stay empty, but do not drop what someone typed.
  const next = () => (complaints().some(({ isWrong }) => isWrong?.()) ? complain() : act.next(complain));
  return [
    heading(texts.whole_title),
    el("p", {}, texts.whole_text),
    ...parts.map(({ node }) => node),
    status,
    el("div", { class: "row actions" }, button(texts.whole_continue, next), backButton(scene)),
  ];
}

/** Whether a block's questions may be in the page; those of a rotating block only after the respondent opens it. */
export function isShown(state, block) {
  return !isRotating(state.design.blocks[block]) || state.seen.has(flow.firstOf(state, block));
}

/**
 * Help that consecutive questions share: it is shown once, above the first of them, and describes each.
 * @param {BlockWords} words @param {number[][]} sheets questions in the order in which they are shown, those of a table together
 * @returns {{help: string, questions: number[]}[]}
 */
export function sharedHelp({ questions }, sheets) {
  const runs = [];
  for (const rows of sheets) {
    const [help, ...others] = new Set(rows.map((row) => questions[row].help));
    const last = runs.at(-1);
    if (help && last?.help === help && !others.length) {
      last.questions.push(...rows);
    } else {
      runs.push({ help: others.length || !help ? "" : help, questions: [...rows] });
    }
  }
  // Above a question without help, it would seem to be meant for that one, too.
  return runs.filter(({ help, questions: own }, place) => help && own.length > 1 && runs[place + 1]?.help !== "");
}

/** One block: its questions, a button that opens its drawn questions, or a skip. Empty until the block is asked. */
class Part {
  #scene;
  #block;
  #onChange;
  #fields = [];
  /** Help that questions share: its node, and the questions below it. */
  #helps = [];

  constructor(scene, block, onChange) {
    this.#scene = scene;
    this.#block = block;
    this.#onChange = onChange;
    this.node = el("section", { class: "stack part", hidden: true });
  }

  /** Show or hide the part, and its questions that depend on others. @returns {HTMLElement[]} what was shown or hidden */
  show(isOne) {
    const isNew = isOne && !this.node.hasChildNodes();
    if (isNew) {
      this.#fill();
    }
    const state = this.#scene.now();
    const questions = this.#fields.map(({ node, question }) => [node, flow.isShown(state, this.#block, question)]);
    const helps = this.#helps.map(({ node, questions: own }) => [node, own.some((question) => flow.isShown(state, this.#block, question))]);
    return [[this.node, isOne], ...questions, ...helps].flatMap(([node, isShown]) => {
      const isChanged = node.hidden === isShown;
      node.hidden = !isShown;
      return isChanged && !(isNew && node !== this.node) ? [node] : [];
    });
  }

  /** Fields that are missing or wrong, each with a way to say so. */
  complaints() {
    const state = this.#scene.now();
    const isMissing = ({ node, question, isWrong }) =>
      !node.hidden && (flow.missing(state, { kind: "question", block: this.#block, question }) || isWrong?.());
    return flow.isSkipped(state, this.#block) ? [] : this.#fields.filter(isMissing);
  }

  #fill() {
    const { texts } = this.#scene;
    const scene = { ...this.#scene, state: this.#scene.now() };
    const { refusal } = scene.state.design.blocks[this.#block];
    const isSkipped = flow.isSkipped(scene.state, this.#block);
    const isOpened = isShown(scene.state, this.#block);
    this.#helps = [];
    this.#fields = isSkipped ? [] : isOpened ? this.#questions(scene) : [this.#opener(scene)];
    this.node.replaceChildren(
      ...[
        blockHead(scene, this.#block),
        el("h3", { tabindex: "-1", "data-place": `block-${this.#block}` }, partTitle(scene, this.#block)),
        ...(scene.composedSentences?.(scene, this.#block) ?? blockSentences(scene, this.#block)),
        ...(scene.composedExit?.(scene, this.#block) ?? []),
        ...(isOpened && !isSkipped ? this.#sheets(scene) : this.#fields.map(({ node }) => node)),
        ...(scene.composedFoot?.(scene, this.#block) ?? []),
        refusal !== null &&
          el(
            "div",
            { class: "row" },
            isSkipped
              ? button(texts.answer_after_all, () => this.#turn("answerBlock"), "button button--plain")
              : button(texts.skip, () => this.#turn("skipBlock"), "button button--plain"),
          ),
      ].filter(Boolean),
    );
  }

  /** The questions, with tables where rows share one. */
  #sheets({ state, texts, wording }) {
    const { questions } = state.design.blocks[this.#block];
    // All of them: questions that depend on others are hidden until they are asked.
    return flow.sheets({ ...state, isAsked: undefined }, this.#block).flatMap((rows) => {
      const nodes = this.#fields.filter(({ question }) => rows.includes(question)).map(({ node }) => node);
      const [first] = rows;
      const words = wording[this.#block];
      const stem = stemOf(words, first);
      const isTable = stem ? !stem.boxes : rows.length > 1;
      const above = this.#helps.filter(({ questions: own }) => own[0] === first).map(({ node }) => node);
      const shown = [...above, ...(isTable ? [table(questions[first], words.questions[first], texts, nodes)] : nodes)];
      return stem && isTable ? [...stemHead(stem, el("h4", {}, said(stem.text))), ...shown] : shown;
    });
  }

  /** A button that shows the drawn questions; they are not in the page before. */
  #opener({ state, texts }) {
    const { refusal } = state.design.blocks[this.#block];
    const id = `error-block-${this.#block}`;
    const show = button(texts.block_show, () => this.#turn("openBlock"));
    const error = el("p", { class: "error", id, hidden: true });
    show.setAttribute("aria-describedby", id);
    return {
      question: state.drawn[this.#block][0],
      node: el("div", { class: "stack" }, error, show),
      focus: () => show.focus(),
      complain: () => {
        error.textContent = joined([texts.error_show, refusal !== null && texts.error_or_skip]);
        error.hidden = false;
      },
    };
  }

  #turn(what) {
    this.#scene.act[what](this.#block);
    this.#fill();
    this.node.querySelector("h3").focus();
    this.#onChange();
  }

  #questions(scene) {
    const block = this.#block;
    const words = scene.wording[block];
    const act = {
      answer: (...given) => {
        scene.act.answer(...given);
        this.#onChange();
      },
    };
    const sheets = flow.sheets({ ...scene.state, isAsked: undefined }, block);
    this.#helps = sharedHelp(words, sheets).map(({ help, questions }) => ({
      questions,
      node: el("p", { class: "hint", id: `help-${block}-${questions[0]}` }, said(help)),
    }));
    return sheets.flatMap((rows) => {
      const stem = stemOf(words, rows[0]);
      const more = stem?.boxes && boxesField({ ...scene, act }, block, stem, rows);
      return (more ? [rows[0]] : rows).map((question) => {
        const place = { block, question };
        const own = { id: `question-${block}-${question}`, level: stem && !more ? "h5" : "h4", isRow: Boolean(stem && !more) };
        const above = this.#helps.find(({ questions }) => questions.includes(question));
        const without = above && { wording: { ...words.questions[question], help: undefined } };
        const field = questionField({ ...scene, act }, place, { ...own, ...without, ...more });
        if (above) {
          field.node.setAttribute("aria-describedby", `${above.node.id} ${field.node.getAttribute("aria-describedby")}`);
        }
        return { ...field, question };
      });
    });
  }
}
