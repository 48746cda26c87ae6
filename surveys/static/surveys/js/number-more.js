/** What most number fields do not need at once: dates, sliders, and what is sent, in words. */

import { dateText, dateWords, inputs, tickOfDate } from "./dates.js";
import { el, fill } from "./dom.js";
import { remarked } from "./joints.js";
import { binWords, numberControl, numberFirst, tickText, useMore, withUnit, wordOf } from "./number-field.js";
import { bins, gridOutputs } from "./numbers.js";

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

/** @param {boolean} isSent whether the value was sent: then it is an output, possibly beyond the range or "up" or "down" */
function numberWords(question, wording, texts, value, isSent) {
  const { range, window: width } = question.disguise;
  const outputs = gridOutputs(question.disguise);
  if (isSent && value >= outputs) {
    return wordOf(question, texts, value === outputs ? "down" : "up");
  }
  if (!isSent || width === 1 || question.disguise.cyclic) {
    return binWords(question, wording, texts, value);
  }
  const middle = range.low + (value - (width - 1) / 2) * range.bin + (range.bin - 1) / 2;
  const isBeyond = middle < range.low || middle > range.low + bins(range) * range.bin - 1;
  const text = withUnit(fill(texts.number_about, { number: tickText(range, middle) }), wording);
  return isBeyond ? el("span", {}, text, remarked(texts.number_beyond)) : text;
}

export const added = { dateText, dateWords, inputs, numberSlider, tickOfDate };

useMore(added);

export const numberShown = {
  control: numberControl,
  words: (question, wording, texts, value, { isSent }) => numberWords(question, wording, texts, value, isSent),
  first: numberFirst,
  // The promise already contains the bound of a number.
  folded: (_block, _texts, promise) => [promise],
};
