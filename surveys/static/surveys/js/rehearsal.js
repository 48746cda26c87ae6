/**
 * What takes the place of seal and delivery where a survey is only looked at before it is published: the chance is
 * drawn and shown as in earnest, nothing is kept on the device, and nothing leaves it.
 */

import { outcomeNodes } from "./parts.js";

export class Rehearsal {
  #texts;

  /** @param {{texts: Record<string, string>}} parts */
  constructor({ texts }) {
    this.#texts = texts;
    this.seal = { enter: async () => "free", seal: async (draw) => draw() };
  }

  /** @param {(nodes: Node[]) => void} tell */
  async deliver(tell) {
    tell(outcomeNodes(this.#texts, "rehearsed"));
    return { name: "rehearsed", text: null };
  }
}
