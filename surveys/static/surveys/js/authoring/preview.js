/** The respondent's page of the saved draft, in the frame of a telephone or of a desk. */

import { el } from "../dom.js";

const WIDTHS = { phone: 390, desk: 1280 };
const HEIGHTS = { phone: 760, desk: 860 };

export class Preview {
  /** @param {import("./app.js").App} app @param {HTMLElement} room @param {(width: string) => void} onWidth */
  constructor(app, room, onWidth) {
    this.app = app;
    this.onWidth = onWidth;
    this.isStale = true;
    this.isLoading = false;
    this.language = app.speaking;
    const { texts } = app;
    this.frame = el("iframe", {
      title: texts.preview_title,
      // The page runs its own scripts, and keeps nothing; it may not open windows, send forms or lead elsewhere.
      sandbox: "allow-scripts",
      referrerpolicy: "same-origin",
    });
    this.stage = el("div", { class: "stage" }, this.frame);
    this.select = el("select", { id: "preview-language", change: ({ target }) => this.speak(target.value) });
    this.buttons = Object.keys(WIDTHS).map((width) =>
      el(
        "button",
        { type: "button", class: "segment", "data-width": width, click: ({ target }) => this.#choose(width, target) },
        texts[`preview_${width}`],
      ),
    );
    room.replaceChildren(
      el("div", { class: "row" }, el("h2", { class: "grow", id: "preview-heading" }, texts.preview), ...this.#controls()),
      el("p", { class: "hint" }, texts.preview_hint),
      this.stage,
    );
    this.frame.addEventListener("load", () => {
      this.isLoading = false;
      this.freshen();
    });
    new ResizeObserver(() => this.#scale()).observe(this.stage);
    this.widen("phone");
  }

  #controls() {
    const { texts } = this.app;
    return [
      el("label", { class: "visually-hidden", for: "preview-language" }, texts.preview_language),
      this.select,
      el("div", { class: "segments", role: "group", "aria-label": texts.preview_width }, ...this.buttons),
      el("button", { type: "button", class: "link-button", click: () => this.load() }, texts.preview_again),
    ];
  }

  /** The wide frame stands elsewhere on the page: what was pressed stays in sight. */
  #choose(width, pressed) {
    this.widen(width);
    pressed.scrollIntoView({ block: "center" });
  }

  widen(width) {
    this.width = width;
    for (const made of this.buttons) {
      made.setAttribute("aria-pressed", String(made.dataset.width === width));
    }
    this.onWidth(width);
    this.#scale();
  }

  speak(language) {
    this.language = language;
    this.load();
  }

  /** Offer the languages that the survey has now. */
  offer() {
    const { languages } = this.app;
    if (!languages.includes(this.language)) {
      this.language = this.app.speaking;
    }
    this.select.replaceChildren(
      ...languages.map((tag) => el("option", { value: tag, selected: tag === this.language }, this.app.language(tag).name)),
    );
    this.select.hidden = languages.length < 2;
  }

  /** Show what was saved last, as soon as it can be seen. */
  load() {
    this.isStale = true;
    this.freshen();
  }

  /** One load after the other: a browser may forget the second of two that meet. */
  freshen() {
    if (!this.isStale || this.isLoading || this.stage.offsetParent === null) {
      return;
    }
    this.isStale = false;
    this.isLoading = true;
    this.offer();
    const address = `${this.app.urls.preview}?language=${encodeURIComponent(this.language)}`;
    if (this.frame.contentWindow && this.frame.src) {
      this.frame.contentWindow.location.replace(address);
    } else {
      this.frame.src = address;
    }
  }

  #scale() {
    const scale = Math.min(1, this.stage.clientWidth / WIDTHS[this.width]) || 1;
    this.frame.style.inlineSize = `${WIDTHS[this.width]}px`;
    this.frame.style.blockSize = `${HEIGHTS[this.width]}px`;
    this.frame.style.transform = `scale(${scale})`;
    this.stage.style.blockSize = `${HEIGHTS[this.width] * scale}px`;
  }
}
