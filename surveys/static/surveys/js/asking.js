/**
 * Ask the questions: connects the flow and the screens to the browser.
 *
 * True answers exist in `#state` and in the controls on the screen. Sealing takes them away from here.
 */

import * as flow from "./flow.js";
import { surround } from "./around.js";
import { Coins, platformFill } from "./coins.js";
import { spoken, wordsIn } from "./documents.js";
import { button, el } from "./dom.js";
import { drawGroup } from "./draws.js";
import { intro, introScreen } from "./intro.js";
import { isScaleKind } from "./kinds.js";
import { bodyLength, isArm, isScale } from "./layout.js";
import { leave } from "./parts.js";
import { part } from "./program.js";
import { hex } from "./seal.js";
import { started } from "./start.js";
import { Trail } from "./trail.js";
import { Attempt, isStorage, NoResponse } from "./trouble.js";

/** Characters of a request besides the body's, at most. */
const AROUND_BODY = 600;

/** The blocks of which one is the first that some device asks. @param {Design} design */
function firstBlocks({ blocks, rotations = [] }) {
  const drawn = new Set(rotations.flatMap((rotation) => rotation.blocks));
  const asked = blocks.filter((block) => !isArm(block));
  const sure = asked.findIndex((block) => block.asked_if === null && !drawn.has(block.key));
  return sure === -1 ? asked : asked.slice(0, sure + 1);
}

const randomName = () => `n${hex(crypto.getRandomValues(new Uint8Array(8)))}`;

export class Asking {
  #visit;
  /** @type {State | null} null before the first screen, and after the answers have been forgotten */
  #state = null;
  #names = new Map();
  /** The first screen, and what it says besides: that an older body has expired, or that this window cannot store a new one. */
  #first = null;
  #note;
  /** Whether the explanation was shown a second time. */
  #isToldAgain = false;
  /** Whether a body will exist only in this page. */
  #isInPage = false;
  #patience;
  /** The modules for the questions, which the first screen does not need, and a trial of the storage. */
  #needed = new Attempt(() => Promise.all([this.#loadScreens(), this.#tryOut()]));
  #tried = new Attempt(() => this.#visit.post.tryOut(2 * bodyLength(this.#visit.page.design) + AROUND_BODY));
  /** The screens after the first one, and what loads further modules. */
  #later = new Attempt(async () => Object.assign(this.#visit.parts, await part("later")));
  /** What question 1 does not need. No question can be left before, because the network may fail later. */
  #ending = new Attempt(async () => {
    // A folded part of the first screen may be opened before.
    const parts = await this.#later.run();
    const [found] = await Promise.all([parts.loadRest(), this.#visit.speak("end"), this.#scale.run(), this.#before.run(), this.#group.run(), this.#looks.run(), parts.loadFinder(this.#visit.asked.wording)]);
    await this.#composed.run();
    Object.assign(parts, found);
    this.#hasArrived(parts);
    return parts;
  });
  /** The screens before the questions of a part. */
  #before = new Attempt(async () => {
    const { parts } = this.#visit;
    Object.assign(parts, (await Promise.all([parts.loadBefore(), this.#visit.speak("before")]))[0]);
  });
  /** The screen on how to answer, if there are two ways. */
  #group = new Attempt(async () => {
    const { page, parts } = this.#visit;
    const { policy } = page.design.group;
    if (policy !== "protected") {
      Object.assign(parts, (await Promise.all([part("groups"), this.#visit.speak(policy)]))[0]);
    }
  });
  /** The styles of the screens after question 1. */
  #looks = new Attempt(() => this.#visit.parts.loadLooks());
  /** The field of a number; one that comes first needs only this and its own sentences, which are among those on all numbers and places. */
  #number = new Attempt(() => this.#visit.parts.loadNumber());
  /** The controls of numbers and places, and what is said about them. */
  #scale = new Attempt(async () => {
    // A composite answer can be a number, and so can its components.
    const { page, asked } = this.#visit;
    return [page, asked].some(({ design }) => design.blocks.some(({ questions }) => questions.some(isScaleKind))) && (await this.#number.run()).loadScale(this.#visit);
  });
  /** What is said about composite questions. */
  #composed = new Attempt(async () => {
    const { composites, parts } = this.#visit;
    if (composites) {
      const found = await Promise.all([parts.loadComposed(), composites.loadAnswers(), this.#visit.speak("composites")]);
      Object.assign(parts, found[0], { composites: { ...composites, ...found[1] } });
    }
  });
  #hasArrived;
  /** @type {Rest} */
  #rest = { arrived: new Promise((arrived) => (this.#hasArrived = arrived)), run: () => this.#ending.run() };

  /** @param {Visit} visit @param {Patience} patience with the storage @param {HTMLElement | false} note */
  constructor(visit, patience, note) {
    this.#visit = visit;
    this.#patience = patience;
    this.#note = note;
  }

  get hasAnswers() {
    return this.#state !== null;
  }

  /** Whether leaving the page would lose something. */
  get hasWork() {
    return this.#state && Object.keys(this.#state.answers).length > this.#visit.arms.length;
  }

  forget() {
    this.#state = null;
    this.#names.clear();
  }

  /** Draw what this device asks, and show the first screen. */
  async begin() {
    const visit = this.#visit;
    const { page, code, armed, drawing, turns, composites } = visit;
    const { design } = page;
    // Drawn before the group and the rotation, from separate words.
    const taken = await armed?.takeArms(page, code, platformFill);
    visit.arms = taken?.arms ?? [];
    // Under *assigned*, the group is drawn once for this page and told before the questions; it is stored nowhere.
    const direct = design.group.policy === "assigned" ? drawGroup(design, new Coins(platformFill(1)), taken?.invited) : null;
    // Drawn once for this load, from separate words and before any answer; the result stays in the state.
    // A preview has neither code nor number, so a random name decides.
    const turn = page.turn ? await turns.turnOf(design.rotations[0], page.turn, visit.person ?? randomName()) : null;
    const drawn = drawing?.drawQuestions(design, new Coins(platformFill(drawing.drawWords(design))), turn);
    visit.turn = turn && design.blocks.map((_, block) => drawn[block].length > 0);
    const tables = visit.asked.wording.map(({ questions }) => questions.map(({ table }) => table));
    const begun = flow.begin(design, { direct, drawn, tables, arms: taken?.answers });
    this.#state = composites?.begun(begun, page.wording) ?? begun;
    armed?.takeTexts(page.wording, visit.arms);
    this.#furnish();
    // The browser's history must not hold on to the answers, so it looks for the phase of that moment.
    visit.trail = new Trail(window.history, window, (place) => visit.phase?.arrive?.(place) ?? 0, 1);
    visit.root.replaceChildren(...this.#screen().filter(Boolean));
    this.#prepare();
  }

  #nameOf(block, question) {
    const place = `${block}.${question}`;
    if (!this.#names.has(place)) {
      this.#names.set(place, randomName());
    }
    return this.#names.get(place);
  }

  #scene() {
    const { parts, texts, page, asked } = this.#visit;
    const nameOf = (...place) => this.#nameOf(...place);
    return { ...asked, ...parts, page, state: this.#state, now: () => this.#state, texts, nameOf, rest: this.#rest, act: this.#act };
  }

  get #isFirstShown() {
    return this.#state && flow.current(this.#state).kind === "intro";
  }

  #screen() {
    return this.#isFirstShown ? [this.#note, ...introScreen(this.#scene(), this.#first)] : this.#visit.parts.screenNodes(this.#scene());
  }

  #show() {
    this.#visit.show(...this.#screen());
  }

