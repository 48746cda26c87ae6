"""Mixers and inboxes without one of their protections: what attacks must break."""

import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from surveys.intake import mix, receive


@pytest.fixture
def plain_inbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rows wait in the clear, without a box."""

    def as_it_is(row: bytes, **_: Any) -> bytes:
        return row

    monkeypatch.setattr(receive, "seal", as_it_is)
    monkeypatch.setattr(mix, "seal", as_it_is)
    monkeypatch.setattr(mix, "open_box", as_it_is)


@pytest.fixture
def keep_arrivals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave receipts where they arrived, name rows by a counter, and do not shuffle."""
    for name in ("fresh_receipts_rewrite", "receipts_rewrite"):
        monkeypatch.setattr(mix, name, lambda survey_id: None)
    monkeypatch.setattr(mix, "open_receipts_rewrite", lambda *, at: None)
    numbers = itertools.count()
    named = SimpleNamespace(
        token_bytes=lambda size: next(numbers).to_bytes(size, "big"), SystemRandom=mix.secrets.SystemRandom
    )
    for module in (mix, receive):
        monkeypatch.setattr(module, "secrets", named)


@pytest.fixture
def batches_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mix each row by itself, without a pool."""
    monkeypatch.setattr(mix, "LEAST_WAITING", 1)
    monkeypatch.setattr(mix, "POOL", 0)
