/**
 * What the phases of a visit share: the survey, its texts, and the modules that have arrived. Nothing here depends on an answer.
 */

import { hasTwoStrengths } from "./draws.js";
import { sentences } from "./program.js";
import { isStorage, troubleNodes, troubleOf } from "./trouble.js";

export class Visit {
  root = document.getElementById("root");
  /** The survey in one language; changing the language replaces its words and texts. @type {Page} */
  page = null;
  texts = {};
  /**
   * What the page is doing now: `Opening`, `Asking`, `Sealing` or `Delivering`, each with its state in one object. Only `Asking`
   * and `Sealing` hold true answers. Entering a phase drops the object of the one before.
   */
  phase = null;
  /** What has been loaded of the modules for the screens after the first one. */
  parts = {};
  /** The module that draws arms, if there are any, and its result for this load. */
  armed = null;
  arms = [];
  /** The module that draws questions, if they rotate. */
  drawing = null;
  /** The module that decides which parts are a person's, if parts take turns over a series. */
  turns = null;
  /** In a series whose parts take turns, whether this person is asked each block. @type {boolean[] | null} */
  turn = null;
  /** The module for the link back to a panel, if there is one. */
  panel = null;
  /** The module for invitations, if there are any. */
  invited = null;
  /** The module for questions with a right answer, if there are any. */
  again = null;
  /** The module for composite questions, if there are any. */
  composites = null;
  /** Seals and delivers. @type {Post} */
  post = null;
  /** The invitation's code, if answers need one. */
  code = null;
  /** Whether it was typed. If so, it may have to be corrected, and must not appear in any address. */
  isTyped = false;
  /** @type {KeptCode | null} */
  keptCode = null;
  /** @type {Trail | null} */
  trail = null;
  /** The interface texts loaded so far, in one language. No two parts contain a text in different words. */
  #spoken = {};

  /** The survey as it is asked: with the components of composite questions in the place of these. @returns {Page} */
  get asked() {
    return this.composites?.asked(this.page) ?? this.page;
  }

  /** Enter a phase, or none; the answers of the one before are forgotten. */
  enter(phase) {
    this.phase?.forget?.();
    this.phase = phase;
  }

  show(...nodes) {
    this.root.replaceChildren(...nodes.filter(Boolean));
    window.scrollTo(0, 0);
    this.focusHeading();
  }

  focusHeading(part = this.root) {
    part.querySelector("h2[tabindex]")?.focus();
  }

  /** @param {string} part */
  async speak(part) {
    this.#take(part, await sentences(part, this.page.voice));
  }

  /** @param {string} part @param {Sentences} found */
  #take(part, found) {
    const { design, by_invitation: byInvitation, answers, sentences: own } = this.page;
    this.#spoken[part] = found;
    // The survey's own sentences replace ours.
    const parts = [...Object.values(this.#spoken), ...(own ? [own] : [])];
    const kinds = [
      hasTwoStrengths(design) && "two_strengths",
      byInvitation && "by_invitation",
      design.invited === "group" && "strength_by_invitation",
    ];
    const others = kinds.flatMap((kind) => parts.map(({ instead }) => instead[kind]));
    Object.assign(this.texts, ...parts.map(({ texts }) => texts), ...others, answers);
  }

  /**
   * Load all texts so far in another language of the interface, in the survey's form of address.
   * @returns {Promise<(words: object) => void>} replaces them, and the survey's own words
   */
  async spokenAs(voice) {
    const parts = Object.keys(this.#spoken);
    const found = await Promise.all(parts.map((part) => sentences(part, voice)));
    return (words) => {
      this.page = { ...this.page, ...words };
      parts.forEach((part, place) => this.#take(part, found[place]));
    };
  }

  /** Whether the survey needs texts that few surveys need. */
  get isRare() {
    const { panel, turn, state, whole, light } = this.page;
    return panel || turn || state.preview || whole?.waves || light?.waves;
  }

  /** What decides this person's turn in a series: the code, or the panel's number; null if there is neither. @returns {string | null} */
  get person() {
    return this.page.by_invitation ? this.code : (this.panel?.personIn(window.location.hash) ?? null);
  }

  /** The link back to the panel, if there is one; shown only after the answers have arrived. */
  wayBack() {
    return this.panel?.wayBack(this.texts, this.page.panel, window.location.hash) ?? "";
  }

  /** Show what went wrong, with a button if something can be done. The answers are kept for that. */
  async fail(error, onTry = null, more = "") {
    const { texts } = this;
    let told = error;
    if (isStorage(error)) {
      try {
        await Promise.all([this.speak("end"), this.speak("unasked")]);
      } catch (missing) {
        // The titles name the cause, and arrived before the second question.
        told = texts.room_title ? error : missing;
      }
    }
    if (!onTry || troubleOf(told) === "unable") {
      this.phase?.forget?.();
    }
    this.show(...troubleNodes(texts, told, { onTry, more: more || (isStorage(told) && texts.nothing_sent) }));
  }
}
