/**
 * Saves the draft while it is edited, and reports its state. Independent of the page: fetch, clock and report are arguments.
 *
 * States: "saved", "unsaved", "saving", "away" (no network; it tries again), "conflict" (another tab has saved),
 * "logged_out", "refused" (the server does not accept this document).
 *
 * @typedef {{status: number, body: any}} Answer
 * @typedef {object} Means
 * @property {(document: any, revision: number, replaces: boolean) => Promise<Answer>} send rejects if there is no network;
 *   replaces: the draft before this save must stay among the earlier saves
 * @property {(state: string, detail?: any) => void} tell
 * @property {(body: any) => void} onSaved receives the server's answer about the saved draft
 * @property {(run: () => void, milliseconds: number) => any} later
 * @property {(timer: any) => void} never
 */

const PAUSE = 700;
const LONGEST_WAIT = 30_000;

export class Autosave {
  /** @param {Means} means @param {any} document as stored on the server @param {number} revision */
  constructor(means, document, revision) {
    this.means = means;
    this.kept = document;
    this.wanted = document;
    this.revision = revision;
    this.state = "saved";
    this.timer = null;
    this.wait = 1000;
    /** The version saved by another tab, until the conflict is resolved. */
    this.theirs = null;
    /** Whether the next save replaces the draft before it, as opposed to continuing it. */
    this.replaces = false;
    /** Resolves when the save in progress has ended. */
    this.saving = Promise.resolve();
  }

  /** Whether leaving now would lose something. */
  get isBehind() {
    return this.wanted !== this.kept;
  }

  /** The document has changed. */
  want(document) {
    this.wanted = document;
    if (this.state === "saving" || this.state === "conflict") {
      return;
    }
    this.#plan(PAUSE);
    if (this.state !== "away" && this.state !== "logged_out") {
      this.#enter(this.isBehind ? "unsaved" : "saved");
    }
  }

  /** What comes next replaces the document, as after undo: save it now, and keep it among the earlier saves. */
  keep() {
    if (this.isBehind) {
      this.now();
    }
    this.replaces = true;
  }

  /** Save unsaved changes now, after a save in progress; resolves when that has succeeded or failed. */
  async now() {
    if (this.state === "saving") {
      await this.saving;
      if (this.state !== "unsaved") {
        return;
      }
    }
    this.#forget();
    if (this.state === "conflict") {
      return;
    }
    if (!this.isBehind) {
      this.#enter("saved");
      return;
    }
    this.saving = this.#send(this.wanted);
    await this.saving;
  }

  async #send(sent) {
    this.#enter("saving");
    const { replaces } = this;
    this.replaces = false;
    let answer;
    try {
      answer = await this.means.send(sent, this.revision, replaces);
    } catch {
      this.replaces ||= replaces;
      this.#tryAgain("away");
      return;
    }
    this.replaces ||= replaces && answer.status !== 200;
    this.#settle(answer, sent);
  }

  /** Continue with the other tab's version. @returns {any} its document */
  takeTheirs() {
    const { document, revision } = this.theirs;
    this.theirs = null;
    this.revision = revision;
    this.kept = document;
    this.wanted = document;
    this.#enter("saved");
    return document;
  }

  /** Overwrite the other tab's version with this one. */
  keepMine() {
    this.revision = this.theirs.revision;
    this.kept = this.theirs.document;
    this.theirs = null;
    this.replaces = true;
    this.#enter("unsaved");
    return this.now();
  }

  #settle({ status, body }, sent) {
    if (status === 200) {
      this.wait = 1000;
      this.kept = sent;
      this.revision = body.revision;
      this.means.onSaved(body);
      this.#enter(this.isBehind ? "unsaved" : "saved");
      if (this.isBehind) {
        this.#plan(PAUSE);
      }
    } else if (status === 409 && body.error === "revision") {
      this.theirs = { document: body.document, revision: body.revision };
      this.#enter("conflict", body);
    } else if (status === 401 || status === 403) {
      this.#enter("logged_out");
    } else if (status >= 500 || status === 429) {
      this.#tryAgain("away");
    } else {
      this.#enter("refused", body);
    }
  }

  #tryAgain(state) {
    this.#enter(state);
    this.#plan(this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  #plan(milliseconds) {
    this.#forget();
    this.timer = this.means.later(() => this.now(), milliseconds);
  }

  #forget() {
    if (this.timer !== null) {
      this.means.never(this.timer);
      this.timer = null;
    }
  }

  #enter(state, detail) {
    this.state = state;
    this.means.tell(state, detail);
  }
}
