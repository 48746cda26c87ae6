"""The reconstructed table agrees with counts for open answers, and adds up for disguised ones."""

from __future__ import annotations

import pytest
from django.test import Client

from mining.thresholds import Thresholds
from surveys.models import RuleRow, Run
from surveys.report.rules.rule import rule_of
from surveys.report.rules.two_by_two import two_by_two
from tests.fixtures.rotating_survey import rotating
from tests.fixtures.runs import LOOSE, answered_version, mined_run

MARGINS = {
    "all_before": ("both", "before"),
    "not_before": ("after", "neither"),
    "all_after": ("both", "after"),
    "not_after": ("before", "neither"),
}


def table_of(run: Run, antecedent: str, consequent: str) -> tuple[RuleRow, dict[str, float], object]:
    row = rule_of(run, run.rules.get(antecedent=antecedent, consequent=consequent).pk)
    table = two_by_two(run, row)
    return row, {name: cell.value for name, cell in table.cells.items()}, table


@pytest.mark.soak
@pytest.mark.django_db
def test_cells_add_up_to_margins_and_agree_with_the_run() -> None:
    run = mined_run(answered_version(2000, n_direct=300), LOOSE)
    for antecedent, consequent in [(",2,", ",3,"), (",1,2,", ",4,")]:
        row, cells, table = table_of(run, antecedent, consequent)
        for margin, parts in MARGINS.items():
            assert cells[margin] == pytest.approx(sum(cells[part] for part in parts), abs=1e-9)
        assert table.total == pytest.approx(1)
        assert cells["both"] == row.support
        assert cells["both"] / cells["all_before"] == pytest.approx(row.confidence)
        assert cells["both"] / (cells["all_before"] * cells["all_after"]) == pytest.approx(row.lift)
        assert all(cell.low < cell.value < cell.high for cell in table.cells.values())


@pytest.mark.soak
@pytest.mark.django_db
def test_two_by_two_tables_use_complete_rows_but_measures_use_all(reader: Client) -> None:
    run = mined_run(rotating(1_500), Thresholds(support=0.05, max_size=2))
    row = rule_of(run, run.rules.order_by("pk")[0].pk)
    table = two_by_two(run, row)
    cells = {name: cell.value for name, cell in table.cells.items()}
    for margin, parts in MARGINS.items():
        assert cells[margin] == pytest.approx(sum(cells[part] for part in parts), abs=1e-9)
    assert (table.complete, row.support == cells["both"]) == (row.n, False)
    # Only three tenths of the people were asked both questions, so the table has larger errors.
    assert table.cells["both"].standard_error > row.support_se
    text = reader.get(f"/en/staff/runs/{run.pk}/rules/{row.pk}/").content.decode()
    assert f"This table counts the {row.n} people who were asked every question in the rule." in text
