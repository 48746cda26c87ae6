/**
 * The phone: the selected part as respondents see it. The researcher types on it, in one language at a time. Every text is the
 * same field as in a form, so it is saved, undone, checked and found by its problems in the same way.
 */

import { el } from "../dom.js";
import { labelOf, nameQuestion, remark, textArea } from "./fields.js";
import { pathText } from "./paths.js";
import { writeText } from "./wording.js";

/** What the keyboard reaches on a phone, in order. */
const STOPS = "textarea, button.phone-add, .phone-add > summary";

/** @param {import("./app.js").App} app @param {...(Node | false | null | undefined)} children */
export const phone = (app, ...children) => el("div", { class: "phone quiet stack", dir: app.language(app.tongue).direction }, ...children);

/**
 * The respondents' page's own words in the phone's language. A language that the server does not know, or not yet, has the default's.
 * @param {import("./app.js").App} app @returns {Record<string, string>}
 */
export const wordsOf = ({ phone: words = {}, tongue }) => ({ ...words[""], ...words[tongue] });

/**
 * An element with words of the respondents' page. Those of an added language arrive with the next save.
 * @param {import("./app.js").App} app @param {string} tag @param {object} attributes
 * @param {string | ((words: Record<string, string>) => string)} name of the words, or a function that makes the text from them
 */
export function said(app, tag, attributes, name) {
  const element = el(tag, attributes);
  const show = () => {
    const words = wordsOf(app);
    element.textContent = (typeof name === "string" ? words[name] : name(words)) ?? "";
  };
  app.whenRefreshed(show);
  show();
  return element;
}

/** The survey's name, as above each question. */
export const surveyName = (app) => el("p", { class: "soft", lang: app.tongue }, app.titleIn(app.tongue));

/** How a part is sent. */
export const sentAs = (app, block) =>
  el("p", {}, said(app, "span", { class: block.protected ? "tag" : "tag tag--quiet" }, block.protected ? "disguised" : "mark_open"));

/** What an unprotected question says about an empty answer. */
export const mayLeave = (app) => said(app, "p", { class: "hint" }, "hint_open");

/** Answers with fixed words. @param {string[]} names */
export const fixedChoices = (app, ...names) =>
  el("ul", { class: "phone-choices", lang: app.tongue }, ...names.map((name) => el("li", {}, mark(), said(app, "span", {}, name))));

/** A question's text and help, as respondents read them. @param {import("./fields.js").Label} [label] */
export const questionTexts = (app, path, label = "question_text") => [
  inPlace(app, [...path, "text"], label, { look: "title", onDone: () => nameQuestion(app, path) }),
  inPlace(app, [...path, "help"], "question_help", { look: "help", optional: true }),
];

/** The screen of a question. @param {Node[]} texts what is typed, and its answers */
export const questionOnPhone = (app, path, texts) =>
  phone(app, surveyName(app), sentAs(app, app.document.blocks[path[1]]), ...texts);

/** A text below its heading. @param {string} heading @param {string} [says] what to write */
export const headed = (app, path, heading, says = "") =>
  el("div", {}, el("p", {}, el("strong", {}, heading)), inPlace(app, path, { said: heading }, { says }));

/** The circle before an answer. */
export const mark = () => el("span", { class: "phone-mark", "aria-hidden": "true" });

/**
 * A text on the phone, typed in place. Enter commits it and moves on, Escape restores it.
 * @param {import("./app.js").App} app
 * @param {import("./paths.js").Path} path of the text by language
 * @param {import("./fields.js").Label} label
 * @param {{look?: "title" | "help" | "", optional?: boolean, says?: string, onDone?: () => void, onEnter?: () => void}} [how] says: what to
 *   write, while nothing is written; onEnter: instead of moving
 */
export function inPlace(app, path, label, { look = "", optional = false, says = "", onDone = () => {}, onEnter = null } = {}) {
  const { languages, texts } = app;
  const name = labelOf(app, label);
  const written = languages.map((tag) => {
    const area = textArea(app, path, tag, { optional, onDone });
    const cell = el("div", { class: "in-place-cell" }, area);
    // An invisible copy of the text gives the field its height.
    const measure = () => (cell.dataset.text = `${area.value || area.placeholder}\u200b`);
    area.classList.add("in-place");
    area.setAttribute("aria-label", languages.length > 1 ? `${name}, ${app.language(tag).name}` : name);
    area.placeholder = says || (optional ? `${name} · ${texts.optional}` : name);
    typed(app, area, { path, tag, optional, measure, onEnter });
    measure();
    return el("div", { class: "language", hidden: tag !== app.tongue }, cell, remark([...path, tag]));
  });
  return el("div", { class: `in-place-text ${look && `in-place-text--${look}`}`.trim(), "data-text": pathText(path) }, ...written, remark(path));
}

/** The keys of a text on the phone. */
function typed(app, area, { path, tag, optional, measure, onEnter }) {
  let before = area.value;
  const restore = () => {
    area.value = before;
    app.edit(writeText(app.document, path, tag, before, { optional }), { tag: area.id });
    measure();
  };
  area.addEventListener("focus", () => (before = area.value));
  area.addEventListener("input", measure);
  area.addEventListener("keydown", (event) => {
    // While a word is being composed, as in Chinese, Enter and Escape belong to that word.
    if (event.isComposing) {
      return;
    }
    if (event.key === "Escape" && area.value !== before) {
      event.preventDefault();
      restore();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      area.dispatchEvent(new Event("change"));
      (onEnter ?? (() => moveOn(area)))();
    }
  });
}

/** Focus the next text or button on the phone; at its end, leave the text committed. @param {HTMLElement} area */
function moveOn(area) {
  const stops = Array.from(area.closest(".phone").querySelectorAll(STOPS)).filter((stop) => stop.checkVisibility());
  const next = stops[stops.indexOf(area) + 1];
  if (next) {
    next.focus();
  } else {
    area.blur();
  }
}
