/** Deliver a sealed body, and show how that goes. No true answer is left. */

import { el } from "./dom.js";
import { outcomeNodes } from "./parts.js";
import { part } from "./program.js";
import { fromHex } from "./request.js";
import { troubleNodes } from "./trouble.js";

export class Delivering {
  #visit;
  #request;
  #status;
  #row;

  /** @param {Visit} visit @param {string} request sealed, and on disk if possible */
  constructor(visit, request) {
    const { page, texts, parts, post } = visit;
    this.#visit = visit;
    this.#request = request;
    const nodes = outcomeNodes(texts, "sending", { isInPage: post.isInPage });
    this.#status = el("section", { class: "stack", role: "status" }, ...nodes);
    // Folded, because it looks like answers, and someone may be looking over the respondent's shoulder.
    this.#row = parts.sentRow({ ...page, texts }, fromHex(JSON.parse(request).body));
  }

  async begin() {
    const { trail, keptCode } = this.#visit;
    trail.moveTo(0);
    keptCode?.erase();
    // Changing the language would load the page anew.
    document.getElementById("languages")?.remove();
    this.#visit.show(this.#status);
    this.#status.after(this.#row);
    await this.#deliver();
  }

  async #deliver() {
    const { page, texts, parts, post } = this.#visit;
    try {
      const { name, text } = await post.deliver((nodes) => this.#say(nodes), this.#request);
      if (name === "delivered") {
        this.#status.append(this.#visit.wayBack());
        this.#row.append((text && (await parts.receipt(texts, text))) || "");
      }
      if (page.practice || page.state.preview) {
        await (await part("understanding")).ask(this.#visit);
      }
    } catch (error) {
      this.#say(troubleNodes(texts, error, { onTry: () => this.#deliver() }));
    }
  }

  #say(nodes) {
    const hadFocus = this.#status.contains(document.activeElement);
    this.#status.replaceChildren(...nodes);
    if (hadFocus) {
      this.#visit.focusHeading(this.#status);
    }
  }
}
