/** Lists of yes/no questions below a common stem: edits, as pure functions on definitions. */

import { freshKey, questionKeys } from "./keys.js";
import { getAt, setAt } from "./paths.js";
import { pastedRows } from "./pasted-rows.js";
import { withProbabilities } from "./protection.js";

/** As MOST_QUESTIONS in privacy/survey/design.py. */
const MOST_LINES = 500;

const stemsOf = ({ stems }) => (Array.isArray(stems) ? stems : []);

/** The place of a question's stem in the survey; -1 for a question outside lists. @returns {number} */
export const stemPlace = (document, question) =>
  typeof question?.stem === "string" ? stemsOf(document).findIndex((stem) => stem?.key === question.stem) : -1;

/** The stem that is named above this question in the outline: that of the list which it begins. */
export function stemAbove(document, { questions }, place) {
  const at = stemPlace(document, questions[place]);
  return at >= 0 && questions[place].stem !== questions[place - 1]?.stem ? document.stems[at] : undefined;
}

/** The first line of a list. @returns {import("./paths.js").Path | null} */
export function firstLine(document, key) {
  const block = key === undefined ? -1 : document.blocks.findIndex(({ questions }) => questions.some(({ stem }) => stem === key));
  return block < 0 ? null : ["blocks", block, "questions", document.blocks[block].questions.findIndex(({ stem }) => stem === key)];
}

/** Remove stems without lines. */
export function withoutLostStems(document) {
  const kept = stemsOf(document).filter(({ key }) => firstLine(document, key));
  if (kept.length === stemsOf(document).length) {
    return document;
  }
  const { stems: _, ...others } = document;
  return kept.length ? { ...others, stems: kept } : others;
}

function newLine(document, block, stem, text = {}) {
  const line = { key: freshKey(questionKeys(document), "question-1"), kind: "yes_no", text, stem };
  return document.blocks[block].protected ? withProbabilities(line) : line;
}

function inserted(document, block, place, line) {
  const list = ["blocks", block, "questions"];
  return setAt(document, list, getAt(document, list).toSpliced(place, 0, line));
}

/** Replace questions of a part by a new list. @param {{key: string, text: object, help?: object}} stem @param {object[]} lines */
function withList(document, block, place, count, { key, ...stem }, lines) {
  const own = freshKey(stemsOf(document).map((each) => each.key), key);
  const list = ["blocks", block, "questions"];
  const next = setAt(document, list, getAt(document, list).toSpliced(place, count));
  const listed = lines.reduce((made, line, number) => {
    const { key: wanted, text, ...shares } = line(made);
    const fresh = newLine(made, block, own, text);
    const named = wanted ? { ...fresh, key: freshKey(questionKeys(made), wanted.slice(0, 64)) } : fresh;
    return inserted(made, block, place + number, { ...named, ...shares });
  }, next);
  return { document: { ...listed, stems: [...stemsOf(document), { key: own, ...stem }] }, at: [...list, place] };
}

/** Add a list of two lines at the end of a part. */
export function addList(document, block) {
  const place = document.blocks[block].questions.length;
  return withList(document, block, place, 0, { key: "list-1", text: {} }, [() => ({}), () => ({})]);
}

/** Turn a question into a list; the options of a choice become its lines. @param {import("./paths.js").Path} path */
export function asList(document, path) {
  const { key, text, help, options = [], wordings } = getAt(document, path);
  const lines = options.map((option) => () => ({ key: `${key}_${option.key}`, text: option.text }));
  const stem = { key, text, ...(help && { help }), ...(wordings && { wordings }) };
  return withList(document, path[1], path[3], 1, stem, lines.length ? lines : [() => ({}), () => ({})]).document;
}

/** The places of a list's lines in the part of one of them. */
export const linesOf = ({ questions }, stem) => questions.flatMap((question, place) => (question.stem === stem ? [place] : []));

/** Take a line out of its list: it becomes a question of its own after the list. */
export function takenOut(document, path) {
  const { stem, ...question } = getAt(document, path);
  const list = path.slice(0, 3);
  const last = linesOf(document.blocks[path[1]], stem).at(-1);
  const questions = getAt(document, list).toSpliced(path[3], 1).toSpliced(last, 0, question);
  return { document: withoutLostStems(setAt(document, list, questions)), at: [...list, last] };
}

/** Turn a list into one choice with its lines as options. */
export function asChoice(document, path) {
  const { stem: key } = getAt(document, path);
  const { text, help, wordings } = document.stems[stemPlace(document, { stem: key })];
  const block = document.blocks[path[1]];
  const [first, ...others] = linesOf(block, key);
  const options = [first, ...others].map((place) => {
    const line = block.questions[place];
    return { key: line.key.startsWith(`${key}_`) ? line.key.slice(key.length + 1) : line.key, text: line.text };
  });
  const lines = new Set([first, ...others]);
  const left = { ...block, questions: block.questions.filter((_, place) => !lines.has(place)) };
  const next = setAt(document, ["blocks", path[1]], left);
  const choice = { key: freshKey(questionKeys(next), key), kind: "single", text, ...(help && { help }), ...(wordings && { wordings }), options };
  const own = document.blocks[path[1]].protected ? withProbabilities(choice) : choice;
  return { document: withoutLostStems(inserted(next, path[1], first, own)), at: [...path.slice(0, 3), first] };
}

/** Add a line below this one. */
export function addLine(document, path) {
  const place = path[3] + 1;
  return { document: inserted(document, path[1], place, newLine(document, path[1], getAt(document, path).stem)), at: [...path.slice(0, 3), place] };
}

/**
 * Add lines from a pasted list, after the last line; empty lines are filled first.
 * @param {string[]} languages @returns {{document: any, added: number}}
 */
export function pasteLines(document, path, pasted, languages) {
  const { stem } = getAt(document, path);
  const isWritten = ({ text }) => Object.values(text ?? {}).some((said) => said?.trim());
  const lines = (now) => linesOf(now.blocks[path[1]], stem);
  const seen = lines(document).map((place) => document.blocks[path[1]].questions[place].text?.[languages[0]]?.trim());
  let next = document;
  let added = 0;
  for (const text of pastedRows(pasted, languages, seen)) {
    const empty = lines(next).find((place) => !isWritten(next.blocks[path[1]].questions[place]));
    if (empty === undefined && next.blocks.flatMap(({ questions }) => questions).length >= MOST_LINES) {
      break;
    }
    next =
      empty === undefined
        ? inserted(next, path[1], lines(next).at(-1) + 1, newLine(next, path[1], stem, text))
        : setAt(next, ["blocks", path[1], "questions", empty, "text"], text);
    added += 1;
  }
  return { document: next, added };
}

/** Give copied questions of a part stems of their own. */
export function withFreshStems(document, block) {
  const before = stemsOf(document);
  const copies = new Map();
  const questions = block.questions.map((question) => {
    const at = stemPlace(document, question);
    if (at < 0) {
      return question;
    }
    if (!copies.has(question.stem)) {
      const keys = [...before, ...copies.values()].map(({ key }) => key);
      copies.set(question.stem, { ...before[at], key: freshKey(keys, question.stem) });
    }
    return { ...question, stem: copies.get(question.stem).key };
  });
  const stems = copies.size ? { stems: [...before, ...copies.values()] } : {};
  return { document: { ...document, ...stems }, block: { ...block, questions } };
}
