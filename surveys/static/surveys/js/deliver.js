/** Delivery of the waiting body: sends the same bytes again and again until the server accepts or refuses them. */

import { Attempt } from "./trouble.js";

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;
const LONGEST_WISH = 3_600_000;
const PATIENCE = 30_000;
const ERASING = 5_000;
const CONTENT_TYPE = "application/vnd.sotto.submission+json";

/**
 * What an HTTP status means for the body that was sent; the status is 0 if there was no response.
 *
 * Only a refused invitation ends a body before its seven days are over. Otherwise a server could cause a new draw.
 *
 * @param {number} status
 * @param {string} [error] the server's name for its refusal
 * @returns {"delivered" | "refused" | "retry" | "stopped"}
 */
export function verdict(status, error) {
  if (status === 200) {
    return "delivered";
  }
  if (status === 422 && error === "invitation_refused") {
    return "refused";
  }
  if (status === 0 || status === 408 || status === 425 || status === 429 || status >= 500) {
    return "retry";
  }
  return "stopped";
}

/**
 * Milliseconds until the next attempt: doubling from one second to one minute, and never less than the server demands.
 *
 * @param {number} attempts number of failed attempts
 * @param {string | null} retryAfter the server's header, in seconds
 */
export function pauseAfter(attempts, retryAfter) {
  const wish = Number(retryAfter ?? 0) * 1000;
  const own = Math.min(FIRST_PAUSE * 2 ** (attempts - 1), LONGEST_PAUSE);
  return Math.max(own, Math.min(Number.isFinite(wish) ? wish : 0, LONGEST_WISH));
}

/** @returns {Promise<{status: number, retryAfter: string | null, error?: string}>} */
async function post(fetch, url, text) {
  try {
    const response = await fetch(url, {
      method: "POST",
      body: text,
      headers: { "Content-Type": CONTENT_TYPE },
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(PATIENCE),
    });
    // The log-in page of a network on the way may return 200 too, so only the server's own word ends the wait.
    const { status, error } = await said(response);
    if (response.status === 200 && status !== "received") {
      return { status: 0, retryAfter: null };
    }
    return { status: response.status, retryAfter: response.headers.get("Retry-After"), error };
  } catch {
    return { status: 0, retryAfter: null };
  }
}

/** The JSON in the response; empty if there is none, or if it is cut off. */
async function said(response) {
  try {
    return (await response.json()) ?? {};
  } catch {
    return {};
  }
}

export class Delivery {
  #parts;
  #wake = () => {};

  /**
   * @param {{survey: string, url: string, seal: Seal, waiting: WaitingBody, locks: LockManager, fetch: typeof fetch,
   *   now: () => number, pause: (milliseconds: number) => Promise<void>}} parts
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Try again now, because the network is back or the user asked for it. */
  wake() {
    this.#wake();
  }

  /**
   * Send the waiting body. One page at a time does this; if it is closed, another open page continues.
   *
   * @param {(delay: {pause: number, status: number}) => void} onDelay called before each pause
   * @returns {Promise<Outcome>}
   */
  run(onDelay) {
    const { survey, url, seal, waiting, locks, fetch, now } = this.#parts;
    return locks.request(`sotto:send:${survey}`, async () => {
      for (let attempts = 1; ; attempts += 1) {
        const sealed = await waiting.read();
        if (!sealed) {
          return { kind: "gone" };
        }
        if (now() >= sealed.eraseAfter) {
          await seal.finish({ kind: "expired" });
          return { kind: "expired" };
        }
        const { status, retryAfter, error } = await post(fetch, url, sealed.text);
        const kind = verdict(status, error);
        const outcome = error ? { kind, status, error } : { kind, status };
        if (kind === "refused" && sealed.isTyped) {
          return { ...outcome, kind: "mistyped", text: sealed.text };
        }
        if (kind === "delivered" || kind === "refused") {
          const finished = new Attempt(() => seal.finish(outcome)).within(ERASING);
          // Storage that fails must not hide that the answers have arrived. A later visit erases what is left.
          await (kind === "delivered" ? finished.catch(() => {}) : finished);
        }
        if (kind !== "retry") {
          return outcome;
        }
        const pause = pauseAfter(attempts, retryAfter);
        onDelay({ pause, status });
        await this.#pauseOrWake(pause);
      }
    });
  }

  #pauseOrWake(milliseconds) {
    const woken = new Promise((resolve) => {
      this.#wake = resolve;
    });
    return Promise.race([this.#parts.pause(milliseconds), woken]);
  }
}
