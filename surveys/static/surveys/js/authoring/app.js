/**
 * State shared by the parts of the builder: the draft with its history, the selection, and the listeners.
 */

import { fill } from "../dom.js";
import { move, removeBlock, removeQuestion, shiftQuestion, duplicateBlock, duplicateQuestion } from "./edits.js";
import { begin, record, redo, undo } from "./history.js";
import { getAt, parsePath, pathText, setAt } from "./paths.js";
import { kindOf } from "./kinds.js";
import { duplicateComponent, removeComponent, shiftComponent } from "./one-answer.js";
import { isComponent, isUnwritten, sentence } from "./problems.js";
import { keepStrengths } from "./strength.js";
import { withSharedInStep } from "./together.js";
import { directionOf, languagesOf, textIn } from "./wording.js";

/** Languages up to which a form beside the phone shows all texts side by side. */
const FEW_LANGUAGES = 3;

const FIXED = new Set(["head", "about", "group"]);

/** A draft with the structure that the forms need; publishing requires more. */
export function legible(document) {
  const isThing = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const list = (value) => (Array.isArray(value) ? value.filter(isThing) : []);
  const whole =
    Array.isArray(document.blocks) &&
    document.blocks.every((block) => isThing(block) && Array.isArray(block.questions) && block.questions.every(isThing));
  if (whole) {
    return document;
  }
  const blocks = list(document.blocks).map((block) => ({ ...block, questions: list(block.questions) }));
  return { ...document, blocks };
}

/** @typedef {{first: string, other: string, words: Record<string, string>}} Forms of address, and the pronoun of each */

export class App {
  /**
   * @param {{draft: any, urls: Record<string, string>, texts: Record<string, string>, timeZones: string[],
   *   names: Map<string, {name: string, direction: string}>, forms: Record<string, Forms>, ready: {before: any[], after: any[], anchors: any[],
   *   neutral: any[]}}} given
   */
  constructor({ draft, urls, texts, timeZones, names, forms, ready }) {
    this.ready = ready;
    this.urls = urls;
    this.texts = texts;
    this.timeZones = timeZones;
    this.names = names;
    this.forms = forms;
    this.isPublished = draft.published > 0;
    /** @type {{ends_at: string, closed: boolean}[]} ends of chapters that were published and stay */
    this.publishedChapters = draft.chapters ?? [];
    this.history = begin(legible(draft.document));
    this.learn(draft);
    this.selected = "head";
    this.listeners = [];
    this.shownLanguage = this.speaking;
    /** Whether the page shows what experts need. */
    this.isExpert = true;
    /** @type {Map<string, boolean>} menus that the user opened or closed, by name */
    this.menus = new Map();
    /** Functions that the page supplies. */
    this.draw = () => {};
    this.drawAround = () => {};
    this.announce = () => {};
    this.changed = () => {};
    this.replaced = () => {};
    this.offerUndo = () => {};
    this.rename = async () => null;
    /** @type {(url: string, content: any) => Promise<{status: number, body: any}>} */
    this.post = async () => ({ status: 0, body: {} });
  }

  get document() {
    return this.history.present.document;
  }

  get languages() {
    return languagesOf(this.document);
  }

  /** The language in which this page names the parts of the survey: the page's own, if the survey has it. */
  get speaking() {
    const lang = globalThis.document?.documentElement.lang;
    return this.languages.includes(lang) ? lang : this.languages[0];
  }

  /** The title in a language; without one, its first words, as the server last read them. @param {string} tag */
  titleIn(tag) {
    return textIn(this.document.title, tag) || textIn(this.shownTitle, tag);
  }

  /** The language of the phone, in which its texts are read and typed. */
  get tongue() {
    return this.languages.includes(this.shownLanguage) ? this.shownLanguage : this.languages[0];
  }

  /** Whether the forms beside the phone show the texts in a language. @param {string} tag */
  shows(tag) {
    const { languages, tongue } = this;
    return languages.length <= FEW_LANGUAGES || tag === languages[0] || tag === tongue;
  }

  /** Show the phone in another language. @param {string} tag */
  speak(tag) {
    this.shownLanguage = tag;
    this.draw({});
  }

  language(tag) {
    return this.names.get(tag) ?? { name: tag, direction: directionOf(tag) };
  }

  /** The two forms of address of a language, which may name a region; undefined if it has one. @returns {Forms | undefined} */
  formsOf(tag) {
    return this.forms[tag] ?? this.forms[tag.replace(/-([a-z]{2}|\d{3})$/, "")];
  }

  /** Return the document with another value at a path. */
  set(path, value) {
    return setAt(this.document, path, value);
  }

  /**
   * Write a plain member of the definition; remove it if it is emptied.
   * @param {import("./paths.js").Path | string} place
   * @param {any} value
   * @param {{tag?: string, redraw?: boolean}} [how]
   */
  write(place, value, how) {
    const path = typeof place === "string" ? parsePath(place) : place;
    this.edit(this.set(path, value === "" ? undefined : value), how);
  }

  /**
   * Replace the document.
   * @param {any} document
   * @param {{tag?: string, redraw?: boolean, undoable?: string, select?: string}} [how] tag: one step with what was
   *   typed before under the same tag; undoable: the sentence next to an undo button
   */
  edit(document, { tag, redraw = false, undoable, select } = {}) {
    const kept = keepStrengths(withSharedInStep(document, this.document), this.document);
    this.history = record(this.history, kept, { tag });
    this.#settle({ redraw, select });
    if (undoable) {
      this.offerUndo(undoable);
    }
  }

