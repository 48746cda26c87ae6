/** Composite questions in a frame: its one part with components, and what respondents read about it. */

import { asked, begun } from "./components.js";
import { followed, toSeal } from "./composite-answers.js";
import { el, fill, plural } from "./dom.js";
import { isScaleKind } from "./kinds.js";
import { part } from "./program.js";
import { useScale } from "./question.js";
import { countSaid, gapsOf, ruleSaid, rulesSaid } from "./rule-words.js";
import { mostAsked } from "./rotation.js";

/**
 * Prepare a frame that asks composite questions.
 * @param {{design: Design, wording: object, texts: object}} page with one block
 * @param {Drawn} drawn
 * @param {Node[]} label gets what respondents read before the part
 */
export async function compose(page, drawn, label) {
  const own = new Composed(page, drawn, label);
  if (own.block.questions.some(({ kind }) => kind === "several")) {
    await part("boxes");
  }
  if (own.block.questions.some(isScaleKind)) {
    useScale((await part("frame-number")).numberShown);
  }
  return own;
}

class Composed {
  #block;
  #begun;
  #count;
  #words;

  constructor({ design, wording, texts }, drawn, label) {
    const page = asked({ design, wording: [wording] });
    [this.#block] = design.blocks;
    this.#begun = begun({ design, drawn, tables: [] }, [wording]);
    this.#words = wording;
    this.#count = mostAsked(page.design.blocks[0]);
    [this.block] = page.design.blocks;
    [this.wording] = page.wording;
    this.drawn = this.#begun.drawn;
    label.push(...this.#paragraphs(texts));
  }

  #state(given) {
    return { ...this.#begun, answers: { [this.#block.key]: given } };
  }

  /** Hide the fields of components that are not asked with these answers. */
  follow(fields, answers) {
    const state = this.#state(answers);
    fields.forEach(({ field, index }) => {
      field.node.hidden = !state.isAsked(state, 0, index);
    });
  }

  /** Arguments for `disguise`, which sees no component. @param {"skipped" | object} given */
  toSeal(given) {
    return toSeal(this.#state(given));
  }

  #nameOf(key) {
    return this.#words.questions[this.#block.questions.findIndex((question) => question.key === key)].text;
  }

  #paragraphs(texts) {
    const block = this.#block;
    const count = this.#count;
    const questions = followed(block, this.#words);
    const sent = mostAsked(block);
    const numbers = { questions: sent, count };
    const say = (question, isOnly) => ruleSaid(texts, question, isOnly);
    return [
      countSaid(texts, questions, count),
      fill(plural(texts, "composed_works", sent), numbers),
      ...rulesSaid(questions, block.questions.length, say).map(({ of, line }) => (of ? `${this.#nameOf(of)} ${line}` : line)),
      gapsOf(texts, questions, block.refusal),
      questions.some(({ isBranching }) => isBranching) ? texts.composed_time : "",
      questions.some(({ isEvened }) => isEvened) ? texts.composed_neutral : "",
    ]
      .filter((line, place, all) => line && all.indexOf(line) === place)
      .map((line) => el("p", {}, line));
  }
}
