"""The largest number of days, or other units of time, that a question about a period can count."""

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.words.counted_periods import most_in_period


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("On how many of the last 30 days did you drink?", 30),
        ("In the last 7 days, on how many days did you walk?", 7),
        ("An wie vielen Tagen in den letzten 30 Tagen?", 30),
        ("An wie vielen Tagen in den letzten zwei Wochen?", 14),
        ("Combien de jours au cours des 30 derniers jours ?", 30),
        ("¿Cuántos días en los últimos 30 días?", 30),
        ("在过去30天里，您有多少天喝酒？", 30),
        ("每周您有几天锻炼？", 7),
        ("On how many days in the last 12 months?", 366),
        ("In the past 12 months, on how many days per week do you drink?", 7),
        ("How many hours did you work in the last 7 days?", 168),
        ("How many months of the year do you work?", 12),
        ("How many years have you worked here?", None),
        ("How many years have you smoked, if you are over 18 years old?", None),
        ("How many days were you ill?", None),
        ("On how many days in the last months did you drink?", None),
        ("How many times in the last 30 days?", None),
        ("How many cigarettes per day did you smoke in the last 30 days?", None),
    ],
)
def test_a_count_cannot_exceed_its_period_and_is_never_cut_below_it(text: str, most: int | None) -> None:
    assert most_in_period(text) == most


def test_the_unit_next_to_the_space_is_counted() -> None:
    assert most_in_period("Alcohol in the last 30 days", "days") == 30
    assert most_in_period("Alcohol in the last 30 days", "glasses") is None


def test_an_imported_count_of_days_has_one_step_for_each_day() -> None:
    text = (
        "Umfrage\n\n1. An wie vielen Tagen in den letzten 30 Tagen?\t____ Tage\n2. Sind Sie müde?\nja\nnein\n"
    )
    days = read_paste(text).questions[0]
    assert days.range == "0–30"
    assert {name: days.own["number"][name] for name in ("low", "high", "bin")} == {
        "low": 0,
        "high": 30,
        "bin": 1,
    }
