"""Golden vectors of the promise: `python -m tests.vectors.make_promise_vectors` writes promise.json."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

import django

from privacy.risk.promise import Promise
from surveys.questionnaire.aim import promise_sentence
from tests.vectors.make_vectors import HERE, written

# Everything, one answer, a skip: at an edge of a percent, just above it, and beyond 99 of 100.
ODDS = (
    ("19", "4", None),
    ("22/3", "7/3", "4"),
    ("19000001/1000000", "4", "5"),
    ("99", "99", "99"),
    ("9901/100", "19", "100"),
    ("243", "3", "3"),
    ("1234567", "1000", "3334"),
)


def promise_vectors() -> dict[str, Any]:
    """Return the content of promise.json: a promise as a page stores it, and its sentence in English."""
    made = [
        # With check questions, whose true answers are known.
        Promise(
            everything=Fraction(7), answer=Fraction(4), skip=None, parts=1, not_composed=False, anchors=2
        ),
        *(
            Promise(
                everything=Fraction(everything),
                answer=Fraction(one),
                skip=None if skip is None else Fraction(skip),
                parts=1,
                not_composed=False,
            )
            for everything, one, skip in ODDS
        ),
    ]
    return {"promises": [{"held": each.to_json(), "sentence": promise_sentence(each)} for each in made]}


FILES = {"promise.json": promise_vectors}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    for file, make in FILES.items():
        (HERE / file).write_text(written(make()), encoding="ascii")


if __name__ == "__main__":
    main()
