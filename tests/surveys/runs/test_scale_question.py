"""Number and place questions of a run: which are counted, how many answers they need, and who skips."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.policy import LEAST_PROFILE, LEAST_PROTECTED
from surveys.runs.scale_question import (
    ScaleQuestion,
    check_enough,
    people_by_bin,
    scale_of,
    seed_of,
    sent_by,
    skips_of,
)
from surveys.runs.snapshot import batches_of
from tests.fixtures.runs import SINGLES, mined_run
from tests.fixtures.scale_runs import scale_answered

pytestmark = pytest.mark.django_db


def run_of(n: int = 500, **changes: Any) -> Run:
    return mined_run(scale_answered(n, **changes), SINGLES)


def counted(scale: ScaleQuestion, people: int) -> ScaleQuestion:
    """Return the question as if so many people had been counted, all with the first answer."""
    direct, protected = (np.zeros_like(column) for column in (scale.reports.direct, scale.reports.protected))
    protected[0] = people
    return replace(scale, reports=replace(scale.reports, direct=direct, protected=protected))


def test_a_question_is_counted_in_the_rows_of_the_run() -> None:
    run = run_of()
    scale = scale_of(run, "hours", "number")
    assert scale.question.key == "hours"
    assert scale.text == "How many hours did you work?"
    assert (scale.number, scale.spans) == (run.design.question_number("hours"), None)
    assert scale.n_direct + scale.n_protected == run.n == 500
    assert [item.key for item in scale.items] == ["hours=50-up"]
    sent = sent_by(run.version, batches_of(run), scale.number)
    assert (sent.protected == scale.reports.protected).all()
    assert (people_by_bin(run, scale.number) == sent.direct + sent.protected).all()


@pytest.mark.parametrize(
    ("key", "kind", "code", "case"),
    [
        ("nothing", "number", "question", "question.unknown"),
        ("care", "number", "kind", "kind.number"),
        ("hours", "place", "kind", "kind.place"),
        ("late", "number", "kind", "kind.number"),
    ],
)
def test_other_questions_are_refused_by_name(key: str, kind: str, code: str, case: str) -> None:
    run = run_of()
    with pytest.raises(SurveyError) as refused:
        scale_of(run, key, kind)
    assert (refused.value.code, refused.value.case) == (code, case)
    assert key in str(refused.value)


def test_a_question_needs_a_hundred_disguised_answers() -> None:
    run = run_of()
    scale = scale_of(run, "hours", "number")
    check_enough(run.version, "hours", counted(scale, LEAST_PROTECTED).reports)
    with pytest.raises(SurveyError) as refused:
        check_enough(run.version, "hours", counted(scale, LEAST_PROTECTED - 1).reports)
    assert refused.value.case == "too_few.question"
    run.version.survey.practice = True
    check_enough(run.version, "hours", counted(scale, 2).reports)
    for people, case in ((1, "too_few.one"), (0, "too_few.question")):
        with pytest.raises(SurveyError) as refused:
            check_enough(run.version, "hours", counted(scale, people).reports)
        assert refused.value.case == case


def test_a_practice_survey_publishes_single_people() -> None:
    scale = scale_of(run_of(), "hours", "number")
    assert scale.least_people == LEAST_PROFILE
    scale.run.survey.practice = True
    assert scale.least_people == 0


def test_the_seed_belongs_to_rows_and_question() -> None:
    run = run_of()
    scale = scale_of(run, "hours", "number")
    assert scale.seed == seed_of(run, "hours") != seed_of(run, "wage")
    other = replace(scale, run=run_of(520, slug="another"))
    assert other.seed != scale.seed
    assert 0 <= scale.seed < 2**48


def test_only_questions_that_may_be_skipped_have_a_share_of_skips() -> None:
    assert skips_of(scale_of(run_of(), "hours", "number")) is None
    found = skips_of(scale_of(run_of(skips=0.2, slug="skipped"), "hours", "number"))
    assert found is not None
    assert found.low < found.value < found.high
