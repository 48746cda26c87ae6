/**
 * The one thing that may stay on a device: a sealed body that has not arrived yet.
 *
 * Every survey has a database of its own, made when a body is sealed and deleted when that body is done with, so a
 * device on which nothing waits holds nothing.
 */

const STORE = "body";
const KEY = "waiting";

/** @param {IDBRequest} request */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export class WaitingBody {
  #factory;
  #name;

  /**
   * @param {IDBFactory} factory
   * @param {string} survey the survey's slug
   */
  constructor(factory, survey) {
    this.#factory = factory;
    this.#name = `sotto:${survey}`;
  }

  /** @returns {Promise<Sealed | null>} the body that waits; where none does, nothing is made by asking */
  async read() {
    const databases = await this.#factory.databases();
    if (!databases.some(({ name }) => name === this.#name)) {
      return null;
    }
    const database = await this.#open();
    try {
      return (await settled(database.transaction(STORE).objectStore(STORE).get(KEY))) ?? null;
    } finally {
      database.close();
    }
  }

  /**
   * Resolves once the body is on the disk; a body that waits already is an error, never overwritten.
   *
   * @param {Sealed} sealed
   */
  async write(sealed) {
    await this.#change((store) => store.add(sealed, KEY));
  }

  /** Resolves once the same body, its code put right, is on the disk. @param {Sealed} sealed */
  async replace(sealed) {
    await this.#change((store) => store.put(sealed, KEY));
  }

  async erase() {
    await settled(this.#factory.deleteDatabase(this.#name));
  }

  /** @param {(store: IDBObjectStore) => void} change */
  async #change(change) {
    const database = await this.#open();
    try {
      const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
      const done = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      change(transaction.objectStore(STORE));
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
