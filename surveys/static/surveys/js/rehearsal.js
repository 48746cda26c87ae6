/**
 * Replaces sealing and delivery if a survey is only previewed. Answers are disguised and shown as in a real survey, but
 * nothing is stored on the device or sent.
 */

import { outcomeNodes } from "./parts.js";

export class Rehearsal {
  #texts;

  /** @param {{texts: Record<string, string>}} parts */
  constructor({ texts }) {
    this.#texts = texts;
    this.seal = { enter: async () => "free", seal: async (draw) => draw() };
  }

  get ready() {
    return Promise.resolve();
  }

  /** Nothing will be stored, so there is nothing to try out. */
  async tryOut() {
    return true;
  }

  /** @param {(nodes: Node[]) => void} tell */
  async deliver(tell) {
    tell(outcomeNodes(this.#texts, "rehearsed"));
    return { name: "rehearsed", text: null };
  }
}
