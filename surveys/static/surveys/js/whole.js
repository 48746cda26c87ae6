/** All questions on one page, for whoever prefers it: the same answers, the same rules, the same seal. */

import * as flow from "./flow.js";
import { button, el } from "./dom.js";
import { backButton, heading, said } from "./parts.js";
import { blockHead, blockSentences } from "./block.js";
import { questionFieldset } from "./question.js";

/** @param {Scene} scene */
export function wholeScreen(scene) {
  const { texts, act } = scene;
  const { blocks } = scene.state.design;
  const status = el("p", { class: "visually-hidden", role: "status" });
  const parts = blocks.map((_, block) => new Part(scene, block, () => update()));
  const asked = () => flow.asked(scene.now());
  const show = () => {
    const isOne = asked();
    const changed = parts.filter(({ node }, block) => node.hidden === isOne[block]);
    parts.forEach(({ node }, block) => (node.hidden = !isOne[block]));
    return changed;
  };
  const update = () => {
    const changed = show();
    if (changed.length) {
      status.textContent = changed.some(({ node }) => !node.hidden) ? texts.whole_more : texts.whole_less;
    }
  };
  show();
  const complain = () => {
    const isOne = asked();
    const wrong = parts.flatMap((part, block) => (isOne[block] ? part.complaints() : []));
    wrong.forEach((each) => each.complain());
    wrong[0].focus();
  };
  return [
    heading(texts.whole_title),
    el("p", {}, texts.whole_text),
    ...parts.map(({ node }) => node),
    status,
    el("div", { class: "row actions" }, button(texts.whole_continue, () => act.next(complain)), backButton(scene)),
  ];
}

/** One block: its questions, or that it is skipped. */
class Part {
  #scene;
  #block;
  #onChange;
  #fields = [];

  constructor(scene, block, onChange) {
    this.#scene = scene;
    this.#block = block;
    this.#onChange = onChange;
    this.node = el("section", { class: "stack part" });
    this.#fill();
  }

  /** What is missing here, each with what to do about it. */
  complaints() {
    const screen = (question) => ({ kind: "question", block: this.#block, question });
    const isSkipped = flow.isSkipped(this.#scene.now(), this.#block);
    return isSkipped ? [] : this.#fields.filter((_, question) => flow.missing(this.#scene.now(), screen(question)));
  }

  #fill() {
    const { texts } = this.#scene;
    const scene = { ...this.#scene, state: this.#scene.now() };
    const { refusal } = scene.state.design.blocks[this.#block];
    const isSkipped = flow.isSkipped(scene.state, this.#block);
    this.#fields = isSkipped ? [] : this.#questions(scene);
    this.node.replaceChildren(
      ...[
        blockHead(scene, this.#block),
        el("h3", { tabindex: "-1", "data-place": `block-${this.#block}` }, said(scene.wording[this.#block].title)),
        ...blockSentences(scene, this.#block),
        ...this.#fields.map(({ node }) => node),
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

  #turn(what) {
    this.#scene.act[what](this.#block);
    this.#fill();
    this.node.querySelector("h3").focus();
    this.#onChange();
  }

  #questions({ state, texts, wording, nameOf, act }) {
    const { questions, protected: isProtected, refusal } = state.design.blocks[this.#block];
    return questions.map((question, index) => {
      const place = { block: this.#block, question: index };
      return questionFieldset({
        question,
        wording: wording[this.#block].questions[index],
        value: flow.answerAt(state, place),
        isProtected,
        isSkippable: refusal !== null,
        name: nameOf(this.#block, index),
        id: `question-${this.#block}-${index}`,
        level: "h4",
        texts,
        onAnswer: (value) => {
          act.answer(value, place);
          this.#onChange();
        },
        onContinue: () => {},
      });
    });
  }
}
