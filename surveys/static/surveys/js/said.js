/** Texts of the survey in their language, and the headings of screens. */

import { el } from "./dom.js";

/** The heading of a screen, which gets the focus when the screen is shown. */
export const heading = (text) => el("h2", { tabindex: "-1" }, text);

/** The language of the survey's texts. */
export const wordsLanguage = () => document.getElementById("root").dataset.words ?? document.documentElement.lang;

/** A text of the survey, marked with its language if it differs from the page's. */
export function said(text) {
  const lang = wordsLanguage();
  return lang === document.documentElement.lang ? text : el("span", { lang, dir: "auto" }, text);
}

/** The stem of a question; undefined outside lists. @param {BlockWords} words @param {number} question @returns {Stem | undefined} */
export const stemOf = ({ stems = [], questions }, question) => stems[questions[question].stem];

/**
 * The title of a part; empty if it has none. Surveys of earlier versions repeat the first question or list instead; a composite
 * question takes its text from the title.
 * @param {BlockWords} words
 */
export const titleOf = (words) =>
  !words.questions[0].components && [words.questions[0].text, stemOf(words, 0)?.text].includes(words.title) ? "" : words.title;
