/** Find out whether this page may ask the survey: its modules, its invitation, and bodies that earlier pages left. */

import { Asking } from "./asking.js";
import { platformFill } from "./coins.js";
import { el } from "./dom.js";
import { draws } from "./draws.js";
import { asksBoxes } from "./kinds.js";
import { isArm } from "./layout.js";
import { numberOutputs } from "./numbers.js";
import { outcomeNodes } from "./parts.js";
import { Post } from "./post.js";
import { part } from "./program.js";
import { rotates } from "./rotation.js";
import { Attempt, Patience } from "./trouble.js";

/** @param {Block} block */
const asksPlace = ({ questions: [{ kind }] }) => kind === "place";

/** Exported so that every page loads numbers.js, which adds this kind of question; frames load it themselves. */
export { numberOutputs };

export class Opening {
  #visit;
  #url;
  /** The code in the address, if there was one. */
  #invitation = null;
  /** Milliseconds for the storage to respond before the first question, in both steps together. */
  #patience = new Patience(2_000);
  /** Looks for a waiting body. */
  #entering = new Attempt(() => this.#visit.post.seal.enter());

  /** @param {Visit} visit @param {string} url address for sealed bodies */
  constructor(visit, url) {
    this.#visit = visit;
    this.#url = url;
  }

  async begin() {
    const visit = this.#visit;
    try {
      const { page } = visit;
      await Promise.all([
        page.design.blocks.some(asksPlace) && part("places"),
        visit.speak("first"),
        asksBoxes(page) && part("boxes").then(({ prepare }) => prepare(visit)),
      ]);
      await this.#open();
    } catch (error) {
      await visit.fail(error, () => this.begin());
    }
  }

  /** Load what the first screen needs, and show it. If this fails, it can be called again. */
  async #open() {
    const visit = this.#visit;
    const { page, texts } = visit;
    const { design, survey } = page;
    const isDrawn = rotates(design);
    const hasRight = page.wording.some(({ questions }) => questions.some(({ right }) => right !== undefined));
    // Load everything that only some surveys need at the same time.
    [visit.invited, visit.again, visit.panel, visit.armed, visit.drawing, visit.turns] = await Promise.all([
      page.by_invitation ? part("invitation") : null,
      hasRight ? part("again") : null,
      page.panel ? part("panel") : null,
      design.invited || design.blocks.some(isArm) ? part("arms") : null,
      isDrawn ? part("drawing") : null,
      page.turn ? part("turns") : null,
      page.by_invitation && visit.speak("invited"),
      design.group.policy !== "protected" && visit.speak("groups"),
      visit.isRare && visit.speak("rare"),
      hasRight && visit.speak("again"),
      design.mechanism > 6 && part("composites").then(({ prepare }) => prepare(visit)),
    ]);
    const { invited } = visit;
    visit.keptCode ??= invited && new invited.KeptCode(survey);
    this.#invitation ??= invited ? invited.takeCode(window) : { code: null };
    if (visit.keptCode && !this.#invitation.code && !this.#invitation.isWrong) {
      Object.assign(this.#invitation, visit.keptCode.read());
    }
    // Respondents who cannot be protected must learn this before the first question.
    platformFill(draws(design))();
    visit.post ??= page.state.preview
      ? new (await part("rehearsal")).Rehearsal({ texts })
      : new Post({ survey, url: this.#url, texts, onAnnouncement: () => this.#shutOut() });
    const found = await this.#patience.spend(this.#entering);
    if (found !== "open" && found !== "free") {
      await Promise.all([visit.speak("end"), visit.speak("unasked")]);
    }
    if (found === "waiting") {
      await this.#deliverFound();
      return;
    }
    const note = found === "expired" && el("div", { class: "note stack" }, ...outcomeNodes(texts, "expired"));
    const { code } = this.#invitation;
    if (page.turn && !page.by_invitation && !page.state.preview && !visit.person) {
      visit.show(el("h2", { tabindex: "-1" }, texts.turn_unknown_title), el("p", {}, texts.turn_unknown));
      return;
    }
    if (!page.by_invitation || code) {
      await this.#ask(code, note);
      return;
    }
    const onCode = (given, isTyped) => {
      visit.isTyped = isTyped;
      this.#ask(given, note).then(() => visit.focusHeading(), (error) => visit.fail(error));
    };
    visit.root.replaceChildren(...[note, ...invited.codeScreen({ texts, isWrong: this.#invitation.isWrong, onCode })].filter(Boolean));
  }

  /** The respondent may answer. */
  async #ask(code, note) {
    const visit = this.#visit;
    visit.code = code;
    if (!visit.isTyped) {
      visit.keptCode?.keep(code);
    }
    const asking = new Asking(visit, this.#patience, note);
    visit.enter(asking);
    await asking.begin();
  }

  /** Deliver a body that an earlier page left. */
  async #deliverFound() {
    const { post, root, texts } = this.#visit;
    try {
      if ((await post.deliverFound((nodes) => this.#visit.show(...nodes))) === "delivered") {
        root.append(this.#visit.wayBack());
      }
    } catch (error) {
      await this.#visit.fail(error, () => this.#deliverFound(), texts.found);
    }
  }

  /** Another page has sealed an answer. This page can no longer do so, and its answers are of no use. */
  #shutOut() {
    const { phase, trail, texts } = this.#visit;
    if (phase?.hasAnswers) {
      phase.forget();
      trail.moveTo(0);
      this.#visit.show(...outcomeNodes(texts, "elsewhere"));
    }
  }
}
