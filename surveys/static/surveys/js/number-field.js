/**
 * A number on the screen: a native input, and the bin that counts. A number that comes first needs no more; dates, sliders and what
 * is sent are in number-more.js, which loads later.
 */

import { el, fill } from "./dom.js";
import { said, wordsLanguage } from "./said.js";
import { spaced } from "./sentences.js";
import { binOf } from "./typed.js";

/** What number-more.js adds. @type {typeof import("./number-more.js").added} */
let more = null;

/** @param {typeof import("./number-more.js").added} found */
export function useMore(found) {
  more = found;
}

/** Whether a question's screen needs number-more.js. */
export const needsMore = ({ disguise }, { look }) => Boolean(disguise.range.calendar) || look === "slider";

/** A text about this question; there are different ones for numbers and dates. */
export const wordOf = ({ disguise }, texts, name) => texts[`${disguise.range.calendar ? "date" : "number"}_${name}`];

/** A tick as people write it: a number or a date. Half ticks occur only as the middle of a bin. */
export function tickText(range, tick) {
  if (range.calendar) {
    return more.dateWords(range, tick);
  }
  const most = range.decimals + (Number.isInteger(tick) ? 0 : 1);
  const format = new Intl.NumberFormat(wordsLanguage(), { maximumFractionDigits: most, useGrouping: false });
  return format.format(tick / 10 ** range.decimals);
}

export const withUnit = (text, wording) => (wording.unit ? said(`${text} ${wording.unit}`) : text);

/** @param {Asked} asked */
function numberControl({ question, wording, texts, value, name, id = "", onAnswer }) {
  const { range } = question.disguise;
  const word = (key) => wordOf(question, texts, key);
  const plain = (tick) =>
    range.calendar ? more.dateText(range.calendar, tick) : (tick / 10 ** range.decimals).toFixed(range.decimals);
  const status = el("p", { role: "status", class: "soft" });
  const show = (bin) => {
    status.replaceChildren(...(bin === undefined ? [] : spaced([texts.number_counts, binWords(question, wording, texts, bin)])));
  };
  const problem = () => {
    if (input.value === "") {
      return fill(word(input.validity.badInput ? "not_a_number" : "empty"), ends);
    }
    const found = binOf(range, input.value, more?.tickOfDate);
    if (found.problem === "too_fine" && range.decimals === 0) {
      return texts.number_whole;
    }
    return "problem" in found ? fill(word(found.problem), { ...ends, decimals: range.decimals }) : null;
  };
  const ends = { low: tickText(range, range.low), high: tickText(range, range.high), example: plain(range.low) };
  const read = () => {
    const found = binOf(range, input.value, more?.tickOfDate);
    follow(found.tick ?? null);
    show(found.bin);
    onAnswer(found.bin);
  };
  const input = el("input", {
    type: range.calendar ? more.inputs[range.calendar] : "number",
    id: `number-${id}`,
    name,
    min: plain(range.low),
    max: plain(range.high),
    ...(range.calendar ? {} : { step: plain(1) }),
    inputmode: range.calendar ? undefined : range.low < 0 ? "text" : range.decimals ? "decimal" : "numeric",
    autocomplete: "off",
    class: "short",
    input: read,
  });
  const slider =
    wording.look === "slider" &&
    more.numberSlider(range, {
      label: fill(word("label"), ends),
      unset: texts.number_slide,
      say: (tick) => [tickText(range, tick), wording.unit].filter(Boolean).join(" "),
      field: input,
      read,
      plain,
    });
  const follow = (tick) => slider && slider.follow(tick);
  // Only the bin is stored. If it has more than one number, the typed number is lost.
  const typed = value !== undefined && range.bin === 1 ? range.low + value : null;
  input.value = typed === null ? "" : plain(typed);
  follow(typed);
  show(value);
  const label = el("label", { for: `number-${id}` }, fill(word("label"), ends));
  return {
    labels: [
      label,
      ...(slider ? [el("p", { class: "hint" }, texts.number_slide)] : []),
      // Browsers without a field for months show a text field.
      ...(input.type === "text" ? [el("p", { class: "hint" }, fill(texts.date_written, ends))] : []),
      el("p", { class: "row" }, slider && slider.node, input, wording.unit && el("span", {}, said(wording.unit))),
      status,
    ],
    all: [input],
    clear: () => {
      input.value = "";
      input.focus();
      read();
    },
    problem,
    // A field with something other than a number has an empty value.
    isWrong: () => (input.value !== "" || input.validity.badInput) && problem() !== null,
  };
}

/** An answer in words: its bin. */
export function binWords({ disguise: { range } }, wording, texts, bin) {
  const low = range.low + bin * range.bin;
  const high = low + range.bin - 1;
  const text = low === high ? tickText(range, low) : fill(texts.number_from_to, { low: tickText(range, low), high: tickText(range, high) });
  return withUnit(text, wording);
}

/** What is said before a number is answered. @param {Block} block */
export const numberFirst = ({ questions: [question] }, texts) => [wordOf(question, texts, "how")];

export { numberControl };
