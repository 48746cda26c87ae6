/** Dates as answers: their ticks, and how they are written. As in privacy/scales/calendar_units.py. */

import { wordsLanguage } from "./said.js";

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
export function tickOfDate(calendar, text) {
  const [, year, month, day = 1] = (DATE[calendar].exec(text) ?? []).map(Number);
  const tick = calendar === "month" ? 12 * year + month - 1 : Date.UTC(year, month - 1, day) / DAY + BEFORE_1970;
  // Refuse a day such as 30 February, which Date.UTC turns into a day in March.
  return Number.isNaN(tick) || dateText(calendar, tick) !== text ? null : tick;
}

/** The type of the input field, by calendar. */
export const inputs = { month: "month", day: "date" };

/** A date as people write it. @param {NumberRange} range */
export function dateWords({ calendar }, tick) {
  const day = calendar === "day" ? { day: "numeric" } : {};
  const format = new Intl.DateTimeFormat(wordsLanguage(), { year: "numeric", month: "long", ...day, timeZone: "UTC" });
  return format.format(dateOf(calendar, Math.round(tick)));
}
