"""Tests of the draws of a run."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from privacy.estimation.design_index import index_of
from privacy.estimation.draw_tests import DrawTests
from privacy.survey.design import Design
from surveys.models import Run


@dataclass(frozen=True, kw_only=True)
class DrawFacts:
    """Tests of whether draws depend on answers, and whether incomplete rows count.

    Parameters
    ----------
    lines : tuple of dict
        The tests, as `draws_summary` returns them.
    complete_only : tuple of str
        Keys of the blocks for whose itemsets only complete rows count in any case: see `complete_only`.
    """

    lines: tuple[dict[str, Any], ...]
    complete_only: tuple[str, ...] = ()

    @property
    def all_rows(self) -> bool:
        """Whether rows that were asked only part of an itemset count: no test rejects independent draws."""
        return not any(line["rejects"] for line in self.lines)


def complete_only(design: Design) -> tuple[str, ...]:
    """Return the keys of drawn blocks that depend on too many different open answers.

    Such a block may be skipped or rotates. A row without it was not drawn, or could not be. Distinguishing
    these needs more counts than `privacy.estimation.reach.MOST_COLUMN_SETS` or, together with other blocks,
    than `privacy.estimation.design_index.MOST_CROSSED`.
    """
    index = index_of(design)
    blocks = sorted(set(index.block[~index.has_base].tolist()))
    return tuple(design.blocks[block].key for block in blocks)


def draws_summary(tests: DrawTests) -> list[dict[str, Any]] | None:
    """Return the tests of the draws as a run stores them; None if devices draw nothing."""
    return [asdict(test) | {"rejects": test.rejects} for test in tests.tests] or None


def draw_facts(run: Run) -> DrawFacts | None:
    """Return the tests of the draws as a report shows them; None if devices draw nothing."""
    record = run.summary.get("draws")
    if not record:
        return None
    return DrawFacts(lines=tuple(record), complete_only=complete_only(run.version.to_design()))


def counts_all_rows(run: Run) -> bool:
    """Return whether a run's figures count rows that were asked only part of an itemset."""
    facts = draw_facts(run)
    return facts is not None and facts.all_rows
