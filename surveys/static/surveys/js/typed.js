/**
 * What someone types into the field of a number or a date: its tick, and its bin. As in privacy/scales/window.py and
 * calendar_units.py. Loaded only when the field is shown.
 */

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?$/;
const DATE = { month: /^([1-9]\d{3})-(\d{2})$/, day: /^([1-9]\d{3})-(\d{2})-(\d{2})$/ };
const DAY = 86_400_000;
/** Days before 1970 if 1 January of the year 1 is day 1, as in Python. */
const BEFORE_1970 = 719_163;

/**
 * The first date of a month or a day.
 * @param {"month" | "day"} calendar @param {number} tick months since January of the year 0, or days
 */
export const dateOf = (calendar, tick) =>
  new Date(calendar === "month" ? Date.UTC(Math.floor(tick / 12), tick % 12) : (tick - BEFORE_1970) * DAY);

/** A month or a day as an input field has it: 2025-03, 2025-03-01. */
export const dateText = (calendar, tick) => dateOf(calendar, tick).toISOString().slice(0, calendar === "month" ? 7 : 10);

/** @returns {number | null} null if there is no such month or day */
function tickOfDate(calendar, text) {
  const [, year, month, day = 1] = (DATE[calendar].exec(text) ?? []).map(Number);
  const tick = calendar === "month" ? 12 * year + month - 1 : Date.UTC(year, month - 1, day) / DAY + BEFORE_1970;
  // Refuse a day such as 30 February, which Date.UTC turns into a day in March.
  return Number.isNaN(tick) || dateText(calendar, tick) !== text ? null : tick;
}

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
 * @returns {{tick: number, bin: number} | {problem: "not_a_number" | "too_fine" | "outside"}}
 */
export function binOf(range, text) {
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
