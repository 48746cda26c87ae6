/** Sealing and delivery on this device, described in the page's texts. */

import { Delivery } from "./deliver.js";
import { KeyFile } from "./key-file.js";
import { outcomeNodes, wordsFor } from "./parts.js";
import { Seal } from "./seal.js";
import { WaitingBody } from "./waiting.js";

export class Post {
  #texts;
  #delivery;
  #waiting;
  #heard = null;
  #onHeard = () => {};

  /** @param {{survey: string, url: string, texts: Record<string, string>, onAnnouncement: () => void}} parts */
  constructor({ survey, url, texts, onAnnouncement }) {
    const { locks } = navigator;
    const keyFile = new KeyFile(`sottovoce-${survey}.key`);
    const waiting = new WaitingBody({ factory: indexedDB, keyFile, survey });
    const channel = new BroadcastChannel(`sotto:${survey}`);
    this.#texts = texts;
    this.#waiting = waiting;
    this.seal = new Seal({ survey, waiting, locks, channel, now: Date.now });
    const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const send = (...request) => fetch(...request);
    this.#delivery = new Delivery({ survey, url, seal: this.seal, waiting, locks, fetch: send, now: Date.now, pause });
    channel.addEventListener("message", ({ data }) => {
      if (data.kind !== "sealed") {
        this.#heard = data;
      }
      this.#onHeard();
      onAnnouncement();
    });
    window.addEventListener("online", () => this.#delivery.wake());
  }

  /**
   * Deliver the waiting body, and show how it goes.
   *
   * @param {(nodes: Node[]) => void} tell
   * @param {string | null} [text] the request, if this page has sealed it
   * @returns {Promise<{name: string, text: string | null}>} the key of the last texts, and the request
   */
  async deliver(tell, text = null) {
    const outcome = await this.#delivery.run(() =>
      tell(outcomeNodes(this.#texts, "waiting", { onTry: () => this.#delivery.wake(), isInPage: this.isInPage })),
    );
    if (outcome.kind === "mistyped") {
      const heard = new Promise((resolve) => (this.#onHeard = resolve));
      const { putRight } = await import("./invitation.js");
      const erase = (refused) => this.seal.finish((this.#heard = refused));
      return this.deliver(tell, await putRight(outcome, { texts: this.#texts, tell, heard, seal: this.seal, erase, isInPage: this.isInPage }));
    }
    // Another page on this device was faster, and announced the outcome.
    const ended = outcome.kind === "gone" && this.#heard ? this.#heard : outcome;
    const name = wordsFor(ended);
    tell(outcomeNodes(this.#texts, name, { ...ended, isInPage: this.isInPage }));
    return { name, text };
  }

  /** Whether the sealed body exists only in this open page, because its window cannot store files. */
  get isInPage() {
    return this.#waiting.isInPage;
  }

  /** Like `deliver`, for a body that an earlier page left. @returns {Promise<string>} the key of the outcome's texts */
  async deliverFound(tell) {
    tell(outcomeNodes(this.#texts, "found"));
    const { name } = await this.deliver(tell);
    if (name === "delivered") {
      tell(outcomeNodes(this.#texts, "found_delivered"));
    }
    return name;
  }
}
