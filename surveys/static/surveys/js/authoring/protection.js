/**
 * What a protected question needs: probabilities of random answers, and expected shares of its answers.
 */

import { fit, WHOLE } from "./probabilities.js";
import { freshKey } from "./keys.js";
import { kindOf } from "./kinds.js";
import { getAt, setAt } from "./paths.js";
import { pastedRows } from "./pasted-rows.js";

const EVEN = WHOLE / 2;
/** First guess of a sensitive answer's share, until the researcher states one. */
const RARE = 2000;

/** Add default probabilities to a question without any. */
export function withProbabilities(question) {
  if (question.unrelated) {
    return question;
  }
  const count = question.options?.length ?? 1;
  const { begin } = kindOf(question).shares;
  return { ...question, unrelated: begin(count, EVEN), prevalence: begin(count, RARE) };
}

export function withoutProbabilities({ unrelated: _, prevalence: __, ...question }) {
  return question;
}

/**
 * Replace the options of a question, and adapt its probabilities if it has any.
 * @param {(shares: number[], least: number, first: number) => number[]} change least: 1 for random answers, which must all be
 *   possible, or 0 for expected shares; first: initial value for a new option of a question with several answers
 */
function withOptions(document, path, options, change) {
  const question = { ...getAt(document, path), options };
  const { unrelated, prevalence } = question;
  if (!unrelated) {
    return setAt(document, path, question);
  }
  const probabilities = { unrelated: change(unrelated, 1, EVEN), prevalence: change(prevalence ?? [], 0, RARE) };
  return setAt(document, path, { ...question, ...probabilities });
}

/** Add an option at the end of a question, with probabilities if it has any. */
export function addOption(document, path) {
  const question = getAt(document, path);
  const { options } = question;
  const key = freshKey(options.map((option) => option.key), `option-${options.length + 1}`);
  return withOptions(document, path, [...options, { key, text: {} }], kindOf(question).shares.add);
}

/** Largest number of options of a question, as MOST_OPTIONS in privacy/survey/component.py. */
const MOST_OPTIONS = 200;

/**
 * Add options from pasted lines. A line may have a text for each of the survey's languages, separated by tabs as in a
 * spreadsheet. Options without a text are filled first; texts that already exist are skipped.
 * @param {string[]} languages @returns {{document: any, added: number}}
 */
export function pasteOptions(document, path, pasted, languages) {
  const [first] = languages;
  const existing = getAt(document, path).options.map(({ text }) => text[first]?.trim());
  let next = document;
  let added = 0;
  for (const text of pastedRows(pasted, languages, existing)) {
    const { options } = getAt(next, path);
    let place = options.findIndex((option) => !Object.values(option.text).some((said) => said?.trim()));
    if (place < 0) {
      place = options.length;
      if (place === MOST_OPTIONS) {
        break;
      }
      next = addOption(next, path);
    }
    next = setAt(next, [...path, "options", place, "text"], text);
    added += 1;
  }
  return { document: next, added };
}

export function removeOption(document, path, place) {
  const question = getAt(document, path);
  return withOptions(document, path, question.options.toSpliced(place, 1), (shares, least) =>
    kindOf(question).shares.remove(shares, place, least),
  );
}

/** Move an option together with its probabilities. */
export function moveOption(document, path, from, to) {
  const { options } = getAt(document, path);
  if (to < 0 || to >= options.length) {
    return document;
  }
  const moved = (list) => list.toSpliced(from, 1).toSpliced(to, 0, list[from]);
  return withOptions(document, path, moved(options), moved);
}

/** Scale shares proportionally to sum to the whole. @param {"unrelated" | "prevalence"} name */
export function mended(document, path, name) {
  const question = getAt(document, path);
  return setAt(document, [...path, name], fit(question[name], name === "unrelated" ? 1 : 0));
}