  undo() {
    // The newest document stays among the earlier saves, because a reload forgets what can be redone.
    if (this.history.past.length && !this.history.future.length) {
      this.replaced();
    }
    this.history = undo(this.history);
    this.#settle({ redraw: true });
  }

  redo() {
    this.history = redo(this.history);
    this.#settle({ redraw: true });
  }

  /** Apply the result of an edit, and show the part that it created. */
  open({ document, at }, { focus = "heading" } = {}) {
    ["add", "kinds"].forEach((name) => this.menus.delete(name));
    this.edit(document, { redraw: true, select: pathText(at) });
    this.draw({ focus });
  }

  select(part, { focus = "heading" } = {}) {
    this.selected = part;
    this.draw({ focus });
  }

  /** Whether a menu is open: as the user left it, else in expert view. @param {string} name */
  isOpen(name) {
    return this.menus.get(name) ?? this.isExpert;
  }

  /** @param {() => void} listener called after every change, until the form is drawn again */
  whenRefreshed(listener) {
    this.listeners.push(listener);
  }

  refresh() {
    for (const listener of this.listeners) {
      listener();
    }
  }

  #settle({ redraw, select }) {
    this.selected = this.#existing(select ?? this.selected);
    this.changed();
    if (redraw) {
      this.draw({});
    } else {
      this.drawAround();
      this.refresh();
    }
  }

  /** The part itself, or else the nearest existing one. */
  #existing(part) {
    if (FIXED.has(part) || getAt(this.document, parsePath(part))) {
      return part;
    }
    const path = parsePath(part);
    const siblings = getAt(this.document, path.slice(0, -1))?.length ?? 0;
    if (siblings) {
      return pathText([...path.slice(0, -1), siblings - 1]);
    }
    return path.length > 2 ? this.#existing(pathText(path.slice(0, path.length > 4 ? 4 : 2))) : "head";
  }

  /** The name of a part. */
  nameOf(part) {
    if (FIXED.has(part) || part === "explanations") {
      return this.texts[`part_${part}`];
    }
    const path = parsePath(part);
    const thing = getAt(this.document, path);
    const isBlock = path.length === 2;
    const { name } = kindOf(thing);
    if (name) {
      return this.texts[name];
    }
    const written = textIn(isBlock ? thing?.title : thing?.text, this.speaking);
    return written || fill(this.texts[isBlock ? "block_unnamed" : "question_unnamed"], { number: path.at(-1) + 1 });
  }

  /** Store the server's problems and the findings of its checks. */
  learn({ problems, live = { said: "", problems: [] }, findings = [], budget = { blocks: [] }, use = [], composites = {}, phone = this.phone, shown_title = {} }) {
    const { document, languages } = this;
    /** @type {Record<string, Record<string, string>>} by language: the respondents' page's words around a question */
    this.phone = phone;
    /** @type {Record<string, string>} by language: the title that pages show, also for a survey without one */
    this.shownTitle = shown_title;
    this.budget = budget;
    this.findings = findings;
    /** What keeps a practice draft from asking for real answers, in a sentence and as problems. */
    this.live = live;
    this.use = use;
    /** @type {Record<string, {low: number, high: number, slips: number | null, harm: string}>} by path of a composite question */
    this.composites = composites;
    this.problems = problems.map((problem) => ({ ...problem, unwritten: isUnwritten(document, languages, problem) }));
  }

  /** Drop problems about missing texts that have been written since. @returns {boolean} whether there were any */
  forgetWritten() {
    const { document, languages } = this;
    const left = this.problems.filter((one) => !one.unwritten || isUnwritten(document, languages, one));
    const isLess = left.length < this.problems.length;
    this.problems = left;
    return isLess;
  }

  /** A problem in words, for display at its field. */
  words(problem) {
    return isUnwritten(this.document, this.languages, problem) ? this.texts.unwritten : sentence(problem);
  }

  /** Move a part up or down by one. @param {-1 | 1} by @returns {string} its new path */
  shift(part, by) {
    const path = parsePath(part);
    const done = isComponent(path)
      ? shiftComponent(this.document, path, by)
      : path.length === 2
        ? { document: move(this.document, ["blocks"], path[1], path[1] + by), at: ["blocks", path[1] + by] }
        : shiftQuestion(this.document, path[1], path[3], by);
    if (done.document === this.document) {
      return part;
    }
    const { document, at } = done;
    const name = this.nameOf(part);
    this.edit(document, { redraw: true, select: pathText(at) });
    const total = getAt(this.document, at.slice(0, -1)).length;
    const owner = at.length > 2 ? this.nameOf(pathText(at.slice(0, isComponent(at) ? 4 : 2))) : "";
    this.announce(fill(owner ? this.texts.moved_in : this.texts.moved, { name, place: at.at(-1) + 1, total, owner }));
    return this.selected;
  }

  duplicate(part) {
    const path = parsePath(part);
    const done = isComponent(path)
      ? duplicateComponent(this.document, path)
      : path.length === 2
        ? duplicateBlock(this.document, path[1])
        : duplicateQuestion(this.document, path[1], path[3]);
    const name = this.nameOf(part);
    this.open(done);
    this.announce(fill(this.texts.duplicated, { name }));
  }

  drop(part) {
    const path = parsePath(part);
    const next = isComponent(path)
      ? removeComponent(this.document, path)
      : path.length === 2
        ? removeBlock(this.document, path[1])
        : removeQuestion(this.document, path[1], path[3]);
    this.edit(next, { redraw: true, undoable: fill(this.texts.removed, { name: this.nameOf(part) }) });
    this.draw({ focus: "heading" });
  }
}
