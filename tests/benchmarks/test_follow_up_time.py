"""The time of a visit reveals more, the longer the follow-ups and the shorter the survey."""

import numpy as np
import pytest

from benchmarks.follow_up_time import PACE, VISIT, certainty, main, measure, times


def test_times_have_the_stated_median_and_spread() -> None:
    rng = np.random.default_rng(1)
    logs = np.log(times(3, 0, 100_000, known_pace=False, rng=rng) / 180)
    spread = np.hypot(PACE, VISIT)
    # Five standard errors.
    assert abs(np.median(logs)) < 5 * 1.2533 * spread / np.sqrt(100_000)
    assert abs(logs.std() - spread) < 5 * spread / np.sqrt(200_000)


def test_a_planted_delay_is_found_and_no_delay_reveals_nothing() -> None:
    rng = np.random.default_rng(2)
    nothing = certainty(3, 0, 100_000, known_pace=True, rng=rng)
    assert nothing < 0.53
    # With the pace known and a minute added to three, almost every visit betrays itself.
    assert certainty(3, 60, 100_000, known_pace=True, rng=rng) > 0.95


@pytest.mark.soak
def test_longer_follow_ups_and_shorter_surveys_reveal_more() -> None:
    rows = {(row["minutes"], row["added"]): row for row in measure(100_000, 3) if not row["neutral"]}
    for added in (5, 20, 60):
        assert rows[1, added]["unknown"] > rows[3, added]["unknown"] > rows[10, added]["unknown"]
    for minutes in (1, 3, 10):
        assert rows[minutes, 60]["unknown"] > rows[minutes, 20]["unknown"] > rows[minutes, 5]["unknown"]
        assert rows[minutes, 20]["known"] > rows[minutes, 20]["unknown"]


@pytest.mark.soak
def test_neutral_questions_hide_the_more_the_longer_they_take_up_to_the_follow_ups() -> None:
    rows = {(row["minutes"], row["added"], row["neutral"]): row for row in measure(100_000, 4)}
    for minutes in (1, 3):
        for pace in ("unknown", "known"):
            none, half, most, all_of_it = (rows[minutes, 20, share][pace] for share in (0, 0.5, 0.75, 1))
            assert none > half > most > all_of_it
            assert all_of_it < 0.53


def test_the_table_is_seeded(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--visits", "2000"]) == 0
    first = capsys.readouterr().out
    assert main(["--visits", "2000"]) == 0
    assert capsys.readouterr().out == first
    # One row without follow-ups, and four for each of three kinds, in surveys of three lengths.
    assert len(first.splitlines()) == 2 + 3 * (1 + 3 * 4)
