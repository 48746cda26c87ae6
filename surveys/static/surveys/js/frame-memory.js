/**
 * What a frame remembers on this device: the sealed string, or that there was one. Under one lock, so that two windows
 * draw once. Where a browser gives no storage, or a device is shared, the open page alone remembers.
 */

/** Stands for a string that the host has said it keeps for good. */
export const DONE = "";

export class Memory {
  #storage;
  #locks;
  #key;
  #here = null;

  /** @param {{storage: Storage | null, locks?: LockManager, key: string}} parts storage: null where nothing is to stay */
  constructor({ storage, locks, key }) {
    this.#storage = storage;
    this.#locks = locks;
    this.#key = key;
  }

  /** @returns {string | null} the string, DONE, or null */
  read() {
    try {
      return this.#here ?? this.#storage?.getItem(this.#key) ?? null;
    } catch {
      return this.#here;
    }
  }

  /** Draw and keep, unless another window has. @param {() => string} draw @returns {Promise<string>} */
  once(draw) {
    const keep = () => {
      const found = this.read();
      if (found === null) {
        this.#write(draw());
      }
      return this.read();
    };
    return this.#locks && this.#storage ? this.#locks.request(this.#key, keep) : Promise.resolve().then(keep);
  }

  /** Keep no more than that there was an answer. */
  end() {
    this.#write(DONE);
  }

  /** Whether this browser writes and reads back. */
  works() {
    const probe = `${this.#key}:probe`;
    try {
      this.#storage.setItem(probe, probe);
      const found = this.#storage.getItem(probe);
      this.#storage.removeItem(probe);
      return Boolean(this.#locks) && found === probe;
    } catch {
      return false;
    }
  }

  #write(value) {
    this.#here = value;
    try {
      this.#storage?.setItem(this.#key, value);
    } catch {
      // Full, or refused: this page remembers, and said before that the device may not.
    }
  }
}