  #go(next) {
    this.#state = next;
    this.#show();
    this.#visit.trail.moveTo(flow.place(next));
  }

  /** Handle the browser's Back and Forward. @returns {number} the place that is shown */
  arrive(place) {
    if (this.#state && place !== flow.place(this.#state)) {
      this.#state = flow.revisit(this.#state, place);
      this.#show();
    }
    return this.#state ? flow.place(this.#state) : 0;
  }

  /** Wait for what the next screens need. @param {() => Promise<unknown>} wanted @returns {Promise<boolean>} false if it fails, or if the screen has changed meanwhile */
  async #waitedFor(wanted) {
    const before = this.#state;
    try {
      await wanted();
    } catch (error) {
      if (this.#state === before) {
        await this.#visit.fail(error, () => this.#resume(wanted));
      }
      return false;
    }
    return this.#state === before;
  }

  /** After trouble: wait again, and return to the screen before it. The answers are still there. */
  async #resume(wanted) {
    if (this.#state && (await this.#waitedFor(wanted))) {
      this.#show();
    }
  }

  /** Handlers of clicks. */
  #act = {
    next: async (complain) => {
      const state = this.#state;
      const { page, again } = this.#visit;
      if (flow.missing(state)) {
        complain();
      } else if (flow.current(state).kind !== "group" && !(await this.#waitedFor(() => this.#ending.run()))) {
        return;
      } else if (!this.#isToldAgain && again?.misunderstood(state, page.wording)) {
        // The questions continue whatever the answer was.
        this.#isToldAgain = true;
        this.#visit.show(...again.againScreen(this.#visit, () => this.#go(flow.next(this.#state))));
      } else {
        this.#go(flow.next(state));
      }
    },
    back: () => this.#visit.trail.back(),
    start: async (isWhole) => {
      const read = this.#note;
      const { parts } = this.#visit;
      const isLoaded = await this.#waitedFor(async () => {
        await this.#needed.run();
        if (isWhole) {
          await this.#ending.run();
          Object.assign(parts, await parts.loadWhole());
        }
      });
      // A note that has just appeared must be read first.
      if (isLoaded && this.#note === read) {
        this.#go(flow.next(flow.arrange(this.#state, isWhole)));
      }
    },
    answer: (...given) => (this.#state = flow.answer(this.#state, ...given)),
    chooseGroup: (direct) => (this.#state = flow.chooseGroup(this.#state, direct)),
    enterBlock: () => this.#go(flow.enterBlock(this.#state)),
    skip: async () => (await this.#waitedFor(() => this.#ending.run())) && this.#go(flow.skip(this.#state)),
    skipBlock: (block) => (this.#state = flow.skipBlock(this.#state, block)),
    show: (place) => this.#go(flow.show(this.#state, place)),
    leave: () => {
      this.forget();
      leave();
    },
    answerBlock: (block) => (this.#state = flow.unskip(this.#state, block)),
    openBlock: (block) => (this.#state = flow.openBlock(this.#state, block)),
    change: (id) => {
      this.#go(flow.change(this.#state, id));
      this.#visit.root.querySelector(`[data-place="${id}"]`)?.focus();
    },
    seal: (pressed) => {
      pressed.disabled = true;
      pressed.textContent = this.#visit.texts.sealing;
      const { Sealing } = this.#visit.parts;
      const sealing = new Sealing(this.#visit, this.#state);
      this.#visit.enter(sealing);
      sealing.begin();
    },
  };

  /** Build the first screen. */
  #furnish() {
    const { page, texts, armed, arms, asked, turn, turns } = this.#visit;
    const explained = page.explanations && armed.explanation(page, arms, texts);
    const turnSaid = turn ? turns.turnSaid(asked, texts, turn, page.state.preview) : [];
    this.#first = intro(asked, texts, { explained, name: randomName(), rest: this.#rest, whole: page, isInPage: this.#isInPage, turn, turnSaid });
  }

  /** Load the screens after the first one, and modules that only some surveys need. */
  async #loadScreens() {
    const visit = this.#visit;
    const { parts } = visit;
    const { design } = visit.asked;
    const blocks = firstBlocks(design);
    const first = blocks.flatMap(({ questions }) => questions);
    Object.assign(parts, await this.#later.run());
    // A number or a place that comes first shows what its part's own screen would say, and says it itself.
    const saysAll = (block) => block === blocks[0] && isScale(block) && !block.questions[0].composite;
    const hasScreen = !blocks.every((block) => saysAll(block) || flow.isOpenAtOnce({ design }, design.blocks.indexOf(block)));
    const wording = blocks.map((block) => visit.asked.wording[design.blocks.indexOf(block)]);
    const words = wording.flatMap(({ questions }) => questions);
    const hasLooks = first.some(({ kind }) => kind === "place") || words.some(({ look }) => look === "slider");
    // The screen on how to answer comes before the first part that is disguised, or first if none is.
    const isGroupFirst = blocks.some((block) => block.protected) || !design.blocks.some((block) => block.protected);
    await Promise.all([first.some(isScaleKind) && this.#number.run().then(({ isEnough }) => isEnough(first, words) ? visit.speak("number") : this.#scale.run()), hasScreen && this.#before.run(), isGroupFirst && this.#group.run(), hasLooks && this.#looks.run(), parts.loadFinder(wording)]);
    await (first.some(({ composite }) => composite) && Promise.all([this.#composed.run(), this.#looks.run()]));
  }

  /** Find out before the first question whether this device can store the answers until they are delivered. */
  async #tryOut() {
    const { post, root } = this.#visit;
    await post.ready;
    this.#isInPage = !(await this.#patience.spend(this.#tried));
    if (this.#isInPage) {
      await this.#visit.speak("unasked");
      this.#sayInPage();
      this.#furnish();
      if (this.#isFirstShown) {
        root.replaceChildren(...this.#screen().filter(Boolean));
      }
    }
  }

  /** Say on the first screen that answers will exist only in this page. */
  #sayInPage() {
    const { texts } = this.#visit;
    this.#note = el("div", { class: "note note--warn stack", role: "status" }, el("p", {}, texts.in_page_before));
  }

  /** Load what the questions need while the respondent reads, and report storage that fails at once. */
  async #prepare() {
    const { root } = this.#visit;
    try {
      await this.#needed.run();
      // A failure is reported where it is awaited.
      this.#ending.run().catch(() => {});
    } catch (error) {
      if (isStorage(error) && this.#isFirstShown) {
        const again = () => this.#resume(() => this.#needed.run());
        await this.#visit.fail(error, again);
        if (error instanceof NoResponse) {
          // If it responds after all, it was only slow.
          const shown = root.firstChild;
          this.#tried.run().then(() => root.firstChild === shown && again(), () => {});
        }
      }
    }
  }

  /** Change the language without leaving the page, so that the answers stay. */
  async speakAs(language) {
    const { page, texts, armed, arms } = this.#visit;
    const words = spoken(await wordsIn(page.state, page.definition, language));
    const change = await this.#visit.spokenAs(words.voice);
    if (!this.#state) {
      return;
    }
    change(words);
    if (this.#isInPage) {
      this.#sayInPage();
    }
    armed?.takeTexts(words.wording, arms);
    surround(started.address, this.#visit.page, texts);
    this.#furnish();
    this.#show();
  }
}
