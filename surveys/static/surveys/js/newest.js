/**
 * A part of a page that follows a form: the server is asked a moment after the last change, the newest question only.
 * Where no answer comes, or one of a log-in, what stands there stays.
 */

export class Newest {
  #asked = null;
  #timer = 0;
  #pause;
  #form;
  #part;
  #show;

  /**
   * @param {number} pause milliseconds: typing a number is one change
   * @param {HTMLFormElement} form
   * @param {string} part of the page that the form's own address answers with
   * @param {(body: HTMLElement) => void} show what the server wrote
   */
  constructor(pause, form, part, show) {
    this.#pause = pause;
    this.#form = form;
    this.#part = part;
    this.#show = show;
  }

  later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now(), this.#pause);
  }

  async now() {
    this.#asked?.abort();
    this.#asked = new AbortController();
    const body = new FormData(this.#form);
    body.append("part", this.#part);
    try {
      const answer = await fetch(this.#form.action, { method: "POST", body, signal: this.#asked.signal });
      if (!answer.redirected && (answer.ok || answer.status === 422)) {
        this.#show(new DOMParser().parseFromString(await answer.text(), "text/html").body);
      }
    } catch {
      // A newer question was asked, or the network is away.
    }
  }
}
