/** Disguise the answers and store the result. The answers are dropped in the same step as the draw. */

import * as flow from "./flow.js";
import { Coins, platformFill } from "./coins.js";
import { Delivering } from "./delivering.js";
import { draws } from "./draws.js";
import { outcomeNodes } from "./parts.js";
import { requestText } from "./request.js";
import { SealedElsewhere } from "./seal.js";
import { Attempt, NoResponse } from "./trouble.js";

/** Milliseconds for the storage to respond. */
const PATIENCE = 5_000;

export class Sealing {
  #visit;
  /** Until they are disguised: if that fails, respondents can try again. @type {State | null} */
  #answered;
  #sealed;
  #isDone = false;

  /** @param {Visit} visit @param {State} answered */
  constructor(visit, answered) {
    const { post, isTyped } = visit;
    this.#visit = visit;
    this.#answered = answered;
    this.#sealed = new Attempt(() => post.seal.seal(() => this.#draw(), { isTyped }));
  }

  get hasAnswers() {
    return this.#answered !== null;
  }

  forget() {
    this.#answered = null;
  }

  begin() {
    this.#await(this.#sealed.within(PATIENCE));
  }

  /** @returns {string} the request */
  #draw() {
    const { page, parts, code } = this.#visit;
    const { design, design_id: designId, survey } = page;
    const coins = new Coins(platformFill(draws(design)));
    const { direct } = this.#answered;
    const { answers, drawn } = (parts.composites ?? flow).toSeal(this.#answered);
    const { body } = parts.disguise(design, answers, direct, coins, drawn);
    this.forget();
    return requestText({ survey, designId, body, code });
  }

  /** @param {Promise<string>} sealed the request, once it is on disk; from then on nothing else is left */
  #await(sealed) {
    sealed.then(
      (request) => this.#end(() => this.#deliver(request)),
      (error) => this.#end(() => this.#fail(error)),
    );
  }

  /** A storage that responds late may end an attempt twice. */
  async #end(then) {
    if (!this.#isDone) {
      await then();
    }
  }

  async #deliver(request) {
    this.#isDone = true;
    const delivering = new Delivering(this.#visit, request);
    this.#visit.enter(delivering);
    await delivering.begin();
  }

  async #fail(error) {
    const { texts } = this.#visit;
    if (error instanceof SealedElsewhere) {
      this.forget();
      this.#visit.show(...outcomeNodes(texts, "elsewhere"));
      return;
    }
    await this.#visit.fail(error, () => this.begin(), texts.seal_failed);
    if (error instanceof NoResponse) {
      // It may still be stored.
      this.#await(this.#sealed.run());
    }
  }
}
