/** A device in memory: Web Locks, one waiting body and a channel, shared by the pages that a test opens. */

class Locks {
  #held = [];
  #queue = [];

  async query() {
    return { held: this.#held.map(({ name }) => ({ name })) };
  }

  request(name, options, task) {
    const work = task ?? options;
    return new Promise((resolve, reject) => {
      if (options.steal) {
        for (const lock of this.#held.filter((lock) => lock.name === name)) {
          this.#release(lock);
          lock.reject(Object.assign(new Error("stolen"), { name: "AbortError" }));
        }
      }
      this.#queue.push({ name, work, resolve, reject });
      this.#grant();
    });
  }

  #grant() {
    const next = this.#queue.find(({ name }) => !this.#held.some((lock) => lock.name === name));
    if (!next) {
      return;
    }
    this.#queue.splice(this.#queue.indexOf(next), 1);
    this.#held.push(next);
    queueMicrotask(async () => {
      try {
        next.resolve(await next.work());
      } catch (error) {
        next.reject(error);
      }
      this.#release(next);
    });
    this.#grant();
  }

  #release(lock) {
    this.#held = this.#held.filter((other) => other !== lock);
    this.#grant();
  }
}

class Waiting {
  sealed = null;
  failures = 0;

  async read() {
    return this.sealed;
  }

  async write(sealed) {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error("the disk is full");
    }
    if (this.sealed) {
      throw new Error("one waits already");
    }
    this.sealed = sealed;
  }

  async replace(sealed) {
    this.sealed = sealed;
  }

  async erase() {
    this.sealed = null;
  }
}

export function device() {
  const said = [];
  return { locks: new Locks(), waiting: new Waiting(), said, channel: { postMessage: (message) => said.push(message) } };
}
