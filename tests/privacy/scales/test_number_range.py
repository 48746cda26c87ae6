from fractions import Fraction

import pytest

from privacy.errors import PrivacyError
from privacy.scales.calendars import calendar_text, calendar_tick
from privacy.scales.number_range import FIRST_TICK, LAST_TICK, NumberRange
from tests.fixtures.refusals import refused

HOURS = NumberRange(low=-10, high=239, decimals=1, bin=5)


@pytest.mark.parametrize(
    ("typed", "found"),
    [("-1", 0), ("-0.5", 1), (" 7.5 ", 17), ("7.50", 17), ("+7", 16), ("23.9", 49), (".5", 3), ("-0", 2)],
)
def test_a_typed_number_becomes_its_bin(typed: str, found: int) -> None:
    assert HOURS.bin_of(typed) == found


@pytest.mark.parametrize("typed", ["", ".", "-", "7,5", "NaN", "inf", "1e3", "0x10", "7 5", "٣"])
def test_invalid_numbers_are_refused(typed: str) -> None:
    with refused("answer", repr(typed)):
        HOURS.bin_of(typed)


def test_numbers_out_of_range_or_too_precise_are_rejected() -> None:
    with refused("answer", "24", "-1.0 to 23.9"):
        HOURS.bin_of("24")
    with refused("answer", "7.55"):
        HOURS.bin_of("7.55")
    with refused("answer"):
        HOURS.bin_of("9" * 400)


def test_every_tick_falls_into_the_bin_with_the_nearest_middle() -> None:
    for tick in range(HOURS.low, HOURS.high + 1):
        number = Fraction(tick, 10)
        place = HOURS.bin_of(HOURS.text(tick))
        half = Fraction(HOURS.bin - 1, 20)
        assert abs(number - HOURS.middle(place)) <= half


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"low": 5, "high": 5}, "5 to 5"),
        ({"low": 0, "high": 100, "bin": 10}, "101"),
        ({"low": 0, "high": 9, "bin": 10}, "1 bin"),
        ({"low": 0, "high": 99, "bin": 0, "decimals": 1}, "a bin cannot be 0 wide"),
        ({"low": 0, "high": 10_000}, "10001 bins"),
        ({"low": 0, "high": 9, "decimals": 7}, "7"),
        ({"low": 0, "high": 10**13}, "10000000000000"),
        ({"low": 0.5, "high": 9}, "0.5"),
        ({"low": True, "high": 9}, "True"),
    ],
)
def test_ranges_that_cannot_be_binned_are_rejected(changes: dict[str, int], named: str) -> None:
    with refused("range", named):
        NumberRange(**changes)


def test_the_remedy_for_incomplete_bins_suggests_a_valid_end() -> None:
    with pytest.raises(PrivacyError) as caught:
        NumberRange(low=0, high=240, decimals=1, bin=5)
    assert "24.4" in caught.value.remedy
    assert NumberRange(low=0, high=244, decimals=1, bin=5).bins == 49


def test_every_month_converts_to_a_number_and_back() -> None:
    texts = [f"{year:04d}-{month:02d}" for year in range(1000, 10000) for month in range(1, 13)]
    ticks = range(FIRST_TICK["month"], LAST_TICK["month"] + 1)
    assert [calendar_text("month", tick) for tick in ticks] == texts
    assert [calendar_tick("month", text) for text in texts[::97]] == list(ticks[::97])


def test_calendars_have_known_names_whole_units_and_four_digit_years() -> None:
    months = {"low": FIRST_TICK["month"], "high": FIRST_TICK["month"] + 11, "calendar": "month"}
    assert NumberRange(**months).bins == 12
    last = LAST_TICK["month"]
    for changes in (
        {"calendar": "week"},
        {"decimals": 1},
        {"low": months["low"] - 1},
        {"high": last + 1, "low": last - 10},
    ):
        with refused("range"):
            NumberRange(**(months | changes))


def test_ticks_are_written_with_their_sign_and_decimals() -> None:
    tenths = NumberRange(low=-20, high=19, decimals=1)
    assert [tenths.text(tick) for tick in (0, -5, 5, -15, 12)] == ["0.0", "-0.5", "0.5", "-1.5", "1.2"]


def test_only_dates_within_the_calendar_have_a_text() -> None:
    assert NumberRange(low=0, high=9).value_text(4.0) is None
    months = NumberRange(low=FIRST_TICK["month"], high=FIRST_TICK["month"] + 11, calendar="month")
    assert months.value_text(float(FIRST_TICK["month"])) == months.text(FIRST_TICK["month"])
    assert months.value_text(FIRST_TICK["month"] - 0.1) is None
    assert months.value_text(LAST_TICK["month"] + 0.1) is None
