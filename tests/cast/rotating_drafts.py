"""Definitions with rotating parts: ten questions of which each person is asked four, and parts in turn."""

from __future__ import annotations

from typing import Any

from privacy.survey.booklets import balanced_booklets
from tests.cast.checked_surveys import document_of, protected, yes_no

TEN = [f"q{number}" for number in range(10)]
# e^3 at fair coins, four questions together: p/(1 - p) = (e^3 - 1)/16.
P = 5439


def ten_of(per_person: int = 4, *, together: int | None = 3, p: int = P, **more: Any) -> dict[str, Any]:
    """A part of ten yes/no questions, with a balanced list of sets, or with all of them."""
    listed = balanced_booklets(10, per_person, together=together) if together else None
    booklets = {"booklets": [list(booklet) for booklet in listed]} if listed else {}
    return protected("ten", *map(yes_no, TEN), p=p, questions_per_person=per_person, **booklets, **more)


def rotating_document(**changes: Any) -> dict[str, Any]:
    """Four of ten questions, and of three short parts two."""
    parts = [
        protected(key, yes_no(f"{key}-1"), yes_no(f"{key}-2"), p=2000) for key in ("home", "work", "sport")
    ]
    rotations = [{"blocks": ["home", "work", "sport"], "parts_per_person": 2}]
    return document_of(ten_of(), *parts, **({"rotations": rotations} | changes))
