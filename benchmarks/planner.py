"""Measure how long the plan page needs to plan a draft and to price its proposals.

    python -m benchmarks.planner [--repeat 3]

Drafts have 10, 20 and 40 questions: yes/no, every fifth a choice of four answers, and in the first two a
number. None, one or two answers are starred, and 250 or 1,000 people are expected. Prints milliseconds of one
processor for the plan, its proposals and the cost of each question, with nothing computed before; the
smallest of all repetitions, because other programs can only add time.
"""

from __future__ import annotations

import argparse
import functools
import gc
import os
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import django

from benchmarks.machine import machine

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
django.setup()

# Models need the settings.
# ruff: noqa: E402
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import ABOUT, Definition, definition_without_texts
from surveys.questionnaire.draft_plan import plan
from surveys.questionnaire.plan_changes import changes, costs

QUESTIONS: Final = (10, 20, 40)
PEOPLE: Final = (250, 1_000)
STARS: Final = ((), ("q1",), ("q1", "q3"))
STEPS: Final[tuple[Callable[..., Any], ...]] = (plan, changes, costs)
_MOST_WITH_NUMBER: Final = 20
_EVERY: Final = 5


def draft(count: int) -> Definition:
    """Return a draft with this many protected questions, without texts."""
    numbers = 1 if count <= _MOST_WITH_NUMBER else 0
    coins = [_choice(place) if place % _EVERY == 4 else _yes_no(place) for place in range(count - numbers)]
    blocks = [_block("coins", coins, refusal=1000, truth_probability=5000)]
    if numbers:
        disguise = {"mechanism": "square_wave", "epsilon": 1.0, "low": 0, "high": 40, "bin": 1}
        asked = {"key": "hours", "kind": "number", "text": {}, "number": disguise}
        blocks.append(_block("time", [asked], refusal=True))
    document = {"sotto": 1, "slug": "", "title": {}, "practice": False, "group": {"policy": "protected"}}
    about: dict[str, dict[str, str]] = {name: {} for name in ABOUT}
    definition = definition_without_texts({**document, "about": about, "languages": ["en"], "blocks": blocks})
    if definition is None:
        raise ValueError(count)
    return definition


def _block(key: str, questions: list[dict[str, Any]], **disguise: Any) -> dict[str, Any]:
    return {"key": key, "protected": True, "title": {}, "questions": questions, **disguise}


def _yes_no(place: int) -> dict[str, Any]:
    even = [5000]
    return {"key": f"q{place}", "kind": "yes_no", "text": {}, "unrelated": even, "prevalence": even}


def _choice(place: int) -> dict[str, Any]:
    even = [2500] * 4
    options = [{"key": f"o{number}", "text": {}} for number in range(4)]
    return _yes_no(place) | {"kind": "single", "options": options, "unrelated": even, "prevalence": even}


def measured(definition: Definition, aim: Aim, repeat: int) -> Iterator[float]:
    """Yield the seconds of one processor of each step, and of all steps after one another."""
    taken = []
    for _time in range(repeat):
        _forget()
        start = time.process_time()
        ends = []
        for step in STEPS:
            step(definition, aim)
            ends.append(time.process_time())
        taken.append([end - before for before, end in zip([start, *ends], ends, strict=False)])
    for step_times in zip(*taken, strict=True):
        yield min(step_times)
    yield min(map(sum, taken))


def _forget() -> None:
    """Empty the caches of the product, which a process has after its first plans."""
    for each in gc.get_objects():
        if isinstance(each, functools._lru_cache_wrapper) and each.__module__.startswith(
            ("privacy", "mining", "surveys")
        ):
            each.cache_clear()


def main() -> None:
    """Print a row for each draft."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    print(f"{machine()}; milliseconds of one processor")
    print(f"{'questions':>9} {'people':>7} {'stars':>5} {'plan':>6} {'changes':>8} {'costs':>6} {'all':>6}")
    for count in QUESTIONS:
        definition = draft(count)
        for people in PEOPLE:
            for stars in STARS:
                aim = Aim(people=people, wanted=stars)
                plan(definition, aim)
                one, proposals, each, every = (
                    1000 * seconds for seconds in measured(definition, aim, options.repeat)
                )
                print(
                    f"{count:>9} {people:>7,} {len(stars):>5} {one:>6.0f} {proposals:>8.0f} {each:>6.0f} "
                    f"{every:>6.0f}"
                )


if __name__ == "__main__":
    main()
