"""Months, quarters and years."""

import datetime

from privacy.tables.date_spans import span_groups, span_of


def test_months_are_assigned_to_their_quarter() -> None:
    quarters = [span_of(datetime.date(2021, month, 28), "quarter") for month in range(1, 13)]
    assert quarters == [f"2021 Q{number}" for number in (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4)]
    for month, quarter in enumerate(quarters, start=1):
        assert span_groups(f"2021-{month:02}") == ("2020s", "2021", quarter)
