"""The range of a number: its ends, bins, decimals, and calendars for months, quarters and years."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Final

from privacy import validation
from privacy.errors import PrivacyError
from privacy.scales.calendars import CALENDARS, calendar_text, calendar_tick

FIRST_TICK: Final = {"month": calendar_tick("month", "1000-01"), "day": calendar_tick("day", "1000-01-01")}
LAST_TICK: Final = {"month": calendar_tick("month", "9999-12"), "day": calendar_tick("day", "9999-12-31")}
MOST_BINS: Final = 10_000
LARGEST_END: Final = 10**12
MOST_DECIMALS: Final = 6
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?|[+-]?\.\d+", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class NumberRange:
    """Numbers or dates from `low` to `high`, both included, in bins of `bin` ticks.

    Parameters
    ----------
    low, high : int
        Ends in ticks of 10^-decimals, at most 10^12 from 0; with a calendar, in months or days.
    decimals : int, 0 to 6
        Decimals of an answer; 0 with a calendar.
    bin : int
        Ticks per bin; it divides the number of ticks into 2 to 10,000 bins.
    calendar : {"month", "day"}, optional
        If given, answers are months or days of the years 1000 to 9999, numbered as in `calendar_tick`.

    Raises
    ------
    PrivacyError
        With code ``range``.

    Examples
    --------
    >>> age = NumberRange(low=0, high=119, bin=5)
    >>> age.bins, age.bin_of("34"), age.middle(6)
    (24, 6, Fraction(32, 1))
    >>> hours = NumberRange(low=0, high=239, decimals=1, bin=5)
    >>> hours.bin_of("7.5"), hours.middle(15)
    (15, Fraction(77, 10))
    >>> quarters = NumberRange(low=24300, high=24323, bin=3, calendar="month")
    >>> quarters.text(quarters.low), quarters.bin_of("2025-05")
    ('2025-01', 1)
    """

    low: int
    high: int
    decimals: int = 0
    bin: int = 1
    calendar: str | None = None

    def __post_init__(self) -> None:
        for name, least, most in (
            ("low", -LARGEST_END, LARGEST_END),
            ("high", -LARGEST_END, LARGEST_END),
            ("decimals", 0, MOST_DECIMALS),
            ("bin", -LARGEST_END, 2 * LARGEST_END),
        ):
            number = validation.whole_number(getattr(self, name), name, low=least, high=most, code="range")
            object.__setattr__(self, name, number)
        if self.calendar is not None:
            self._check_calendar(self.calendar)
        ticks = self.high - self.low + 1
        if ticks < 2:
            raise PrivacyError("range.ends", self.high, low=self.low)
        if self.bin < 1:
            width, low, high = (f"{width / 10**self.decimals:g}" for width in (self.bin, 1, ticks // 2))
            raise PrivacyError("range.width", width, name="bin", low=low, high=high)
        if ticks % self.bin:
            fitting = self.low + -(-ticks // self.bin) * self.bin - 1
            raise PrivacyError("range.bin", self.bin, ticks=ticks, end=self.text(fitting))
        if not 2 <= self.bins <= MOST_BINS:
            raise PrivacyError("range.bins", self.bins, most=MOST_BINS)

    def _check_calendar(self, calendar: str) -> None:
        validation.one_of(calendar, "calendar", allowed=CALENDARS, code="range")
        validation.whole_number(self.decimals, "decimals", low=0, high=0, code="range")
        for name in ("low", "high"):
            validation.whole_number(
                getattr(self, name), name, low=FIRST_TICK[calendar], high=LAST_TICK[calendar], code="range"
            )

    @property
    def bins(self) -> int:
        """Number n of bins."""
        return (self.high - self.low + 1) // self.bin

    def text(self, tick: int) -> str:
        """Return a tick as text."""
        if self.calendar is not None:
            return calendar_text(self.calendar, tick)
        if self.decimals == 0:
            return str(tick)
        digits = str(abs(tick)).rjust(self.decimals + 1, "0")
        sign = "-" if tick < 0 else ""
        return f"{sign}{digits[: -self.decimals]}.{digits[-self.decimals :]}"

    def value_text(self, value: float) -> str | None:
        """Return the date nearest to a value such as a mean; None without a calendar, or beyond its years.

        >>> NumberRange(low=24300, high=24323, calendar="month").value_text(24302.4)
        '2025-03'
        """
        if self.calendar is None or not FIRST_TICK[self.calendar] <= value <= LAST_TICK[self.calendar]:
            return None
        return self.text(round(value))

    def bin_of(self, answer: str) -> int:
        """Return the bin of a typed number or date.

        Raises
        ------
        PrivacyError
            ``answer``: not a number or date, too many decimals, or outside the range.
        """
        tick = calendar_tick(self.calendar, answer) if self.calendar is not None else self._number(answer)
        if not self.low <= tick <= self.high:
            raise PrivacyError(
                "answer.outside",
                answer,
                text=answer.strip(),
                low=self.text(self.low),
                high=self.text(self.high),
            )
        return (tick - self.low) // self.bin

    def _number(self, answer: str) -> int:
        """Return the tick of a typed number."""
        text = answer.strip()
        if _NUMBER.fullmatch(text) is None:
            raise PrivacyError("answer.number", answer)
        whole, _, rest = text.lstrip("+-").partition(".")
        rest = rest.rstrip("0")
        if len(rest) > self.decimals:
            raise PrivacyError("answer.decimals", answer, text=text, decimals=self.decimals)
        tick = int((whole or "0") + rest.ljust(self.decimals, "0"))
        return -tick if text.startswith("-") else tick

    def middle(self, position: int) -> Fraction:
        """Return the number in the middle of a bin; positions outside 0..bins-1 are extrapolated linearly."""
        return Fraction(2 * self.low + (2 * position + 1) * self.bin - 1, 2 * 10**self.decimals)

    def to_json(self) -> dict[str, int | str]:
        """Return the range as plain data for JSON."""
        return {name: value for name, value in asdict(self).items() if value is not None}
