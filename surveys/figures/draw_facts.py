"""Draw tests of a run: whether the drawn questions depend on the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from privacy.estimation.design_index import index_of
from privacy.estimation.draw_tests import DrawTests
from privacy.survey.design import Design
from surveys.models import Run

__all__ = ["DrawFacts", "complete_only", "counts_all_rows", "draw_facts", "draws_summary"]


@dataclass(frozen=True, kw_only=True)
class DrawFacts:
    """The tests of a run, and whether rows that were asked a part of an itemset count.

    Parameters
    ----------
    lines : tuple of dict
        As `draws_summary` writes them.
    complete_only : tuple of str
        Keys of parts of whose itemsets complete rows alone count in any case: see `complete_only`.
    """

    lines: tuple[dict[str, Any], ...]
    complete_only: tuple[str, ...] = ()

    @property
    def all_rows(self) -> bool:
        """Whether such rows count: no test finds that the draw depends on the answers."""
        return not any(line["rejects"] for line in self.lines)


def complete_only(design: Design) -> tuple[str, ...]:
    """Return the keys of drawn parts to which too many different open answers lead.

    Such a part may be skipped or takes turns: a row without it was not drawn, or could not be, and which of
    them it is takes more counts than `privacy.estimation.drawing.MOST_SETS`, or with those of other parts
    `privacy.estimation.design_index.MOST_CROSSED`.
    """
    index = index_of(design)
    blocks = sorted(set(index.block[~index.has_base].tolist()))
    return tuple(design.blocks[block].key for block in blocks)


def draws_summary(tests: DrawTests) -> list[dict[str, Any]] | None:
    """Return what a run stores of these tests; None where devices draw nothing."""
    return [
        {
            "about": test.about,
            "part": test.key,
            "n": test.n,
            "p_value": test.p_value,
            "rejects": test.rejects,
        }
        for test in tests.tests
    ] or None


def draw_facts(run: Run) -> DrawFacts | None:
    """Return what a report says of them; None where devices draw nothing."""
    stored = run.summary.get("draws")
    if not stored:
        return None
    return DrawFacts(lines=tuple(stored), complete_only=complete_only(run.version.to_design()))


def counts_all_rows(run: Run) -> bool:
    """Say whether a run's figures count rows that were asked a part of an itemset."""
    facts = draw_facts(run)
    return facts is not None and facts.all_rows
