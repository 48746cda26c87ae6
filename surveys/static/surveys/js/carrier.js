/** Delivers a sealed body, and describes in the page's texts how that goes. */

import { Delivery } from "./deliver.js";
import { outcomeNodes } from "./parts.js";
import { part } from "./program.js";

/** The key of the texts on how a delivery ended, or is going. @param {Outcome} outcome @returns {string} */
export function wordsFor({ kind, status }) {
  if (kind === "refused") {
    return "uninvited";
  }
  return status === 410 ? "closed" : kind;
}

export class Carrier {
  #post;
  #texts;
  #delivery;

  /** @param {Post} post @param {object} parts what `Delivery` needs, and the page's texts */
  constructor(post, { texts, ...parts }) {
    this.#post = post;
    this.#texts = texts;
    this.#delivery = new Delivery(parts);
  }

  /** The network is back. */
  wake() {
    this.#delivery.wake();
  }

  /** As `Post.deliver`. */
  async deliver(tell, text) {
    const texts = this.#texts;
    const post = this.#post;
    const outcome = await this.#delivery.run(() =>
      tell(outcomeNodes(texts, "waiting", { onTry: () => this.wake(), isInPage: post.isInPage })),
    );
    if (outcome.kind === "mistyped") {
      const heard = new Promise((resolve) => (post.onHeard = resolve));
      const { putRight } = await part("invitation");
      const { seal, isInPage } = post;
      const erase = (refused) => seal.finish((post.heard = refused));
      return this.deliver(tell, await putRight(outcome, { texts, tell, heard, seal, erase, isInPage }));
    }
    // Another page on this device was faster, and announced the outcome.
    const ended = outcome.kind === "gone" && post.heard ? post.heard : outcome;
    const name = wordsFor(ended);
    tell(outcomeNodes(texts, name, { ...ended, isInPage: post.isInPage }));
    return { name, text };
  }
}
