/** One question on the screen: native radio buttons or checkboxes below a legend. */

import { el, fill, button } from "./dom.js";
import { isScaleKind, kindOf } from "./kinds.js";
import { said, wordsLanguage } from "./said.js";
import { joined, spaced } from "./sentences.js";

/** A list with more options than this has a search field. */
const MANY = 15;

/** Makes the search field; null unless a survey has such a list. */
let finder = null;

/** @param {typeof import("./finder.js").finder} found */
export function useFinder(found) {
  finder = found;
}

/** Whether blocks may need finder.js: boxes add *none of these*, and the lines of a list can be boxes. @param {BlockWords[]} wording */
export const needsFinder = (wording) =>
  wording.some(({ boxes, questions }) => (boxes && questions.length >= MANY) || questions.some(({ options }) => options?.length >= MANY));

/** The module for numbers and places, at first only for a number; null if the survey asks for none. */
let scale = null;

/** @param {typeof import("./scale.js") | typeof import("./number.js")} found */
export function useScale(found) {
  scale = found;
}

/** Sentences on a number or a place: in full, with the promise, before it is answered; short otherwise. Null for other questions. */
export function scaleSaid(block, texts, { promise = undefined, rest = undefined, sent = undefined } = {}) {
  if (!isScaleKind(block.questions[0])) {
    return null;
  }
  return promise === undefined ? scale.bounds(block, texts, sent) : scale.promises(block, texts, promise, rest);
}

/** The displayed options, each with the answer that it represents. */
const choices = (question, wording, texts) => kindOf(question).choices(wording, texts);

/**
 * @param {Asked} asked
 * @returns {{node: HTMLElement, complain: () => void, focus: () => void, isWrong: () => boolean}} isWrong: whether the
 *   typed text is not a valid answer
 */
export function questionFieldset(asked) {
  const { question, wording, texts, isProtected, onContinue, id = "", level = "h2" } = asked;
  const kind = kindOf(question);
  const hints = [
    wording.help && said(wording.help),
    kind.hint?.(wording, texts),
    !isProtected && !asked.isRow && texts.hint_open,
  ].filter(Boolean);
  const error = el("p", { class: "error", id: `error-${id}`, hidden: true });
  const clear = button(texts.clear, () => inputs.clear(), "link-button");
  const onAnswer = (value) => {
    clear.hidden = value === undefined;
    error.hidden = true;
    for (const input of inputs.all) {
      input.removeAttribute("aria-invalid");
    }
    asked.onAnswer(value);
  };
  clear.hidden = asked.value === undefined;
  const make = isScaleKind(question) ? scale.control : (kind.control ?? radios);
  const inputs = make({ ...asked, onAnswer });
  const search = !asked.isRow && !isScaleKind(question) && inputs.labels.length > MANY && finder(inputs.labels, texts);
  const fieldset = el(
    "fieldset",
    {
      class: id ? "stack question" : "stack",
      "aria-describedby": [hints.length > 0 && `hint-${id}`, `error-${id}`].filter(Boolean).join(" "),
      keydown: (event) => {
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
          event.preventDefault();
          if (event.target.type !== "search") {
            onContinue();
          }
        }
      },
    },
    el("legend", {}, el(level, { tabindex: "-1", "data-place": id || null }, said(wording.text))),
    hints.length > 0 &&
      el("p", { class: "hint", id: `hint-${id}` }, ...spaced(hints)),
    error,
    search && search.node,
    el("div", { class: isScaleKind(question) ? "stack" : `choices ${wording.look ?? ""}` }, ...inputs.labels),
    !isProtected && clear,
  );
  const focus = inputs.focus ?? (() => (search ? search.focus() : inputs.all[0].focus()));
  return {
    node: fieldset,
    focus,
    isWrong: () => inputs.isWrong?.() ?? false,
    complain: () => {
      const what = inputs.problem?.() ?? kind.complaint?.(wording, texts) ?? texts.error_choose;
      error.textContent = joined([what, asked.isSkippable && texts.error_or_skip]);
      error.hidden = false;
      for (const input of inputs.all) {
        input.setAttribute("aria-invalid", "true");
      }
      focus();
    },
  };
}

/** Questions with the same options, as a table if there is room, else one below the other. */
export function table(question, wording, texts, nodes) {
  const options = choices(question, wording, texts).map(({ text }) => el("span", {}, said(text)));
  const head = el("div", { class: "matrix-head", "aria-hidden": "true" }, el("span", {}), el("div", {}, ...options));
  return el("div", { class: "matrix" }, head, ...nodes);
}

function label(input, text) {
  return el("label", {}, input, el("span", {}, text));
}

function radios({ question, wording, texts, value, name, onAnswer }) {
  const all = [];
  const labels = choices(question, wording, texts).map((choice, position) => {
    const change = () => onAnswer(choice.value);
    const input = el("input", { type: "radio", name, value: position, autocomplete: "off", change });
    input.checked = choice.value === value;
    all.push(input);
    return label(input, said(choice.text));
  });
  const clear = () => {
    for (const input of all) {
      input.checked = false;
    }
    all[0].focus();
    onAnswer(undefined);
  };
  return { labels, all, clear };
}

/**
 * Writes an answer in words.
 * @param {{isSent?: boolean, picture?: boolean}} [how] for a number or a place: as a device sends it, with its map
 * @returns {Node | string}
 */
export function inWords(question, wording, texts, value, how) {
  if (isScaleKind(question)) {
    return scale.words(question, wording, texts, value, how);
  }
  if (!Array.isArray(value)) {
    return said(choices(question, wording, texts).find((choice) => choice.value === value).text);
  }
  const ticked = wording.options.filter((_, option) => value[option] === 1);
  return ticked.length ? said(new Intl.ListFormat(wordsLanguage()).format(ticked)) : texts.none;
}

/** The respondent's progress through the questions. */
export function progressBar(texts, { number, total }) {
  const words = fill(texts.progress, { number, total });
  return el(
    "div",
    { class: "progress" },
    el("span", {}, words),
    el("progress", { max: total, value: number, "aria-label": words }),
  );
}
