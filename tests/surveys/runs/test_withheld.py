"""What a run stores of its withheld questions, and how it is read."""

import pytest

from privacy.estimation.withheld import NOTHING, Evidence, Withheld
from surveys.models import Run
from surveys.runs.withheld import STORED, is_withheld_whole, withheld_of
from tests.fixtures.forged_rows import forged_answered
from tests.fixtures.runs import SINGLES, answered_version, mined_run

OWN = Withheld(questions={1: Evidence(rows=4, n=30)}, keys=("a", "b"))


def test_a_run_reads_what_its_job_stored() -> None:
    assert withheld_of(Run(summary={STORED: OWN.to_json()})) == OWN


def test_a_run_of_an_earlier_version_withholds_nothing_by_question() -> None:
    assert withheld_of(Run(summary={"family": 3})) == NOTHING
    assert is_withheld_whole(Run(summary={"misfit": {"case": "misfit.share"}}))
    assert not is_withheld_whole(Run(summary={STORED: OWN.to_json()}))


def test_a_run_whose_rows_have_not_been_checked_is_not_read() -> None:
    """A page that asked too early would show everything."""
    with pytest.raises(ValueError, match="have not been checked"):
        withheld_of(Run(summary={}))


@pytest.mark.django_db
def test_the_job_stores_the_failing_question_and_its_rows() -> None:
    run = mined_run(forged_answered(), SINGLES)
    run.refresh_from_db()
    design = run.design
    assert [design.questions[number].key for number in withheld_of(run).questions] == ["wage"]
    assert 0 < withheld_of(run).rows <= 30
    assert withheld_of(mined_run(answered_version(), SINGLES)) == NOTHING
