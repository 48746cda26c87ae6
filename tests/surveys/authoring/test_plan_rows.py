"""Each row of the plan states what will be known, what the question costs, and how it becomes cheaper."""

import re
from typing import Any

import pytest

from privacy.planning.protection import PROTECTIONS
from surveys.authoring.plan_rows import Known, idle_guess_sentences, known_rows, lighter_is_no_better
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_parse
from surveys.questionnaire.plan_changes import costs
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.planned_drafts import CHOICE, JOB, planned

NUMBER = {"mechanism": "square_wave", "epsilon": 1.4, "low": 0, "high": 40, "bin": 1}


def with_number(*more: dict[str, Any]) -> Definition:
    number = {"key": "n", "kind": "number", "text": {"en": "How many drinks?"}, "number": NUMBER}
    return definition_parse(
        document_of(
            unprotected("you", JOB),
            protected("b", *(yes_no(f"q{number}") for number in range(6)), *more, p=500, refusal=154),
            {
                "key": "n",
                "protected": True,
                "title": {"en": "Drinks"},
                "refusal": True,
                "questions": [number],
            },
        )
    )


def rows_of(draft: Definition, aim: Aim) -> dict[str, Known]:
    return {row.key: row for row in known_rows(planned(draft, aim), draft, costs(draft, aim))}


def test_the_question_that_costs_most_has_a_remedy() -> None:
    even = {"q0": 5000, "q1": 5000}
    rows = rows_of(with_number(), Aim(people=250, wanted=("q0", "q1"), shares=even))
    assert list(rows) == ["job", "q0", "q1", "q2", "q3", "q4", "q5", "n"]
    assert [row.key for row in rows.values() if row.is_worst] == ["n"]
    assert (rows["n"].remedy, rows["n"].value) == (
        "Ask “How many drinks?” as 3 levels",
        "form:levels,n",
    )
    assert rows["n"].cost == "Without it, the link is found at 36 instead of 72 points."
    assert re.fullmatch(r"Without it, the link is found at \d\d instead of 72 points\.", rows["q5"].cost)
    assert not rows["q0"].cost, "a starred question is not left out"
    assert (rows["job"].words, rows["job"].bars, rows["job"].cost) == ("As answered", (), "")


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (("q0",), r"Without it, “Did you ever q0\?” is ±[\d.]+ instead of ±[\d.]+ points\."),
        ((), r"Without it, the least exact share is ±[\d.]+ instead of ±[\d.]+ points\."),
    ],
)
def test_the_cost_is_that_of_the_starred_figure_or_of_the_widest_share(
    wanted: tuple[str, ...], said: str
) -> None:
    draft, aim = with_number(), Aim(people=250, wanted=wanted)
    rows = rows_of(draft, aim)
    assert re.fullmatch(said, rows["n"].cost)
    after, before = map(float, re.findall(r"±([\d.]+)", rows["n"].cost))
    now, without = planned(draft, aim).use, costs(draft, aim)["n"]
    keys = wanted or tuple(now.half_widths)
    assert before == pytest.approx(100 * max(now.half_widths[key] for key in keys), abs=0.1)
    assert after == pytest.approx(100 * max(without.half_widths[key] for key in keys), abs=0.1)


def test_no_question_costs_anything_where_every_share_is_unknown_anyway() -> None:
    """Each row said "±100 instead of ±100", and that it cost most."""
    rows = rows_of(with_number(), Aim(people=2))
    assert {row.cost for row in rows.values()} == {""}
    assert not any(row.is_worst for row in rows.values())


def test_bars_are_the_intervals_of_the_plan() -> None:
    draft = with_number(CHOICE)
    aim = Aim(people=1_000, wanted=("often=o1",), shares={"often=o1": 1000, "q0": 100})
    use, rows = planned(draft, aim).use, rows_of(draft, aim)
    # A choice shows its starred answer.
    (bar,) = rows["often"].bars
    width = 100 * use.half_widths["often=o1"]
    assert float(bar.x) == pytest.approx(max(10 - width, 0), abs=0.06)
    assert float(bar.x) + float(bar.width) == pytest.approx(10 + width, abs=0.11)
    # An interval stays on the scale.
    (rare,) = rows["q0"].bars
    assert float(rare.x) == 0
    (mean,) = rows["n"].bars
    assert mean.text.startswith("mean ±")
    assert float(mean.x) + float(mean.width) / 2 == pytest.approx(50, abs=0.1)


def test_a_question_that_costs_little_says_nothing() -> None:
    draft = definition_parse(document_of(protected("b", yes_no("q0"), yes_no("q1"), p=500)))
    rows = rows_of(draft, Aim(people=1_000_000))
    assert [(row.cost, row.is_worst, row.remedy) for row in rows.values()] == [("", False, "")] * 2


def test_a_lighter_protection_that_changes_no_figure_is_recognised() -> None:
    """The limit for everything decides here: light and medium protection share it."""
    draft = with_number()
    aims = {strength: Aim(people=250, wanted=("q0", "q1"), strength=strength) for strength in PROTECTIONS}
    found = {name: lighter_is_no_better(planned(draft, aim), draft, ()) for name, aim in aims.items()}
    same = planned(draft, aims["light"]).use.widths == planned(draft, aims["medium"]).use.widths
    assert found == {"light": False, "medium": same, "strong": False}
    alone = definition_parse(document_of(protected("b", yes_no("q0"))))
    assert not lighter_is_no_better(planned(alone, Aim(people=250)), alone, ())


def test_a_guess_about_a_choice_without_a_star_is_said_to_be_unused() -> None:
    """After “Do not compare” the page still showed such a guess, and ignored it."""
    made = planned(with_number(CHOICE), Aim(people=400))
    values = {"guess_often": 10, "star_often": "", "guess_q0": 20, "star_q0": ""}
    (said,) = idle_guess_sentences(values, made)
    assert said.startswith("Not used: your guess about “How often?”.")
    assert idle_guess_sentences(values | {"star_often": "often=o0"}, made) == []
