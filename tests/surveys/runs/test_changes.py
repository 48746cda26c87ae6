"""The change between two surveys is that of their figures, and unlike questions are refused with a remedy."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from privacy.estimation.composed_parts import Part, Side
from privacy.estimation.withheld import Evidence, Withheld
from privacy.scales.decoded_numbers import MEAN
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.models import Run, Version
from surveys.runs.changes import change_of, shared_questions
from surveys.runs.comparisons import share_among_all
from surveys.runs.withheld import STORED
from tests.fixtures.runs import (
    SINGLES,
    answered_version,
    definition,
    find_run,
    mined_run,
    open_version,
    planned_version,
)
from tests.fixtures.scale_runs import scale_answered
from tests.vectors.designs import choice, live, shielded, yes_no

pytestmark = pytest.mark.django_db


def document_with(slug: str, change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    document = copy.deepcopy(definition(slug))
    change(document)
    return document


def asked_otherwise(run: Run, slug: str, change: Callable[[dict[str, Any]], None]) -> Run:
    """Return a run as if its questionnaire had been another one; refusals read no rows."""
    survey = survey_import(document_with(slug, change), by="alice")
    version = survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    found = find_run(run.pk)
    found.version = version
    assert "design" not in found.__dict__
    return found


def run_of(version: Version) -> Run:
    return mined_run(version, SINGLES)


def cheat(run: Run) -> Side:
    return Side(items=(run.design.item("cheat").index,))


def question(document: dict[str, Any], key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        each for block in document["blocks"] for each in block["questions"] if each["key"] == key
    )
    return found


def test_the_change_is_that_of_both_shares_in_either_order() -> None:
    first, second = run_of(answered_version(400, slug="one")), run_of(answered_version(700, slug="two"))
    found = change_of(second, first, cheat(second))
    assert (found.earlier, found.later) == (first, second)
    before, after = (share_among_all(run, cheat(run)).share for run in (first, second))
    assert (found.before, found.after) == (before, after)
    assert found.change.value == pytest.approx(after.value - before.value)
    assert found.change.standard_error == pytest.approx(
        (before.standard_error**2 + after.standard_error**2) ** 0.5  # type: ignore[operator]
    )
    assert found.opposed.standard_error == pytest.approx(
        before.standard_error + after.standard_error  # type: ignore[operator]
    )
    assert found.opposed.low < found.change.low < found.change.high < found.opposed.high
    differs = found.has_other_strength, found.has_other_skip, found.has_other_help
    assert differs == (False, False, False)
    swapped = change_of(first, second, cheat(first))
    assert (swapped.earlier, swapped.change) == (first, found.change)


@pytest.mark.soak
def test_means_and_one_of_several_answers_are_compared_too() -> None:
    run = run_of(scale_answered(500))
    # The same rows twice: only the figures of the second differ in nothing, so nothing has changed.
    number, hours = run.design.question_number("hours"), (5, 7)
    for side in (
        Side(parts=(Part(question=number, target=MEAN),)),
        Side(parts=(Part(question=number, target=hours),)),
    ):
        found = change_of(run, find_run(run.pk), side)
        assert found.change.value == 0
        assert found.before == found.after == share_among_all(run, side).share
    other = run_of(answered_version(400, slug="two"))
    either = Side(at_least_one=tuple(other.design.item(key).index for key in ("late", "cheat")))
    same = change_of(other, run_of(answered_version(600, slug="three")), either)
    assert same.before == share_among_all(other, either).share


def test_strength_skip_and_help_may_differ_and_are_said() -> None:
    def lighter(document: dict[str, Any]) -> None:
        block = document["blocks"][1]
        block["truth_probability"] = 7000
        del block["no_skip"]
        block["refusal"] = 2000
        question(document, "cheat")["help"] = {"en": "At work."}

    document = document_with("two", lighter)
    first, second = (
        run_of(answered_version(400, slug="one")),
        run_of(planned_version(None, 400, document=document)),
    )
    found = change_of(first, second, cheat(first))
    assert found.has_other_strength
    assert found.has_other_skip
    assert found.has_other_help


REFUSED: dict[str, Callable[[dict[str, Any]], None]] = {
    "absent": lambda document: question(document, "cheat").update(key="lied"),
    "wording": lambda document: question(document, "cheat").update(text={"en": "Did you cheat?"}),
    "asked": lambda document: document["blocks"][1].update(asked_if={"question": "age", "options": ["old"]}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_unlike_questions_are_refused_with_a_remedy(case: str) -> None:
    first = run_of(answered_version(400, slug="one"))
    second = asked_otherwise(run_of(answered_version(700, slug="two")), "three", REFUSED[case])
    with pytest.raises(SurveyError) as caught:
        change_of(first, second, cheat(first))
    assert caught.value.case == f"change.{case}"
    assert "Habits" in caught.value.message
    assert caught.value.remedy


def test_other_answers_and_other_languages_are_refused() -> None:
    def options(document: dict[str, Any]) -> None:
        question(document, "age")["options"].append({"key": "none", "text": {"en": "Rather not say"}})

    def language(document: dict[str, Any]) -> None:
        def in_chinese(value: Any) -> Any:
            if isinstance(value, dict) and "en" in value:
                return {"zh-hans": value["en"]}
            if isinstance(value, dict):
                return {name: in_chinese(each) for name, each in value.items()}
            return [in_chinese(each) for each in value] if isinstance(value, list) else value

        document.update(in_chinese(document))

    first, second = (run_of(answered_version(400, slug=slug)) for slug in ("one", "same"))
    age = Side(items=(first.design.item("age=old").index,))
    for slug, change, side, case in (
        ("two", options, age, "answers"),
        ("three", language, cheat(first), "languages"),
    ):
        with pytest.raises(SurveyError) as caught:
            change_of(first, asked_otherwise(second, slug, change), side)
        assert caught.value.case == f"change.{case}"


def test_an_interim_look_is_refused_until_the_survey_has_settled() -> None:
    first, second = (
        run_of(answered_version(400, slug="one")),
        run_of(open_version(400, slug="two", policy="protected")),
    )
    for own, other in ((first, second), (second, first)):
        with pytest.raises(SurveyError) as caught:
            change_of(own, other, cheat(own))
        assert caught.value.case == "change.interim"
        assert "settled" in caught.value.remedy


def test_a_figure_that_one_survey_withholds_is_refused_with_its_reason() -> None:
    first, second = run_of(answered_version(400, slug="one")), run_of(answered_version(700, slug="two"))
    number = second.design.question_number("cheat")
    record = Withheld(questions={number: Evidence(rows=20, n=700)}, keys=("age", "late", "cheat")).to_json()
    second.summary[STORED] = record
    with pytest.raises(SurveyError) as caught:
        change_of(first, second, cheat(first))
    assert caught.value.case == "change.refused"
    assert "Habits" in caught.value.message


def test_shared_questions_have_the_same_key_and_answers() -> None:
    design = answered_version(400, slug="one").to_design()
    assert shared_questions(design, design) == [0, 1, 2, 3]
    other = scale_answered(400).to_design()
    keys = [design.questions[number].key for number in shared_questions(design, other)]
    assert set(keys) <= {question.key for question in other.questions}


def test_a_question_with_other_answers_or_without_its_key_is_not_shared() -> None:
    design = live(shielded("a", 5000, yes_no("x", 5000), choice("m", 2000, 3000, 5000), yes_no("z", 5000)))
    other = live(shielded("b", 4000, choice("m", 5000, 5000), yes_no("y", 5000), yes_no("x", 3000)))
    assert shared_questions(design, other) == [0]
    assert shared_questions(other, design) == [2]
