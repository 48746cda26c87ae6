/**
 * Whose turn it is in a frame, if parts take turns over a series. The page around the frame knows the person, and gives the
 * number or code in a message. It stays in this page's memory: it is in no address, so in no request, log or history.
 */

import { codeTyped } from "./code.js";
import { button, el, fill } from "./dom.js";
import { isNumber } from "./person.js";
import { turnOf } from "./turn.js";

/** Characters of a refused number that are shown. */
const SHOWN = 40;

/** In place of what composite questions need: answers and drawn questions if nothing is asked. */
export const NOTHING = { toSeal: () => ({ answers: {}, drawn: [[]] }) };

/**
 * @param {unknown} given by the page around the frame
 * @param {boolean} isCode whether people are known by invitation codes
 * @returns {string | null} as the survey's own page uses it; null if it is not a person's number or code
 */
export function personIn(given, isCode) {
  if (isCode) {
    return typeof given === "string" ? codeTyped(given) : null;
  }
  return isNumber(given) ? given : null;
}

/** The person whom the page around the frame names, and the end of the first screen, which depends on it. */
export class Turn {
  #page;
  /** The number or code; null until one is given. */
  #person = null;
  /** The key of the text that the first screen shows. */
  #state = "turn_waiting";
  #refused = "";

  /** @param {{design: Design, turn: {series: string, wave: number}, code: boolean, texts: Record<string, string>}} page */
  constructor(page) {
    this.#page = page;
  }

  /**
   * Compute the turn of a person. A second, different person for the same page is a mistake of the page around it.
   * @param {unknown} given
   * @returns {Promise<boolean>} whether the first screen has changed
   */
  async take(given) {
    const { design, turn, code } = this.#page;
    const person = personIn(given, code);
    if (this.#state === "turn_two" || (person !== null && person === this.#person)) {
      return false;
    }
    if (this.#person !== null) {
      this.#state = "turn_two";
      return true;
    }
    this.#person = person;
    if (person === null) {
      this.#refused = String(given).slice(0, SHOWN);
      this.#state = "turn_wrong";
      return true;
    }
    const positions = await turnOf(design.rotations[0], turn, person);
    // Another person may have been named meanwhile.
    if (this.#state !== "turn_two") {
      this.#state = positions.includes(0) ? "turn_yes" : "turn_no";
    }
    return true;
  }

  /**
   * The end of the first screen. While the frame waits it is the tallest, because the frame measures its height then.
   * @param {HTMLButtonElement} start shows the questions
   * @param {(pressed: HTMLButtonElement) => void} onNothing sends that nothing was asked
   * @returns {Node[]}
   */
  nodes(start, onNothing) {
    const { texts } = this.#page;
    const said = el("p", { class: "note", role: "status" }, fill(texts[this.#state], { number: this.#refused }));
    const next = this.#state === "turn_no" ? button(texts.turn_on, () => onNothing(next)) : start;
    next.disabled = this.#state === "turn_waiting";
    const isEnd = this.#state === "turn_wrong" || this.#state === "turn_two";
    return isEnd ? [said] : [said, el("div", { class: "row actions" }, next)];
  }
}
