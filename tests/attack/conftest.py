"""Mixers and inboxes that lack one protection, so attacks on them must succeed."""

import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from surveys.intake import inbox, mix, receive, store


@pytest.fixture
def plain_inbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store waiting rows in plain text."""

    def as_it_is(row: bytes, **_: Any) -> bytes:
        return row

    monkeypatch.setattr(receive, "seal", as_it_is)
    monkeypatch.setattr(inbox, "seal", as_it_is)
    monkeypatch.setattr(inbox, "open_box", as_it_is)


@pytest.fixture
def keep_arrivals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep receipts in order of arrival, number rows, and do not shuffle."""
    for name in ("fresh_receipts_rewrite", "receipts_rewrite"):
        monkeypatch.setattr(mix, name, lambda survey_id: None)
    monkeypatch.setattr(mix, "open_receipts_rewrite", lambda *, at: None)
    numbers = itertools.count()
    named = SimpleNamespace(
        token_bytes=lambda size: next(numbers).to_bytes(size, "big"), SystemRandom=mix.secrets.SystemRandom
    )
    for module in (inbox, mix, store):
        monkeypatch.setattr(module, "secrets", named)


@pytest.fixture
def batches_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mix each row alone, without a pool."""
    monkeypatch.setattr(mix, "LEAST_WAITING", 1)
    monkeypatch.setattr(mix, "POOL", 0)
