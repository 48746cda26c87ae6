/**
 * The key of the sealed body that waits on this device, in a file of its own.
 *
 * A browser's database only marks what it deletes; a file can be written over. So the database has the body as a box,
 * and to erase it is to write zeros over its key. Only workers may write files in place: this script is the page's
 * side and the worker's. Disks that move what they write, as SSDs do, may keep the old bytes out of any page's reach.
 */

/** Where pages may run no address that is only a text, this is one that they may. */
const scripts = globalThis.trustedTypes?.createPolicy("sottovoce", { createScriptURL: () => import.meta.url });

/** This window, a private one perhaps, keeps no files. */
export class NoFiles extends Error {
  constructor() {
    super("this window keeps no files");
    this.name = "NoFiles";
  }
}

export class KeyFile {
  #name;
  #worker = null;
  #last = Promise.resolve();
  /** Refuses what is being asked. */
  #refuse = () => {};

  /** @param {string} name of the file, one a survey */
  constructor(name) {
    this.#name = name;
    try {
      // Now, not at the seal: by then the network may be gone.
      this.#worker = new Worker(scripts?.createScriptURL("") ?? import.meta.url, { type: "module" });
      // Its script did not arrive: it would never answer, nor say again that it failed.
      this.#worker.onerror = () => this.#broken();
    } catch {
      // What is asked for is refused below, each time.
    }
  }

  /** @returns {Promise<Uint8Array | null>} null where there is no key */
  async read() {
    try {
      const root = await navigator.storage.getDirectory();
      const file = await (await root.getFileHandle(this.#name)).getFile();
      return new Uint8Array(await file.arrayBuffer());
    } catch {
      return null;
    }
  }

  /**
   * Resolves once the key is on the disk.
   *
   * @param {Uint8Array} key
   * @throws {NoFiles}
   */
  async write(key) {
    await this.#ask({ name: this.#name, key });
  }

  /** Resolves once zeros are on the disk in the place of the key, and its file is removed. */
  async erase() {
    await this.#ask({ name: this.#name });
  }

  /** One thing at a time: an answer belongs to the question before it. */
  #ask(question) {
    const asked = this.#last.then(
      () =>
        new Promise((resolve, reject) => {
          if (!this.#worker) {
            reject(new NoFiles());
            return;
          }
          this.#refuse = reject;
          this.#worker.onmessage = ({ data }) => (data.error ? reject(refusal(data.error)) : resolve());
          this.#worker.postMessage(question);
        }),
    );
    this.#last = asked.catch(() => {});
    return asked;
  }

  #broken() {
    this.#worker = null;
    this.#refuse(new NoFiles());
  }
}

/** A full disk can be helped, and is said as it is; whatever else is refused means that no files are kept here. */
function refusal({ name, message }) {
  return name === "QuotaExceededError" ? new DOMException(message, name) : new NoFiles();
}

async function written({ name, key }) {
  const root = await navigator.storage.getDirectory();
  const handle = await root.getFileHandle(name, { create: true });
  const file = await handle.createSyncAccessHandle().catch((error) => abandoned(root, handle, error));
  try {
    file.write(key ?? new Uint8Array(file.getSize()), { at: 0 });
    file.flush();
  } finally {
    file.close();
  }
  if (!key) {
    await root.removeEntry(name);
  }
}

/** An engine without such handles has made an empty file by now, whose name tells which survey was answered. */
async function abandoned(root, handle, error) {
  if ((await handle.getFile()).size === 0) {
    await root.removeEntry(handle.name);
  }
  throw error;
}

if (typeof WorkerGlobalScope === "function") {
  self.onmessage = ({ data }) =>
    written(data).then(
      () => self.postMessage({}),
      ({ name, message }) => self.postMessage({ error: { name, message } }),
    );
}
