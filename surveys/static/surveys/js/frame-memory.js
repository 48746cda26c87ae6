/**
 * What a frame remembers on this device: the sealed string, or that there was one. A lock ensures that two windows draw only
 * once. Without storage, or on a shared device, only the open page remembers.
 */

import { Attempt } from "./trouble.js";

/** Milliseconds for a lock to respond. */
const PATIENCE = 2_000;

/** Replaces a string that the host has stored permanently. */
export const DONE = "";

export class Memory {
  #storage;
  #locks;
  #key;
  #here = null;

  /** @param {{storage: Storage | null, locks?: LockManager, key: string}} parts storage: null if nothing may be stored */
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

  /** Draw a string and store it, unless another window has. @param {() => string} draw @returns {Promise<string>} */
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

  /** From now on store only that there was an answer. */
  end() {
    this.#write(DONE);
  }

  /** Whether storage and locks work. Locks that refuse or do not respond are no longer used. */
  async works() {
    const probe = `${this.#key}:probe`;
    try {
      await new Attempt(() => this.#locks.request(probe, () => {})).within(PATIENCE);
    } catch {
      this.#locks = undefined;
    }
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
      // The storage is full or refuses. This page still remembers, and it has said that the device may not.
    }
  }
}
