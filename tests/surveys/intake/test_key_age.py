"""When a key of the mixer is replaced."""

from datetime import UTC, datetime, timedelta

import pytest

from surveys.intake import key_age

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "old"), [(0, False), (299, False), (300, False), (301, True), (-1, True), (-3_600, True)]
)
def test_a_key_is_old_after_five_minutes_or_with_a_future_date(
    seconds: int, old: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are sealed under a key for ten minutes at most, so it is replaced after half of them."""
    monkeypatch.setattr(key_age.timezone, "now", lambda: NOON)
    assert key_age.is_old(NOON - timedelta(seconds=seconds)) is old
