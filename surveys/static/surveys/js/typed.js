/** What someone types into the field of a number: its tick, and its bin. As in privacy/scales/window.py. Loaded only when the field is shown. */

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** @returns {bigint | "not_a_number" | "too_fine"} */
function tickOfNumber({ decimals: most }, text) {
  const match = NUMBER.exec(text);
  if (match === null || (match[2] === "" && !match[3])) {
    return "not_a_number";
  }
  const decimals = (match[3] ?? "").replace(/0+$/, "");
  if (decimals.length > most) {
    return "too_fine";
  }
  const size = BigInt((match[2] || "0") + decimals.padEnd(most, "0"));
  return match[1] === "-" ? -size : size;
}

/**
 * Reads a typed number, or a date if the range has a calendar.
 * @param {NumberRange} range
 * @param {string} text
 * @param {(calendar: "month" | "day", text: string) => number | null} [tickOfDate] of dates.js, for a calendar
 * @returns {{tick: number, bin: number} | {problem: "not_a_number" | "too_fine" | "outside"}}
 */
export function binOf(range, text, tickOfDate) {
  const typed = text.trim();
  const tick = range.calendar ? (tickOfDate(range.calendar, typed) ?? "not_a_number") : tickOfNumber(range, typed);
  if (typeof tick === "string") {
    return { problem: tick };
  }
  if (tick < range.low || tick > range.high) {
    return { problem: "outside" };
  }
  return { tick: Number(tick), bin: Math.floor((Number(tick) - range.low) / range.bin) };
}
