"""The reconstructed table: against counting on open answers, and adding up on disguised ones."""

import pytest
from django.test import Client

from mining.thresholds import Thresholds
from surveys.models import RuleRow, Run
from surveys.report.pictures.two_by_two import two_by_two
from tests.cast.answered_in_turns import rotating
from tests.cast.runs import LOOSE, alice, answered, mined

MARGINS = {
    "all_before": ("both", "before"),
    "not_before": ("after", "neither"),
    "all_after": ("both", "after"),
    "not_after": ("before", "neither"),
}


def table_of(run: Run, antecedent: str, consequent: str) -> tuple[RuleRow, dict[str, float], object]:
    row = run.rules.get(antecedent=antecedent, consequent=consequent)
    table = two_by_two(run, row)
    return row, {name: cell.value for name, cell in table.cells.items()}, table


@pytest.mark.soak
@pytest.mark.django_db
@pytest.mark.parametrize("thresholds", [LOOSE, Thresholds(support=0.02, estimator="pooled")])
def test_cells_add_up_to_their_margins_and_agree_with_the_run(thresholds: Thresholds) -> None:
    run = mined(answered(2000, n_direct=300), thresholds)
    # Pooled estimates over several blocks weigh the groups otherwise than those over one: no sum to check.
    across_blocks = [] if thresholds.estimator == "pooled" else [(",1,2,", ",4,")]
    for antecedent, consequent in [(",2,", ",3,"), *across_blocks]:
        row, cells, table = table_of(run, antecedent, consequent)
        for margin, parts in MARGINS.items():
            assert cells[margin] == pytest.approx(sum(cells[part] for part in parts), abs=1e-9)
        assert table.total == pytest.approx(1)
        assert cells["both"] == row.support
        assert cells["both"] / cells["all_before"] == pytest.approx(row.confidence)
        assert cells["both"] / (cells["all_before"] * cells["all_after"]) == pytest.approx(row.lift)
        assert table.by_likelihood is (thresholds.estimator == "stratified")
        assert all(cell.low < cell.value < cell.high for cell in table.cells.values())


@pytest.mark.soak
@pytest.mark.django_db
def test_where_questions_are_drawn_the_table_is_of_complete_rows_and_the_measures_of_all(
    client: Client,
) -> None:
    run = mined(rotating(1_500), Thresholds(support=0.05, max_size=2))
    row = run.rules.order_by("pk")[0]
    table = two_by_two(run, row)
    cells = {name: cell.value for name, cell in table.cells.items()}
    for margin, parts in MARGINS.items():
        assert cells[margin] == pytest.approx(sum(cells[part] for part in parts), abs=1e-9)
    assert (table.complete, row.support == cells["both"]) == (row.n, False)
    # Three tenths of the people were asked both questions: the table's errors are those of fewer rows.
    assert table.cells["both"].standard_error > row.support_se
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/rules/{row.pk}/").content.decode()
    assert f"This table is of the {row.n} people who were asked everything in the rule." in text


@pytest.mark.soak
@pytest.mark.django_db
def test_about_these_respondents_intervals_are_as_wide_as_chance_alone_makes_them() -> None:
    version = answered(1000, n_direct=1000 - 100)
    about = {
        target: table_of(mined(version, Thresholds(support=0.02, target=target)), ",2,", ",3,")[2]
        for target in ("population", "respondents")
    }
    widths = {
        target: table.cells["neither"].high - table.cells["neither"].low for target, table in about.items()
    }
    assert widths["respondents"] < widths["population"]
    assert about["population"].by_likelihood
    assert not about["respondents"].by_likelihood
