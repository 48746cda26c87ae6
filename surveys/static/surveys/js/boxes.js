/** Boxes to tick: lists with that look, components of composite questions, and tick-all questions of earlier versions. */

import { el, fill } from "./dom.js";
import { KINDS } from "./kinds.js";
import { multiKind } from "./multi.js";
import { said } from "./said.js";
import { severalKind } from "./several.js";

/** The words for none of the options: the survey's own option that means it, else this page's. */
const noneOf = (wording, texts) => (wording.none === undefined ? texts.none : wording.options[wording.none]);

const label = (input, text) => el("label", {}, input, el("span", {}, text));

function checkboxes({ wording, texts, value, name, onAnswer }) {
  const box = (position, change) =>
    el("input", { type: "checkbox", name, value: position, autocomplete: "off", change });
  const options = wording.options.map((_, position) => box(position, () => tick(position === wording.none)));
  const added = wording.none === undefined ? [box(options.length, () => tick(true))] : [];
  const [none = options[wording.none]] = added;
  const show = (answer) => {
    options.forEach((input, option) => {
      input.checked = answer?.[option] === 1;
    });
    for (const input of added) {
      input.checked = answer !== undefined && !answer.includes(1);
    }
  };
  const tick = (isNone) => {
    const ticked = options.map((input) => (input.checked && (input === none) === isNone ? 1 : 0));
    const answer = ticked.includes(1) || none.checked && isNone ? ticked : undefined;
    show(answer);
    onAnswer(answer);
  };
  show(value);
  const clear = () => {
    show(undefined);
    options[0].focus();
    onAnswer(undefined);
  };
  const labels = wording.options.map((text, option) => label(options[option], said(text)));
  return { labels: [...labels, ...added.map((input) => label(input, texts.none))], all: [...options, ...added], clear };
}

/**
 * The lines of a list as one question with boxes. An answer to it answers every line; an untouched list answers none.
 * @param {BlockWords} words @param {Stem} stem @param {number[]} lines
 * @param {(line: number) => number | undefined} answerOf @param {(value: number | undefined, line: number) => void} onAnswer
 */
function boxesOf(words, stem, lines, answerOf, onAnswer) {
  const values = lines.map(answerOf);
  return {
    question: { kind: "several", options: lines },
    wording: { ...stem, options: lines.map((line) => words.questions[line].text) },
    value: values.includes(undefined) ? undefined : values,
    onAnswer: (ticked) => lines.forEach((line, place) => onAnswer(ticked?.[place], line)),
  };
}

const boxes = {
  control: checkboxes,
  list: boxesOf,
  hint: (wording, texts) => fill(texts.hint_multi, { none: noneOf(wording, texts) }),
  complaint: (wording, texts) => fill(texts.error_tick, { none: noneOf(wording, texts) }),
};

KINDS.several = { ...severalKind, ...boxes };
KINDS.multi = { ...multiKind, ...boxes };

/** Load the texts of boxes. @param {Visit} visit */
export const prepare = (visit) => visit.speak("boxes");
