"""The check of use: what a survey cannot find is warned of, and needs a reason where it finds nothing."""

from __future__ import annotations

import pytest
from django.utils import timezone

from privacy.planning.use import use_of
from surveys.authoring.publish import survey_import, survey_publish
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.finding import Level
from surveys.questionnaire.checks.use import check_use
from surveys.questionnaire.problems import DefinitionError
from tests.fixtures.checked_surveys import document_of, protected, survey_of, unprotected, yes_no
from tests.surveys.questionnaire.test_plan import NUMBER, number_part

TWO = survey_of(protected("b", yes_no("a"), yes_no("c"), p=6000))


def said(aim: Aim | None) -> list[tuple[str, Level]]:
    return [(finding.code, finding.level) for finding in check_use(TWO, aim)]


def test_where_nobody_said_how_many_it_is_asked_and_nothing_is_refused() -> None:
    assert said(None) == [("people_unknown", Level.WARN)]


@pytest.mark.parametrize(
    ("people", "found"),
    [
        # 1.96 / (2 .6 sqrt n): 10 points at 267 people, 25 at 43; below 100 nothing is shown.
        (267, []),
        (266, [("share_imprecise", Level.WARN)]),
        (100, [("share_imprecise", Level.WARN)]),
        (99, [("too_few_asked", Level.REFUSE)] * 2 + [("share_imprecise", Level.WARN)]),
        (42, [("too_few_asked", Level.REFUSE)] * 2 + [("share_imprecise", Level.REFUSE)] * 2),
    ],
)
def test_a_wanted_share_is_judged_at_both_edges(people: int, found: list[tuple[str, Level]]) -> None:
    assert said(Aim(people=people, wanted=("a",))) == found
    assert said(Aim(people=people)) == found


def test_a_wanted_difference_is_judged_at_both_edges() -> None:
    codes = {n: said(Aim(people=n, wanted=("a", "c"))) for n in (60, 80, 230, 250)}
    few = [("too_few_asked", Level.REFUSE)] * 2
    assert codes[250] == []
    assert codes[230] == [("difference_missed", Level.WARN)]
    assert codes[80] == [*few, ("difference_missed", Level.WARN)]
    assert codes[60] == [*few, ("difference_missed", Level.REFUSE)]


def test_a_question_that_can_find_nothing_needs_a_reason_though_it_is_not_starred() -> None:
    mixed = survey_of(protected("b", yes_no("a"), p=8000), protected("d", yes_no("c"), p=500))
    for wanted in ("a", "c"):
        (finding,) = check_use(mixed, Aim(people=400, wanted=(wanted,)))
        assert (finding.code, finding.level) == ("share_imprecise", Level.REFUSE)
        assert finding.path == "blocks[1].questions[0]"


def test_a_question_that_fewer_than_a_hundred_are_asked_needs_a_reason() -> None:
    parts = [protected("b", yes_no("a"), p=6000), protected("d", yes_no("c"), p=6000)]
    turning = survey_of(*parts, rotations=[{"blocks": ["b", "d"], "parts_per_person": 1}])
    found = list(check_use(turning, Aim(people=199)))
    assert [finding.code for finding in found] == ["too_few_asked", "too_few_asked", "share_imprecise"]
    assert "about 99 people" in found[0].message
    assert [finding.code for finding in check_use(turning, Aim(people=200))] == ["share_imprecise"]


def test_a_number_known_within_more_than_a_quarter_of_its_range_needs_a_reason() -> None:
    for people, codes in ((100, []), (2000, [])):
        made = survey_of(number_part())
        found = [finding.code for finding in check_use(made, Aim(people=people))]
        assert found == codes
    weak = number_part()
    weak["questions"] = [NUMBER | {"number": NUMBER["number"] | {"epsilon": 0.1}}]
    (finding,) = check_use(survey_of(weak), Aim(people=400))
    assert (finding.code, finding.level) == ("share_imprecise", Level.REFUSE)


def test_two_questions_that_nobody_is_asked_both_of_find_nothing() -> None:
    parts = [protected("b", yes_no("a"), p=6000), protected("d", yes_no("c"), p=6000)]
    turning = survey_of(*parts, rotations=[{"blocks": ["b", "d"], "parts_per_person": 1}])
    (finding,) = check_use(turning, Aim(people=100_000, wanted=("a", "c")))
    assert (finding.code, finding.level) == ("difference_missed", Level.REFUSE)


def test_where_nothing_is_disguised_nothing_is_asked() -> None:
    plain = {"key": "job", "kind": "yes_no", "text": {"en": "Have you a job?"}}
    assert not list(check_use(survey_of(unprotected("o", plain)), None))


def test_the_remedy_names_so_many_people_as_are_enough() -> None:
    (finding,) = check_use(TWO, Aim(people=100, wanted=("a",)))
    assert "expect 267 answers" in finding.remedy
    assert use_of(TWO.design, Aim(people=266, wanted=("a",))).half_widths["a"] > 0.10
    assert use_of(TWO.design, Aim(people=267, wanted=("a",))).half_widths["a"] <= 0.10


def test_a_starred_number_has_the_rank_of_a_starred_share() -> None:
    weak = number_part()
    weak["questions"] = [NUMBER | {"number": NUMBER["number"] | {"epsilon": 1}}]
    made = survey_of(weak, protected("b", yes_no("a"), p=6000))
    # Where no one stars the number, it is enough that it is within a quarter of its range.
    assert [each.path for each in check_use(made, Aim(people=300, wanted=("a",)))] == []
    (finding,) = check_use(made, Aim(people=300, wanted=("hours",)))
    assert (finding.code, finding.level, finding.path) == (
        "share_imprecise",
        Level.WARN,
        "blocks[0].questions[0]",
    )


@pytest.mark.django_db
def test_a_live_survey_that_finds_nothing_takes_a_reason_which_is_kept() -> None:
    survey = survey_import(document_of(protected("b", yes_no("a"), p=500)), by="ana")
    survey.aim = Aim(people=100).to_json()
    survey.save()
    with pytest.raises(DefinitionError, match="known only within"):
        survey_publish(survey, by="ana", now=timezone.now())
    version = survey_publish(survey, by="ana", now=timezone.now(), reason="To try the wording in the field.")
    assert [one["code"] for one in version.override.findings] == ["share_imprecise"]
    assert Aim.from_json(version.aim) == Aim(people=100)


@pytest.mark.django_db
def test_a_survey_of_a_program_is_published_with_a_warning_alone() -> None:
    survey = survey_import(document_of(protected("b", yes_no("a"), p=500)), by="ana")
    assert survey_publish(survey, by="ana", now=timezone.now()).aim is None
