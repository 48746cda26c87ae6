/**
 * The only thing that may stay on a device: a sealed body that has not arrived yet, encrypted with a key in a file.
 *
 * Every survey has a separate database and file. They are created when a body is sealed and deleted when it is finished, so a
 * device without a waiting body stores nothing. If a window cannot store files, the body exists only in this page.
 */

import { NoFiles } from "./key-file.js";

const STORE = "body";
const KEY = "waiting";
const CIPHER = "AES-GCM";
const PREFIX = "sotto:";

/** @param {IDBRequest} request */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export class WaitingBody {
  #factory;
  #keyFile;
  #name;
  /** The body itself, if this window cannot store files. */
  #here = null;

  /**
   * @param {object} parts
   * @param {IDBFactory} parts.factory
   * @param {KeyFile} parts.keyFile
   * @param {string} parts.survey the survey's slug
   */
  constructor({ factory, keyFile, survey }) {
    this.#factory = factory;
    this.#keyFile = keyFile;
    this.#name = `${PREFIX}${survey}`;
  }

  /** Whether the waiting body exists only in this open page. */
  get isInPage() {
    return this.#here !== null;
  }

  /** @returns {Promise<Sealed | null>} the waiting body, or null; reading never creates anything */
  async read() {
    if (this.#here || !(await this.#isMade())) {
      return this.#here;
    }
    const found = await this.#found();
    return found && this.#opened(found);
  }

  /**
   * Resolves when the body is on disk. Rejects if a body is already waiting, and never overwrites it.
   *
   * @param {Sealed} sealed
   */
  async write(sealed) {
    if (await this.read()) {
      throw new Error("a body waits already");
    }
    const key = await crypto.subtle.generateKey({ name: CIPHER, length: 256 }, true, ["encrypt"]);
    const raw = new Uint8Array(await crypto.subtle.exportKey("raw", key));
    try {
      // Create the database first: as long as it exists, a visit looks for a key that was left behind.
      (await this.#open()).close();
      await this.#keyFile.write(raw);
      await this.#put(sealed, key);
      // Some windows accept everything and keep nothing.
      if ((await this.read())?.text !== sealed.text) {
        throw new NoFiles();
      }
    } catch (error) {
      await this.erase().catch(() => {});
      if (!(error instanceof NoFiles)) {
        throw error;
      }
      this.#here = sealed;
    }
  }

  /** Resolves when the same body with a corrected code is on disk. @param {Sealed} sealed */
  async replace(sealed) {
    if (this.#here) {
      this.#here = sealed;
      return;
    }
    await this.#put(sealed, await this.#key("encrypt"));
  }

  /** Erase the key, then the encrypted body, and also what an interrupted page left behind. */
  async erase() {
    this.#here = null;
    if (await this.#isMade()) {
      try {
        await this.#keyFile.erase();
      } finally {
        await settled(this.#factory.deleteDatabase(this.#name));
      }
    }
  }

  async #isMade() {
    return (await this.#factory.databases()).some(({ name }) => name === this.#name);
  }

  async #found() {
    const database = await this.#open();
    try {
      return (await settled(database.transaction(STORE).objectStore(STORE).get(KEY))) ?? null;
    } finally {
      database.close();
    }
  }

  /** @param {"encrypt" | "decrypt"} use */
  async #key(use) {
    return crypto.subtle.importKey("raw", (await this.#keyFile.read()) ?? new Uint8Array(), CIPHER, false, [use]);
  }

  /** @returns {Promise<Sealed | null>} null if the key is gone, which means that the body was erased */
  async #opened({ box, nonce }) {
    try {
      const key = await this.#key("decrypt");
      return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt({ name: CIPHER, iv: nonce }, key, box)));
    } catch {
      return null;
    }
  }

  /** @param {Sealed} sealed @param {CryptoKey} key */
  async #put(sealed, key) {
    const nonce = crypto.getRandomValues(new Uint8Array(12));
    const bytes = new TextEncoder().encode(JSON.stringify(sealed));
    const box = new Uint8Array(await crypto.subtle.encrypt({ name: CIPHER, iv: nonce }, key, bytes));
    const database = await this.#open();
    try {
      const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
      const done = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      transaction.objectStore(STORE).put({ box, nonce }, KEY);
      await done;
    } finally {
      database.close();
    }
  }

  #open() {
    const request = this.#factory.open(this.#name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    return settled(request);
  }
}
