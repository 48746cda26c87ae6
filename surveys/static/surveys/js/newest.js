/**
 * A part of a page that follows a form: the server is asked a moment after the last change, the newest question only.
 * Where no answer comes, or one of a log-in, what stands there stays.
 */

export class Newest {
  #asked = null;
  #timer = 0;
  #pause;
  #ask;
  #show;

  /**
   * @param {number} pause milliseconds: typing a number is one change
   * @param {(signal: AbortSignal) => Promise<Response>} ask
   * @param {(body: HTMLElement) => void} show what the server wrote
   */
  constructor(pause, ask, show) {
    this.#pause = pause;
    this.#ask = ask;
    this.#show = show;
  }

  later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now(), this.#pause);
  }

  async now() {
    this.#asked?.abort();
    this.#asked = new AbortController();
    try {
      const answer = await this.#ask(this.#asked.signal);
      if (!answer.redirected && (answer.ok || answer.status === 422)) {
        this.#show(new DOMParser().parseFromString(await answer.text(), "text/html").body);
      }
    } catch {
      // A newer question was asked, or the network is away.
    }
  }
}
