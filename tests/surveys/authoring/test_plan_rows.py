"""Each row of the plan states what will be known, what the question costs, and how it becomes cheaper."""

import re
from dataclasses import replace
from typing import Any

import pytest

from privacy.planning.protection import PROTECTIONS
from surveys.authoring.plan_rows import (
    Known,
    cost_sentences,
    idle_guess_sentences,
    known_rows,
    lighter_is_no_better,
    without_repeated,
)
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_parse
from surveys.questionnaire.plan_changes import costs
from surveys.questionnaire.use_words import item_names
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.planned_drafts import CHOICE, JOB, planned

NUMBER = {"mechanism": "square_wave", "epsilon": 1.4, "low": 0, "high": 40, "bin": 1}
UNIT = {"unit": {"en": "drinks"}}


def with_number(*more: dict[str, Any]) -> Definition:
    number = {"key": "n", "kind": "number", "text": {"en": "How many drinks?"}, "number": NUMBER | UNIT}
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


def legend_of(draft: Definition, aim: Aim) -> list[str]:
    return cost_sentences(planned(draft, aim), [*rows_of(draft, aim).values()])


def frequencies(count: int, *, alike: bool) -> Definition:
    """Return a draft of questions with three answers each, which are the same words if `alike`."""
    questions = [
        CHOICE
        | {
            "key": f"q{number}",
            "text": {"en": f"How often have you borrowed without asking, at place {number}?"},
            "options": [
                {"key": f"o{n}", "text": {"en": word if alike else f"{word} ({number})"}}
                for n, word in enumerate(("Never", "Once", "Often"))
            ],
        }
        for number in range(count)
    ]
    return definition_parse(document_of(protected("b", *questions, p=500, refusal=154)))


def test_buttons_that_merge_the_same_answers_name_them_once() -> None:
    draft, aim = frequencies(6, alike=True), Aim(people=400)
    rows = [*rows_of(draft, aim).values()]
    assert {row.remedy for row in rows} == {"Merge 2 answers"}
    (merged,) = {row.merged for row in rows}
    assert legend_of(draft, aim)[-1] == f"“Merge 2 answers” merges {merged}."
    assert {row.merged for row in without_repeated(rows)} == {""}


def test_buttons_that_merge_different_answers_name_them_in_their_rows() -> None:
    draft, aim = frequencies(6, alike=False), Aim(people=400)
    rows = [*rows_of(draft, aim).values()]
    assert {row.remedy for row in rows} == {"Merge 2 answers"}
    assert without_repeated(rows) == rows
    assert len({row.merged for row in rows}) == len(rows)
    assert not any("merges" in sentence for sentence in legend_of(draft, aim))


@pytest.mark.soak
def test_the_question_that_costs_most_has_a_remedy() -> None:
    even = {"q0": 5000, "q1": 5000}
    rows = rows_of(with_number(), Aim(people=250, wanted=("q0", "q1"), shares=even))
    assert list(rows) == ["job", "q0", "q1", "q2", "q3", "q4", "q5", "n"]
    assert [row.key for row in rows.values() if row.is_worst] == ["n"]
    assert (rows["n"].remedy, rows["n"].value) == (
        "Ask as 3 levels",
        "form:levels,n",
    )
    assert rows["n"].cost == "Without it, a link of 36 points"
    assert re.fullmatch(r"Without it, a link of \d\d points", rows["q5"].cost)
    assert not rows["q0"].cost, "a starred question is not left out"
    assert (rows["job"].words, rows["job"].bars, rows["job"].cost) == ("As answered", (), "")


@pytest.mark.parametrize(
    ("wanted", "about"),
    [
        (("q0",), "“Did you ever q0?” is"),
        (("n",), "“How many drinks?” is"),
        ((), "the least exact share is"),
    ],
)
def test_the_cost_is_that_of_the_starred_figure_or_of_the_widest_share(
    wanted: tuple[str, ...], about: str
) -> None:
    """A starred number used to be stated in points, as a share."""
    draft, aim = with_number(), Aim(people=250, wanted=wanted)
    rows, (legend, *_ties) = rows_of(draft, aim), legend_of(draft, aim)
    assert about in legend
    cost = rows["q5" if wanted == ("n",) else "n"].cost
    (after,), (before,) = (re.findall(r"±(\d+\.?\d*)", said) for said in (cost, legend))
    now, without = planned(draft, aim).use, costs(draft, aim)["q5" if wanted == ("n",) else "n"]
    scale = 41 if wanted == ("n",) else 100
    keys = wanted or tuple(now.half_widths)
    assert cost.endswith(" points") == (wanted != ("n",))
    # The figure of the row's own question is next to it.
    assert cost.startswith(f"{'Starred figure' if wanted else 'Least exact'} without it: ±")
    tenth = 0.1 if scale == 100 else 1
    assert float(before) == pytest.approx(scale * max(now.widths[key] for key in keys), abs=tenth)
    assert float(after) == pytest.approx(scale * max(without.widths[key] for key in keys), abs=tenth)


