/**
 * A part of a page that follows a form: shortly after the last change it asks the server, and only the latest response counts.
 * Without a response, or if it is a log-in page, the part does not change.
 */

export class Newest {
  #asked = null;
  #timer = 0;
  #pause;
  #form;
  #part;
  #show;

  /**
   * @param {number} pause milliseconds to wait, so that typing a number is one change
   * @param {HTMLFormElement} form
   * @param {string} part name of the part of the page that the form's address should return
   * @param {(body: HTMLElement) => void} show receives the response
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
    for (const [name, value] of [...body]) {
      if (typeof value !== "string") {
        body.delete(name); // No part of a page follows a file.
      }
    }
    body.append("part", this.#part);
    try {
      const answer = await fetch(this.#form.action, { method: "POST", body, signal: this.#asked.signal });
      if (!answer.redirected && (answer.ok || answer.status === 422)) {
        this.#show(new DOMParser().parseFromString(await answer.text(), "text/html").body);
      }
    } catch {
      // There was a newer request, or the network is down.
    }
  }
}
