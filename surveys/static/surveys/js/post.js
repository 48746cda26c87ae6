/** Sealing and delivery on this device. */

import { KeyFile, KeyWriter } from "./key-file.js";
import { outcomeNodes } from "./parts.js";
import { part } from "./program.js";
import { Seal } from "./seal.js";
import { WaitingBody } from "./waiting-body.js";

/** The name of the entry that is only tried out, on every device the same. No survey has it. */
const TRIAL = "";

export class Post {
  #texts;
  #parts;
  #carrier = null;
  #waiting;
  #trial;
  /** The last announcement of another page, and what to do at the next one. */
  heard = null;
  onHeard = () => {};

  /** @param {{survey: string, url: string, texts: Record<string, string>, onAnnouncement: () => void}} parts */
  constructor({ survey, url, texts, onAnnouncement }) {
    const { locks } = navigator;
    const writer = new KeyWriter();
    const body = (named) => new WaitingBody({ factory: indexedDB, keyFile: new KeyFile(`sottovoce-${named}.key`, writer), survey: named });
    const waiting = body(survey);
    const channel = new BroadcastChannel(`sotto:${survey}`);
    this.#texts = texts;
    this.#waiting = waiting;
    /** Settles when the script that writes files has arrived, or has failed to. */
    this.ready = writer.ready;
    this.#trial = body(TRIAL);
    this.seal = new Seal({ survey, waiting, locks, channel, now: Date.now });
    const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const send = (...request) => fetch(...request);
    this.#parts = { texts, survey, url, seal: this.seal, waiting, locks, fetch: send, now: Date.now, pause };
    channel.addEventListener("message", ({ data }) => {
      if (data.kind !== "sealed") {
        this.heard = data;
      }
      this.onHeard();
      onAnnouncement();
    });
    window.addEventListener("online", () => this.#carrier?.wake());
  }

  /**
   * Deliver the waiting body, and show how it goes. What that takes loads with the screens after the questions; before these, only
   * a body of an earlier page needs it.
   *
   * @param {(nodes: Node[]) => void} tell
   * @param {string | null} [text] the request, if this page has sealed it
   * @returns {Promise<{name: string, text: string | null}>} the key of the last texts, and the request
   */
  async deliver(tell, text = null) {
    this.#carrier ??= await this.#loadCarrier();
    return this.#carrier.deliver(tell, text);
  }

  async #loadCarrier() {
    const { loadRest } = await part("later");
    const { Carrier } = await loadRest();
    return new Carrier(this, this.#parts);
  }

  /**
   * Write, read and erase an entry as large as a body, so that respondents learn before the first question if it cannot be
   * stored. What an interrupted trial left behind is erased first.
   *
   * @param {number} length characters of the request
   * @returns {Promise<boolean>} false if a body would exist only in the open page
   */
  tryOut(length) {
    return navigator.locks.request("sotto:trial", async () => {
      await this.#trial.erase().catch(() => {});
      await this.#trial.write({ text: "0".repeat(length), eraseAfter: 0, isTyped: false });
      const isKept = !this.#trial.isInPage;
      await this.#trial.erase();
      return isKept;
    });
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
