"""What a survey can estimate: limits of precision and power."""

import re

import pytest
from django.utils import timezone

from privacy.planning.use import use_of
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.use import check_use
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.findings import Level
from surveys.questionnaire.use_words import gap_sentences, item_names
from tests.fixtures.checked_surveys import (
    document_of,
    protected,
    survey_of,
    unprotected,
    yes_no,
)
from tests.fixtures.everyday import everyday_definition
from tests.fixtures.planned_drafts import NUMBER, number_part

pytestmark = pytest.mark.django_db
TWO = survey_of(protected("b", yes_no("a"), yes_no("c"), p=6000))


def said(aim: Aim | None) -> list[tuple[str, Level]]:
    return [(finding.code, finding.level) for finding in check_use(TWO, aim)]


def test_an_unknown_sample_size_causes_only_a_warning() -> None:
    assert said(None) == [("people_unknown", Level.WARN)]
    assert [finding.remedy for finding in check_use(TWO, None)] == ["plan the survey"]


@pytest.mark.parametrize(
    ("people", "found"),
    [
        # 1.96 / (2 .6 sqrt n) is 10 points for 267 people and 25 for 43. Below 100, nothing is shown, so no
        # width is judged.
        (267, []),
        (266, [("share_imprecise", Level.WARN)]),
        (100, [("share_imprecise", Level.WARN)]),
        (99, [("too_few_asked", Level.REFUSE)]),
        (42, [("too_few_asked", Level.REFUSE)]),
    ],
)
def test_the_precision_of_a_starred_share_is_checked_at_both_limits(
    people: int, found: list[tuple[str, Level]]
) -> None:
    assert said(Aim(people=people, wanted=("a",))) == found
    assert said(Aim(people=people)) == found


def test_the_power_for_a_starred_difference_is_checked_at_both_limits() -> None:
    even = {"a": 5000, "c": 5000}
    codes = {n: said(Aim(people=n, wanted=("a", "c"), shares=even)) for n in (60, 80, 230, 250)}
    few = [("too_few_asked", Level.REFUSE)]
    assert codes[250] == []
    assert codes[230] == [("difference_missed", Level.WARN)]
    assert codes[80] == [*few, ("difference_missed", Level.WARN)]
    assert codes[60] == [*few, ("difference_missed", Level.REFUSE)]
    # Without guesses, 20% are assumed: at 145 people the power is .302, at 600 it is .805.
    assumed = {n: said(Aim(people=n, wanted=("a", "c"))) for n in (130, 150, 580, 600)}
    assert assumed[130] == [("difference_missed", Level.REFUSE)]
    assert assumed[150] == assumed[580] == [("difference_missed", Level.WARN)]
    assert assumed[600] == []


def test_questions_with_the_same_problem_share_one_finding() -> None:
    many = survey_of(*(protected(f"b{key}", yes_no(key), p=5000) for key in "abcde"))
    (few,) = check_use(many, Aim(people=60))
    wider = survey_of(*(protected(f"b{key}", yes_no(key), p=3000) for key in "abcde"))
    (wide,) = check_use(wider, Aim(people=120))
    assert few.message == (
        "about 60 people will be asked “Did you ever a?”, “Did you ever b?”, “Did you ever c?” and 2 more; "
        "fewer than 100 is too few to show anything"
    )
    assert wide.message.startswith("“Did you ever a?”, “Did you ever b?”, “Did you ever c?” and 2 more will")
    assert (few.path, wide.path) == ("blocks[0].questions[0]",) * 2
    mixed = [protected("f", yes_no("f")), protected("g", yes_no("g"), yes_no("h"), questions_per_person=1)]
    assert next(check_use(survey_of(*mixed), Aim(people=60))).message.startswith("about 30–60 people")


def test_too_few_respondents_for_a_place_are_refused() -> None:
    shown = everyday_definition()
    (place,) = [part for part in shown["blocks"] if part["questions"][0]["kind"] == "place"]
    for document in (shown, shown | {"blocks": [place]}):
        definition = definition_parse(document)
        few = next(check_use(definition, Aim(people=50)))
        assert (few.code, few.level) == ("too_few_asked", Level.REFUSE)
        assert "too_few_asked" not in [each.code for each in check_use(definition, Aim(people=100))]
    assert place["questions"][0]["text"]["en"] in few.message
    assert not use_of(definition.design, Aim(people=50)).is_useful
    assert use_of(definition.design, Aim(people=100)).is_useful


def test_uninformative_questions_need_a_reason_even_if_not_starred() -> None:
    mixed = survey_of(protected("b", yes_no("a"), p=8000), protected("d", yes_no("c"), p=500))
    for wanted in ("a", "c"):
        (finding,) = check_use(mixed, Aim(people=400, wanted=(wanted,)))
        assert (finding.code, finding.level) == ("share_imprecise", Level.REFUSE)
        assert finding.path == "blocks[1].questions[0]"


def test_a_question_asked_of_fewer_than_100_people_needs_a_reason() -> None:
    parts = [protected("b", yes_no("a"), p=6000), protected("d", yes_no("c"), p=6000)]
    turning = survey_of(*parts, rotations=[{"blocks": ["b", "d"], "parts_per_person": 1}])
    found = list(check_use(turning, Aim(people=199)))
    assert [finding.code for finding in found] == ["too_few_asked"]
    assert "about 99 people" in found[0].message
    (chance, _width) = check_use(turning, Aim(people=200))
    assert (chance.code, chance.level) == ("too_few_asked", Level.WARN)