def test_what_costs_mean_is_said_once_and_no_chip_marks_questions_that_tie() -> None:
    """Ten rows each repeated one sentence of 15 words, and each was marked as the one that costs most."""
    alike = definition_parse(document_of(protected("b", *(yes_no(f"q{number}") for number in range(10)))))
    aim = Aim(people=250)
    rows = rows_of(alike, aim)
    assert len({row.cost for row in rows.values()}) == 1
    assert all(row.is_worst and row.is_tied and not row.remedy for row in rows.values())
    legend, ties = legend_of(alike, aim)
    assert legend.startswith("Now, the least exact share is ±")
    assert ties == "All these 10 questions cost the same."
    # Figures that differ a little are not called the same.
    row = Known(key="q1", cost="Without it: ±3 points", is_worst=True, is_tied=True)
    other = replace(row, key="q2", cost="Without it: ±2.8 points")
    made = planned(alike, Aim(people=5_000, wanted=("q0",)))
    assert cost_sentences(made, [row, other])[1] == "All these 2 questions cost about the same."
    cheap = replace(row, key="q3", cost="Without it: ±6 points", is_worst=False, is_tied=False)
    (most,) = cost_sentences(made, [row, other, cheap])[1:]
    assert most == "“Did you ever q1?”, “Did you ever q2?” cost most, each about the same."
    # The number alone costs most, so nothing is said of a tie.
    pair = Aim(people=250, wanted=("q0", "q1"), shares={"q0": 5000, "q1": 5000})
    assert len(legend_of(with_number(), pair)) == 1
    assert not any(row.is_tied for row in rows_of(with_number(), pair).values())
    assert cost_sentences(planned(alike, Aim(people=10**6)), []) == []


def test_no_question_costs_anything_where_every_share_is_unknown_anyway() -> None:
    """Each row said "±100 instead of ±100", and that it cost most."""
    rows = rows_of(with_number(), Aim(people=2))
    assert {row.cost for row in rows.values()} == {""}
    assert not any(row.is_worst for row in rows.values())


@pytest.mark.soak
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
    assert mean.text.endswith(" drinks")
    assert float(mean.x) + float(mean.width) / 2 == pytest.approx(50, abs=0.1)


def test_a_question_that_costs_little_says_nothing() -> None:
    draft = definition_parse(document_of(protected("b", yes_no("q0"), yes_no("q1"), p=500)))
    rows = rows_of(draft, Aim(people=1_000_000))
    assert [(row.cost, row.is_worst, row.remedy) for row in rows.values()] == [("", False, "")] * 2


@pytest.mark.soak
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


@pytest.mark.soak
def test_the_legend_speaks_of_sizes_only_if_a_row_has_one() -> None:
    """Forty rows said "found more often" below a legend about the size of the link."""
    forty = definition_parse(document_of(protected("b", *(yes_no(f"q{number}") for number in range(40)))))
    aim = Aim(people=300, wanted=("q0", "q1"))
    assert {row.cost for row in rows_of(forty, aim).values()} == {
        "",
        "Without it, the link is found more often",
    }
    assert legend_of(forty, aim)[0] == (
        "“Without it” says what changes if the question is left out. Now the link is found less than 8 times "
        "in 10, however strong it is."
    )
    sized = legend_of(with_number(), Aim(people=250, wanted=("q0", "q1")))
    assert "how large a link must be" in sized[0]


@pytest.mark.parametrize("more", [(), (unprotected("you", JOB),)])
def test_the_only_protected_question_costs_nothing(more: tuple[Any, ...]) -> None:
    """Its row said “costs most”, and proposed to leave it out for a margin of ±0 points."""
    only = definition_parse(document_of(protected("b", CHOICE), *more))
    row = rows_of(only, Aim(people=400))[str(CHOICE["key"])]
    assert (row.cost, row.is_worst, row.remedy) == ("", False, "")


def test_quotation_marks_in_a_question_become_single_ones_in_a_sentence() -> None:
    draft = definition_parse(
        document_of(protected("b", *({**yes_no(f"q{n}"), "text": {"en": "“Good” data?"}} for n in range(3))))
    )
    names = [sentence for sentence in legend_of(draft, Aim(people=250)) if "data" in sentence]
    assert all("“‘Good’ data?”" in sentence for sentence in names)
    assert item_names(draft)["q1"] == "‘Good’ data?"
