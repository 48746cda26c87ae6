/** The respondent's page of the saved draft, in a phone-sized frame. */

import { el } from "../dom.js";

export class Preview {
  /** @param {import("./app.js").App} app @param {HTMLElement} pane */
  constructor(app, pane) {
    this.app = app;
    this.isStale = true;
    this.isLoading = false;
    this.shown = app.tongue;
    [this.stage, this.frame, this.select] = [".stage", "iframe", "select"].map((name) => pane.querySelector(name));
    this.select.addEventListener("change", () => app.speak(this.select.value));
    pane.querySelector("[data-again]").addEventListener("click", () => this.load());
    this.frame.addEventListener("load", () => {
      this.isLoading = false;
      this.freshen();
    });
    new ResizeObserver(() => this.#scale()).observe(this.stage);
  }

  /** Offer the survey's current languages, and show the phone's. */
  offer() {
    const { languages, tongue } = this.app;
    this.select.replaceChildren(
      ...languages.map((tag) => el("option", { value: tag, selected: tag === tongue }, this.app.language(tag).name)),
    );
    this.select.hidden = languages.length < 2;
    if (tongue !== this.shown) {
      this.load();
    }
  }

  /** Show the last saved draft as soon as the frame is visible. */
  load() {
    this.isStale = true;
    this.freshen();
  }

  /** Load the frame; one load at a time, because a browser may drop the second of two. */
  freshen() {
    if (!this.isStale || this.isLoading || this.stage.offsetParent === null) {
      return;
    }
    this.isStale = false;
    this.isLoading = true;
    this.shown = this.app.tongue;
    const address = `${this.app.urls.preview}?language=${encodeURIComponent(this.shown)}`;
    if (this.frame.contentWindow && this.frame.src) {
      this.frame.contentWindow.location.replace(address);
    } else {
      this.frame.src = address;
    }
  }

  /** Scale the frame, which has a fixed width, to the available space. */
  #scale() {
    const scale = Math.min(1, this.stage.clientWidth / this.frame.offsetWidth) || 1;
    this.stage.style.setProperty("--scale", scale);
  }
}
