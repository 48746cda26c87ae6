/**
 * Sealing: answers are disguised once, the result is on disk before its first byte is sent, and no page that was open at
 * that moment can disguise again.
 *
 * An exclusive Web Lock per survey serialises everything on this device. Each page that may still seal has a ticket, which is
 * another Web Lock. Sealing and finishing take all tickets away while they hold the survey's lock. So even a page that missed
 * the announcement is refused, and nothing about it is stored on disk.
 */


export const KEEP_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

/** This page was loaded before another page sealed or delivered an answer to the same survey. */
export class SealedElsewhere extends Error {
  constructor() {
    super("an answer was sealed in another page since this one was loaded");
  }
}

/** @param {number} bytes */
export function randomHex(bytes) {
  return hex(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Names the features that this browser lacks to seal safely.
 *
 * @param {typeof globalThis} platform
 * @returns {string[]}
 */
export function missingParts(platform) {
  return [
    [platform.isSecureContext, "https"],
    [platform.crypto?.getRandomValues, "crypto.getRandomValues"],
    [platform.crypto?.subtle, "crypto.subtle"],
    [platform.indexedDB?.databases, "IndexedDB"],
    [platform.navigator?.locks?.query, "Web Locks"],
    [platform.BroadcastChannel, "BroadcastChannel"],
  ].flatMap(([present, name]) => (present ? [] : [name]));
}

export class Seal {
  #survey;
  #waiting;
  #locks;
  #channel;
  #now;
  #ticket;
  #sealing = null;
  #drawn = null;

  /** @param {{survey: string, waiting: WaitingBody, locks: LockManager, channel: BroadcastChannel, now: () => number}} parts */
  constructor({ survey, waiting, locks, channel, now }) {
    this.#survey = `sotto:seal:${survey}`;
    this.#waiting = waiting;
    this.#locks = locks;
    this.#channel = channel;
    this.#now = now;
    this.#ticket = `${this.#survey}:page:${randomHex(16)}`;
  }

  /**
   * Look for a waiting body; if there is none, get a ticket for this page.
   *
   * @returns {Promise<"open" | "waiting" | "expired">} expired: a body waited longer than seven days and has been erased
   */
  async enter() {
    return this.#locks.request(this.#survey, async () => {
      const sealed = await this.#waiting.read();
      if (sealed && this.#now() < sealed.eraseAfter) {
        return "waiting";
      }
      if (sealed) {
        await this.#endTickets();
      }
      // Also erase the unreadable remains of a page that died while writing or erasing.
      await this.#waiting.erase();
      await this.#takeTicket();
      return sealed ? "expired" : "open";
    });
  }

  /**
   * Disguise and store once. Further calls return the same promise; after a failed write they retry with the same disguise.
   *
   * @param {() => string} draw returns the text of the request; called at most once in the life of a page
   * @param {{isTyped?: boolean}} [invitation] whether its code was typed, so that it may have to be corrected
   * @returns {Promise<string>} the text, which is now on disk
   * @throws {SealedElsewhere}
   */
  seal(draw, { isTyped = false } = {}) {
    this.#sealing ??= this.#locks
      .request(this.#survey, async () => {
        if (!(await this.#holdsTicket()) || (await this.#waiting.read())) {
          throw new SealedElsewhere();
        }
        this.#drawn ??= draw();
        const eraseAfter = this.#now() + KEEP_MILLISECONDS;
        await this.#waiting.write({ text: this.#drawn, eraseAfter, isTyped });
        await this.#endTickets();
        this.#channel.postMessage({ kind: "sealed" });
        return this.#drawn;
      })
      .catch((error) => {
        this.#sealing = null;
        throw error;
      });
    return this.#sealing;
  }

  /**
   * Replace a refused code; everything else stays, byte for byte.
   *
   * @param {string} refused the text of the request; if another one is waiting now, nothing changes
   * @param {string} code
   * @returns {Promise<string | null>} the new text, which is now on disk
   */
  async putRight(refused, code) {
    return this.#locks.request(this.#survey, async () => {
      const sealed = await this.#waiting.read();
      if (sealed?.text !== refused) {
        return null;
      }
      const text = JSON.stringify({ ...JSON.parse(refused), code });
      await this.#waiting.replace({ ...sealed, text });
      this.#channel.postMessage({ kind: "sealed" });
      return text;
    });
  }

  /**
   * The body is finished: erase it and tell every page.
   *
   * @param {{kind: string, status?: number}} announcement
   */
  async finish(announcement) {
    await this.#locks.request(this.#survey, async () => {
      await this.#endTickets();
      await this.#waiting.erase();
      this.#channel.postMessage(announcement);
    });
  }

  #takeTicket() {
    return new Promise((resolve, reject) => {
      this.#locks
        .request(this.#ticket, () => {
          resolve();
          return new Promise(() => {});
        })
        // Also called if the ticket is withdrawn later, long after the promise was resolved.
        .catch(reject);
    });
  }

  async #holdsTicket() {
    return (await this.#heldTickets()).includes(this.#ticket);
  }

  async #heldTickets() {
    const { held } = await this.#locks.query();
    return held.map(({ name }) => name).filter((name) => name.startsWith(`${this.#survey}:page:`));
  }

  async #endTickets() {
    for (const name of await this.#heldTickets()) {
      await this.#locks.request(name, { steal: true }, () => {});
    }
  }
}