def test_a_question_that_chance_may_ask_of_too_few_people_causes_a_warning() -> None:
    """A plan gave margins for questions of which results then said that there were too few answers."""
    parts = [protected("b", yes_no("a"), p=9000), protected("d", yes_no("c"), p=9000)]
    turning = survey_of(*parts, rotations=[{"blocks": ["b", "d"], "parts_per_person": 1}])
    (found,) = (each for each in check_use(turning, Aim(people=210)) if each.code == "too_few_asked")
    assert found.level is Level.WARN
    assert found.message == (
        "devices draw who is asked, so for each of “Did you ever a?”, “Did you ever c?” it is up to 23% "
        "likely that fewer than 100 people are asked it; then nothing can be shown about it"
    )
    needed = int(re.findall(r"expect (\d+) answers", found.remedy)[0])
    assert [
        [each.code for each in check_use(turning, Aim(people=people))].count("too_few_asked")
        for people in (needed - 1, needed)
    ] == [1, 0]
    # A question asked of everyone depends on no chance.
    assert said(Aim(people=100)) == [("share_imprecise", Level.WARN)]


def test_a_number_less_precise_than_a_quarter_of_its_range_needs_a_reason() -> None:
    for people, codes in ((100, []), (2000, [])):
        made = survey_of(number_part())
        found = [finding.code for finding in check_use(made, Aim(people=people))]
        assert found == codes
    weak = number_part()
    weak["questions"] = [NUMBER | {"number": NUMBER["number"] | {"epsilon": 0.1}}]
    made = survey_of(weak, protected("b", yes_no("a"), p=600), protected("c", yes_no("c"), p=900))
    shares, number = check_use(made, Aim(people=400))
    assert (number.code, number.level) == ("share_imprecise", Level.REFUSE)
    # Shares are in points, from the least width to the largest; a number is in its own unit.
    assert shares.message.endswith("“Did you ever c?” will be known only within ±54.5 to ±81.7 points")
    assert re.fullmatch(r"the mean of “How many hours\?” will be known only within ±\d+", number.message)
    gaps = gap_sentences(use_of(made.design, Aim(people=400)), item_names(made))
    assert [gap.casefold() for gap in gaps] == [f"{each.message}.".casefold() for each in (shares, number)]
    # Means are in the unit of the answers.
    weak["questions"][0]["number"]["unit"] = {"en": "hours"}
    assert next(check_use(survey_of(weak), Aim(people=400))).message.endswith(" hours")


def test_questions_never_asked_together_cannot_be_compared() -> None:
    parts = [protected("b", yes_no("a"), p=6000), protected("d", yes_no("c"), p=6000)]
    turning = survey_of(*parts, rotations=[{"blocks": ["b", "d"], "parts_per_person": 1}])
    (finding,) = check_use(turning, Aim(people=100_000, wanted=("a", "c")))
    assert (finding.code, finding.level) == ("difference_missed", Level.REFUSE)


def test_surveys_without_disguises_need_no_sample_size() -> None:
    plain = {"key": "job", "kind": "yes_no", "text": {"en": "Have you a job?"}}
    assert not list(check_use(survey_of(unprotected("o", plain)), None))


def test_the_remedy_gives_the_smallest_sufficient_number_of_people() -> None:
    (finding,) = check_use(TWO, Aim(people=100, wanted=("a",)))
    assert "expect 267 answers" in finding.remedy
    assert use_of(TWO.design, Aim(people=266, wanted=("a",))).half_widths["a"] > 0.10
    assert use_of(TWO.design, Aim(people=267, wanted=("a",))).half_widths["a"] <= 0.10


def test_a_starred_number_is_checked_like_a_starred_share() -> None:
    weak = number_part()
    weak["questions"] = [NUMBER | {"number": NUMBER["number"] | {"epsilon": 1}}]
    made = survey_of(weak, protected("b", yes_no("a"), p=6000))
    # A number without a star only needs to be within a quarter of its range.
    assert [each.path for each in check_use(made, Aim(people=300, wanted=("a",)))] == []
    (finding,) = check_use(made, Aim(people=300, wanted=("hours",)))
    assert (finding.code, finding.level, finding.path) == (
        "share_imprecise",
        Level.WARN,
        "blocks[0].questions[0]",
    )


def test_publishing_an_uninformative_survey_stores_the_reason() -> None:
    survey = survey_import(document_of(protected("b", yes_no("a"), p=500)), by="ana")
    survey.aim = Aim(people=100).to_json()
    survey.save()
    with pytest.raises(DefinitionError, match="known only within"):
        survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True)
    version = survey_publish(
        survey, by="ana", now=timezone.now(), reason="To try the wording in the field.", is_readable_seen=True
    )
    assert [one["code"] for one in version.override.findings] == ["share_imprecise"]
    assert Aim.from_json(version.aim) == Aim(people=100)


def test_surveys_imported_without_an_aim_publish_with_only_a_warning() -> None:
    survey = survey_import(document_of(protected("b", yes_no("a"), p=500)), by="ana")
    assert survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True).aim is None
