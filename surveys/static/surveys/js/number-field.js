/** A number or a date on the screen: a native input, optionally a slider, the bin that counts, and what is sent, in words. */

import { el, fill } from "./dom.js";
import { remarked } from "./joints.js";
import { bins, gridOutputs } from "./numbers.js";
import { said, wordsLanguage } from "./said.js";
import { spaced } from "./sentences.js";
import { binOf, dateOf, dateText } from "./typed.js";

/** A text about this question; there are different ones for numbers and dates. */
const wordOf = ({ disguise }, texts, name) => texts[`${disguise.range.calendar ? "date" : "number"}_${name}`];

/** A tick as people write it: a number or a date. Half ticks occur only as the middle of a bin. */
function tickText(range, tick) {
  if (range.calendar) {
    const day = range.calendar === "day" ? { day: "numeric" } : {};
    const format = new Intl.DateTimeFormat(wordsLanguage(), { year: "numeric", month: "long", ...day, timeZone: "UTC" });
    return format.format(dateOf(range.calendar, Math.round(tick)));
  }
  const most = range.decimals + (Number.isInteger(tick) ? 0 : 1);
  const format = new Intl.NumberFormat(wordsLanguage(), { maximumFractionDigits: most, useGrouping: false });
  return format.format(tick / 10 ** range.decimals);
}

const DATE_INPUTS = { month: "month", day: "date" };

/** A touch that moves further than this, up or down, is a swipe; a press moves less. */
const SWIPE = 12;

/**
 * A slider without a value until someone sets it: a native one starts in the middle, so that an answer that was never given
 * could be sent. It counts ticks, and only writes into the field next to it.
 * @param {NumberRange} range
 * @param {{label: string, unset: string, say: (tick: number) => string, field: HTMLInputElement, read: () => void,
 *   plain: (tick: number) => string}} beside
 */
function numberSlider(range, { label, unset, say, field, read, plain }) {
  let before = { text: "", x: 0, y: 0 };
  const take = () => {
    field.value = plain(Number(slider.value));
    read();
  };
  const undo = () => {
    if (field.value !== before.text) {
      field.value = before.text;
      read();
    }
  };
  const slider = el("input", {
    type: "range",
    class: "slider",
    min: range.low,
    max: range.high,
    step: 1,
    autocomplete: "off",
    "aria-label": label,
    input: take,
    // A click on the centre, or the space bar, moves nothing but counts as an answer.
    click: take,
    keydown: (event) => {
      if (event.key === " ") {
        event.preventDefault();
        take();
      }
    },
    // A finger that scrolls the page sets nothing.
    pointerdown: ({ clientX, clientY }) => {
      before = { text: field.value, x: clientX, y: clientY };
    },
    pointerup: ({ pointerType, clientX, clientY }) => {
      const down = Math.abs(clientY - before.y);
      if (pointerType === "touch" && down > SWIPE && down > Math.abs(clientX - before.x)) {
        undo();
      }
    },
    pointercancel: undo,
  });
  /** @param {number | null} tick */
  const follow = (tick) => {
    slider.value = String(tick ?? Math.floor((range.low + range.high) / 2));
    slider.classList.toggle("slider--unset", tick === null);
    slider.setAttribute("aria-valuetext", tick === null ? unset : say(tick));
  };
  return { node: slider, follow };
}

const withUnit = (text, wording) => (wording.unit ? said(`${text} ${wording.unit}`) : text);

/** @param {Asked} asked */
function numberControl({ question, wording, texts, value, name, id = "", onAnswer }) {
  const { range } = question.disguise;
  const word = (key) => wordOf(question, texts, key);
  const plain = (tick) =>
    range.calendar ? dateText(range.calendar, tick) : (tick / 10 ** range.decimals).toFixed(range.decimals);
  const status = el("p", { role: "status", class: "soft" });
  const show = (bin) => {
    status.replaceChildren(...(bin === undefined ? [] : spaced([texts.number_counts, numberWords(question, wording, texts, bin)])));
  };
  const problem = () => {
    if (input.value === "") {
      return fill(word(input.validity.badInput ? "not_a_number" : "empty"), ends);
    }
    const found = binOf(range, input.value);
    if (found.problem === "too_fine" && range.decimals === 0) {
      return texts.number_whole;
    }
    return "problem" in found ? fill(word(found.problem), { ...ends, decimals: range.decimals }) : null;
  };
  const ends = { low: tickText(range, range.low), high: tickText(range, range.high), example: plain(range.low) };
  const read = () => {
    const found = binOf(range, input.value);
    follow(found.tick ?? null);
    show(found.bin);
    onAnswer(found.bin);
  };
  const input = el("input", {
    type: DATE_INPUTS[range.calendar] ?? "number",
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
    numberSlider(range, {
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

/**
 * @param {boolean} isSent whether the value was sent: then it is an output, possibly beyond the range or "up" or "down"
 */
function numberWords(question, wording, texts, value, isSent = false) {
  const { range, window: width } = question.disguise;
  const outputs = gridOutputs(question.disguise);
  if (isSent && value >= outputs) {
    return wordOf(question, texts, value === outputs ? "down" : "up");
  }
  if (!isSent || width === 1 || question.disguise.cyclic) {
    const low = range.low + value * range.bin;
    const high = low + range.bin - 1;
    const text = low === high ? tickText(range, low) : fill(texts.number_from_to, { low: tickText(range, low), high: tickText(range, high) });
    return withUnit(text, wording);
  }
  const middle = range.low + (value - (width - 1) / 2) * range.bin + (range.bin - 1) / 2;
  const isBeyond = middle < range.low || middle > range.low + bins(range) * range.bin - 1;
  const text = withUnit(fill(texts.number_about, { number: tickText(range, middle) }), wording);
  return isBeyond ? el("span", {}, text, remarked(texts.number_beyond)) : text;
}

export const numberShown = {
  control: numberControl,
  words: (question, wording, texts, value, { isSent }) => numberWords(question, wording, texts, value, isSent),
  first: ({ questions: [question] }, texts) => [wordOf(question, texts, "how")],
  // The promise already contains the bound of a number.
  folded: (_block, _texts, promise) => [promise],
};
