"""Number and place questions of a run: which are counted, how many answers they need, and who skips."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone, translation

from privacy.errors import PrivacyError
from privacy.estimation.withheld import Evidence, Withheld
from surveys.errors.error import SurveyError
from surveys.models import CutPoints, Run
from surveys.policy import LEAST_PROFILE, LEAST_PROTECTED
from surveys.runs import scale_question
from surveys.runs.scale_question import (
    check_enough,
    people_by_bin,
    scale_of,
    seed_of,
    sent_by,
    skips_of,
)
from surveys.runs.snapshot import batches_of
from tests.attack.test_open_answers import answer, survey
from tests.fixtures.devices import closed
from tests.fixtures.runs import SINGLES, in_ledger, mined_run, requested_run
from tests.fixtures.scale_runs import counted, scale_answered

pytestmark = pytest.mark.django_db


def run_of(n: int = 500, **changes: Any) -> Run:
    return mined_run(scale_answered(n, **changes), SINGLES)


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


def test_a_question_that_is_stored_as_answered_is_never_called_disguised() -> None:
    run = run_of()
    scale = scale_of(run, "hours", "number")
    open_design = SimpleNamespace(
        questions=run.design.questions,
        block_of=lambda _number: 0,
        blocks=[SimpleNamespace(protected=False)],
    )
    version: Any = SimpleNamespace(survey=run.version.survey, to_design=lambda: open_design)
    for practice, people in ((True, 1), (False, 9)):
        run.version.survey.practice = practice
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scale_question, "releasable_design", lambda _version: run.design)
            with pytest.raises(SurveyError) as refused:
                check_enough(version, "hours", counted(scale, people).reports)
        assert refused.value.case == "too_few.open"
        assert "disguised" not in str(refused.value)


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


def test_a_number_stored_as_answered_is_counted_by_its_bars() -> None:
    """Each bar has the same number of people in each of its values; those left over are in its middle."""
    version = survey("hours", number=True)
    answer(version, (60, 60, 60, 60), numbers=[*[5] * 120, *[20] * 76, *[60] * 44])
    run = requested_run(closed(version))
    run.summary = {"withheld": None}
    in_ledger(run)
    number = run.design.question_number("hours")
    CutPoints.objects.create(
        survey=run.survey,
        design_id=run.design_id,
        question=number,
        snapshot_digest=run.snapshot_digest,
        cuts=[0, 12, 50],
        at=timezone.now(),
    )
    scale = scale_of(run, "hours", "number")
    assert scale.spans == ((0, 11), (12, 49), (50, 99))
    assert scale.reports.direct.tolist() == [0] * 100
    # 120 people in 12 hours, 76 in 38, and 44 in 50.
    found = scale.reports.protected
    assert found[:50].tolist() == [10] * 12 + [2] * 38
    assert found[50:].tolist() == [0] * 3 + [1] * 44 + [0] * 3
    assert people_by_bin(run, number)[[5, 20, 60]].tolist() == [120, 76, 44]


@pytest.mark.parametrize("is_large", [True, False])
def test_a_question_asked_by_open_answers_needs_enough_people_of_each(
    is_large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(hours_of_the_old=True, slug="olds")
    asked: list[object] = []
    rows = SimpleNamespace(
        has_large_crosses=lambda *itemsets, beside: asked.append((itemsets, beside)) or is_large,
        small_cross=lambda case: SurveyError(case, least=LEAST_PROFILE),
    )
    monkeypatch.setattr(scale_question, "rows_of_run", lambda _run: rows)
    number = run.design.question_number("hours")
    if is_large:
        assert scale_of(run, "hours", "number").number == number
    else:
        with pytest.raises(SurveyError) as refused:
            scale_of(run, "hours", "number")
        assert refused.value.case == "few_alike.patterns"
    assert asked == [(((),), [number])]
    # Everyone is asked for the wage.
    scale_of(run, "wage", "number")
    assert len(asked) == 1


def test_a_withheld_question_has_no_counts() -> None:
    run = run_of()
    keys = tuple(question.key for question in run.design.questions)
    withheld = Withheld(questions={keys.index("hours"): Evidence(rows=4, n=500)}, keys=keys)
    run.summary |= {"withheld": withheld.to_json()}
    with pytest.raises(PrivacyError) as refused:
        scale_of(run, "hours", "number")
    assert refused.value.code == "forged"
    assert scale_of(run, "wage", "number").n_protected == 500


@pytest.mark.parametrize("check", ["check_map", "check_enough"])
def test_each_question_is_checked_for_its_map_and_its_answers(
    check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: object) -> None:
        raise SurveyError("waits", least=10)

    run = run_of()
    monkeypatch.setattr(scale_question, check, refuse)
    with pytest.raises(SurveyError):
        scale_of(run, "hours", "number")


def test_a_question_is_worded_in_the_language_of_the_page() -> None:
    run = run_of()
    (wording,) = next(block for block in run.version.wording["blocks"] if block["key"] == "time")["questions"]
    wording["text"]["zh-hans"] = "几个小时？"
    with translation.override("zh-hans"):
        assert scale_of(run, "hours", "number").text == "几个小时？"
    with translation.override(None):
        assert scale_of(run, "hours", "number").text == "How many hours did you work?"
