"""An age limit of a pasted text."""

from __future__ import annotations

import pytest

from surveys.imports.pasted import pasted_read


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Sleep\nAge limit: 18\n1. Bad?", "en", "For people of 18 and older."),
        ("Sleep\nAge limit: 16+\n1. Bad?", "en", "For people of 16 and older."),
        ("睡眠\n年龄限制：18\n1. 睡得不好吗？", "zh-hans", "面向年满 18 岁的人士。"),
        ("Sleep\nAge limit: Adults only\n1. Bad?", "en", "Adults only"),
    ],
)
def test_an_age_limit_becomes_a_sentence(text: str, language: str, said: str) -> None:
    reading = pasted_read(text)
    assert reading.document is not None
    assert reading.document["about"]["age_limit"][language] == said
