/**
 * The key of the sealed body that waits on this device, in a separate file.
 *
 * A browser's database only marks data as deleted, but a file can be overwritten. So the database stores the encrypted body,
 * and writing zeros over the key erases it. Only workers may overwrite files, so this script runs in the page and as a worker.
 * SSDs and other disks that move data may keep the old bytes where no page can reach them.
 */

/** The address of this script. A browser may remember that an address failed, so further requests have another one. */
const address = (again) => (Number(again) ? `${import.meta.url}?${Number(again)}` : import.meta.url);

/** A policy for pages that may run only trusted script addresses. */
const scripts = globalThis.trustedTypes?.createPolicy("sottovoce", { createScriptURL: address });

/** Milliseconds before the worker's script is requested again, and until a request counts as failed. */
const PAUSE = 1_000;
const PATIENCE = 10_000;

/** This window (perhaps a private one) cannot store files. */
export class NoFiles extends Error {
  constructor() {
    super("this window keeps no files");
  }
}

/** The worker that writes files for this page. It is loaded now and not at sealing, when the network may be gone. */
export class KeyWriter {
  #worker = null;
  #last;
  /** Rejects the current request. */
  #refuse = () => {};

  constructor() {
    this.ready = this.#start();
    this.#last = this.ready;
  }

  async #start() {
    for (let again = 0; again < 3 && !this.#worker; again += 1) {
      await (again && new Promise((done) => setTimeout(done, PAUSE)));
      try {
        const script = scripts?.createScriptURL(again) ?? address(again);
        this.#worker = await begun(new Worker(script, { type: "module" }));
      } catch {
        // This window allows no workers. Each request is rejected below.
        return;
      }
    }
    this.#worker?.addEventListener("error", () => {
      this.#worker = null;
      this.#refuse(new NoFiles());
    });
  }

  /** Handle one request at a time, so that each response belongs to its request. */
  ask(question) {
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
}

/** The worker, once its script runs; null if that did not arrive. */
function begun(worker) {
  return new Promise((resolve) => {
    const end = (found) => {
      clearTimeout(timer);
      worker.onerror = null;
      resolve(found);
    };
    const fail = () => {
      worker.terminate();
      end(null);
    };
    const timer = setTimeout(fail, PATIENCE);
    worker.onerror = fail;
    worker.onmessage = () => end(worker);
  });
}

export class KeyFile {
  #name;
  #writer;

  /** @param {string} name of the file, one per survey @param {KeyWriter} writer */
  constructor(name, writer) {
    this.#name = name;
    this.#writer = writer;
  }

  /** @returns {Promise<Uint8Array | null>} null if there is no key */
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
   * Resolves when the key is on disk.
   *
   * @param {Uint8Array} key
   * @throws {NoFiles}
   */
  async write(key) {
    await this.#writer.ask({ name: this.#name, key });
  }

  /** Resolves when zeros on disk have replaced the key, and its file has been removed. */
  async erase() {
    await this.#writer.ask({ name: this.#name });
  }
}

/** A full disk can be fixed, so report it as it is. Any other error means that this window cannot store files. */
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

/** Remove the empty file that an engine without such handles has created; its name would reveal which survey was answered. */
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
  self.postMessage({});
}
