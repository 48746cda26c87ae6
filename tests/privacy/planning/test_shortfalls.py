"""One table of limits decides for plans, checks, pages and documentation."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from privacy.planning.shortfalls import LIMITS, Shortfall, shortfalls
from privacy.planning.use import Goal, Use

ROOT = Path(__file__).resolve().parents[3]
LAYERS = ("privacy", "mining", "surveys")


def use(
    *, width: float = 0.1, number: float | None = None, asked: float = 200, power: float | None = None
) -> Use:
    """Return figures of two starred questions, or of one and a number."""
    return Use(
        aim=Goal(people=200, wanted=("a", "c") if number is None else ("a", "n")),
        half_widths={"a": width, "c": 0.1},
        numbers={} if number is None else {"n": number},
        people_asked={"a": asked, "c": 200},
        power=power,
        asked_together=None if power is None else 0.5,
    )


def found(each: Use) -> list[tuple[str, bool]]:
    return [(short.figure, short.is_refused) for short in shortfalls(each)]


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        ({}, []),
        ({"width": 0.101}, [("share", False)]),
        ({"width": 0.25}, [("share", False)]),
        ({"width": 0.251}, [("share", True)]),
        ({"number": 0.1}, []),
        ({"number": 0.11}, [("mean", False)]),
        ({"number": 0.26}, [("mean", True)]),
        ({"asked": 99.9}, [("asked", True)]),
        # What too few people are asked is not shown, so its width is not judged.
        ({"asked": 99.9, "width": 0.2}, [("asked", True)]),
        ({"asked": 99.9, "width": 0.3}, [("asked", True)]),
        # Of 200 devices, each of which draws it, fewer than 100 do so in 47%, 5.1% and 3.8% of surveys.
        ({"asked": 100}, [("chance", False)]),
        ({"asked": 111, "width": 0.3}, [("chance", False), ("share", True)]),
        ({"asked": 112}, []),
        ({"power": 0.8}, []),
        ({"power": 0.79}, [("difference", False)]),
        ({"power": 0.3}, [("difference", False)]),
        ({"power": 0.29}, [("difference", True)]),
        # A pair is judged by its power, unless a share is useless.
        ({"power": 0.9, "width": 0.2}, []),
        ({"power": 0.9, "width": 0.3}, [("share", True)]),
    ],
)
def test_each_limit_warns_or_refuses_beyond_and_not_at_it(
    figures: dict[str, float], expected: list[tuple[str, bool]]
) -> None:
    assert found(use(**figures)) == expected


def test_too_few_people_with_both_starred_questions_are_refused() -> None:
    enough = use(power=0.9)
    assert shortfalls(enough) == ()
    few = replace(enough, asked_together=0.49)
    assert shortfalls(few) == (Shortfall(figure="together", keys=("a", "c"), is_refused=True),)
    # If no one is asked both, the power says so.
    assert shortfalls(replace(enough, asked_together=0.0)) == ()


def test_the_worst_figure_comes_first() -> None:
    wide = Use(aim=Goal(people=200), half_widths={"a": 0.3, "b": 0.5, "c": 0.3})
    (short,) = shortfalls(wide)
    assert short.keys == ("b", "a", "c")


def test_the_documentation_states_the_limits_of_the_table() -> None:
    text = (ROOT / "docs/checks.md").read_text(encoding="utf-8")
    rows = dict(
        re.findall(
            r"^\| (.+?) \| (.+? \| .+?) \|$", text.partition("## Limits of precision")[2], re.MULTILINE
        )
    )
    people, width, power = LIMITS["asked"], LIMITS["share"], LIMITS["difference"]
    assert width == LIMITS["mean"]
    assert width.useful is not None
    assert power.useful is not None
    assert (
        rows["people who are asked a question, or both of a starred pair"]
        == f"– | fewer than {people.useless:g}"
    )
    assert rows["margin of a share"] == (
        f"over ±{100 * width.useful:g} points, if starred | over ±{100 * width.useless:g} points"
    )
    assert rows["margin of a mean, as a share of the number's range"] == (
        f"over {100 * width.useful:g}%, if starred | over {100 * width.useless:g}%"
    )
    assert rows["a difference of 30 points in a starred pair is found"] == (
        f"less than {10 * power.useful:g} times in 10 | less than {10 * power.useless:g} times in 10"
    )


def test_no_other_module_reads_the_limits_of_usefulness() -> None:
    """Layouts and numbers of people solve for them; results call a difference below a margin alike."""
    readers = {
        path.relative_to(ROOT).as_posix()
        for layer in LAYERS
        for path in (ROOT / layer).rglob("*.py")
        if re.search(r"\bUSE(FUL|LESS)_(WIDTH|POWER)\b", path.read_text(encoding="utf-8"))
    }
    assert readers == {
        "privacy/policy.py",
        "privacy/planning/layouts.py",
        "privacy/planning/precision.py",
        "privacy/planning/shortfalls.py",
        "privacy/planning/use.py",
        "surveys/questionnaire/checks/use.py",
        "surveys/report/results/planned_question.py",
        "surveys/report/sentences/verdict.py",
    }
