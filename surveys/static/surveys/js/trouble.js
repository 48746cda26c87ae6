/** What a respondent reads if something fails: the cause and a remedy in Sottovoce's own words, never the browser's. */

import { NoGenerator } from "./coins.js";
import { button, el, fill } from "./dom.js";
import { NotArrived } from "./program.js";
import { heading } from "./said.js";

/** The browser's storage did not respond in time. It may still do so. */
export class NoResponse extends Error {
  name = "NoResponse";
}

/** The names of the browser's errors about storage, by kind of trouble. */
const STORAGE = [
  ["room", /^QuotaExceededError$/],
  ["blocked", /^(Security|NotAllowed|InvalidState)Error$/],
  ["stuck", /^(NoResponse|(Abort|NotFound|NotReadable|NotSupported|Timeout|Unknown|Version)Error)$/],
];

/**
 * The kind of trouble behind an error. Everything that a respondent reads about an error depends on this alone.
 * @param {unknown} error
 * @returns {"unreached" | "unable" | "room" | "blocked" | "stuck" | "broken"}
 */
export function troubleOf(error) {
  if (error instanceof NotArrived) {
    return "unreached";
  }
  if (error instanceof NoGenerator) {
    return "unable";
  }
  const [kind] = STORAGE.find(([, names]) => names.test(error?.name)) ?? ["broken"];
  return kind;
}

/** Whether an error is about storage. Its texts are not loaded with the first screen. @param {unknown} error */
export const isStorage = (error) => STORAGE.some(([kind]) => kind === troubleOf(error));

/**
 * The screen for an error.
 * @param {Record<string, string>} texts
 * @param {unknown} error
 * @param {{onTry?: (() => void) | null, more?: string}} [besides] onTry: what the button does; more: what is left of the answers
 */
export function troubleNodes(texts, error, { onTry = null, more } = {}) {
  const kind = troubleOf(error);
  const again = button(texts.try_again, () => {
    again.disabled = true;
    onTry();
  });
  return [
    heading(texts[`${kind}_title`]),
    texts[kind] && el("p", { role: "alert" }, fill(texts[kind], { parts: "crypto.getRandomValues" })),
    more && el("p", {}, more),
    onTry && kind !== "unable" && el("div", { class: "row actions" }, again),
  ].filter(Boolean);
}

/**
 * Work that may fail or never end. Running it again repeats work that failed, and waits on for work that has not ended.
 * @template Result
 */
export class Attempt {
  #work;
  #running = null;

  /** @param {() => Promise<Result>} work */
  constructor(work) {
    this.#work = work;
  }

  /** @returns {Promise<Result>} */
  run() {
    this.#running ??= this.#work().catch((error) => {
      this.#running = null;
      throw error;
    });
    return this.#running;
  }

  /** @param {number} milliseconds @returns {Promise<Result>} @throws {NoResponse} */
  within(milliseconds) {
    let timer;
    const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new NoResponse()), milliseconds)));
    return Promise.race([this.run(), late]).finally(() => clearTimeout(timer));
  }
}

/** Milliseconds to wait for several attempts altogether. After a failure they start again. */
export class Patience {
  #most;
  #spent = 0;

  /** @param {number} most */
  constructor(most) {
    this.#most = most;
  }

  /** @template Result @param {Attempt<Result>} attempt @returns {Promise<Result>} @throws {NoResponse} */
  async spend(attempt) {
    const begun = performance.now();
    try {
      const result = await attempt.within(this.#most - this.#spent);
      this.#spent += performance.now() - begun;
      return result;
    } catch (error) {
      this.#spent = 0;
      throw error;
    }
  }
}
