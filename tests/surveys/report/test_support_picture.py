import pytest

from surveys.models import Run
from surveys.questionnaire.labels import labels_of
from surveys.report.itemsets import support_picture
from tests.fixtures.runs import answered, mined

pytestmark = pytest.mark.django_db


def test_naive_against_robust_needs_two_groups_that_may_be_told_apart() -> None:
    def picture(run: Run) -> object:
        return support_picture(run, labels_of(run.version, run.version.to_design()))

    assert picture(mined(answered(n_direct=160))) is not None
    assert picture(mined(answered(n_direct=40, slug="few"))) is None
    assert picture(mined(answered(n_direct=0, slug="none", policy="protected"))) is None
