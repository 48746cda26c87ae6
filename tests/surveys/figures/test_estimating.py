"""What is estimated beside a run comes from the run's rows."""

import pytest

from surveys.figures.estimating import expression_of_run
from surveys.questionnaire.labels import unpack_items
from surveys.report.pictures.two_by_two import two_by_two
from surveys.rows.releasable_rows import rows_behind
from tests.cast.runs import LOOSE, answered, mined

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_is_estimated_beside_a_run_agrees_with_its_figures() -> None:
    run = mined(answered(800, n_direct=150), LOOSE)
    design = run.version.to_design()
    for row in run.rules.all():
        cells = two_by_two(run, row).cells
        assert cells["both"].value + cells["before"].value == pytest.approx(cells["all_before"].value)
        assert cells["both"].value / cells["all_before"].value == pytest.approx(row.confidence)
    assert rows_behind(run).n == run.n == 800
    for row in run.itemsets.filter(size=1):
        (item,) = unpack_items(row.items)
        found = expression_of_run(run, design.items[item].key).estimate
        assert (found.value, found.n) == (pytest.approx(row.support), row.n)
