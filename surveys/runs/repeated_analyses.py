"""How often the rows of a run were analysed, and how many hypotheses were tested at most."""

from __future__ import annotations

from dataclasses import dataclass

from surveys.models import Job, LedgerEntry, Run
from surveys.runs.ledger import OVER_WITHOUT_RESULT


@dataclass(frozen=True, kw_only=True)
class RepeatedAnalyses:
    """How often the rows of a run were analysed, and the largest number of tests.

    Attributes
    ----------
    runs : int
        Runs on the same rows, deleted ones included.
    family : int
        Number of hypotheses of this run's tests.
    largest : int
        The largest such number among these runs.
    """

    runs: int
    family: int
    largest: int

    @property
    def is_smaller(self) -> bool:
        """Whether another run on these rows tested more."""
        return self.family < self.largest


def analyses_of(run: Run) -> RepeatedAnalyses:
    """Count the runs on the rows of a run, and their tests."""
    entries = LedgerEntry.objects.filter(
        survey=run.survey_id, design_id=run.design_id, snapshot_digest=run.snapshot_digest
    )
    families: dict[int, int] = dict(entries.order_by().values_list("run_number", "decision__family"))
    runs = Run.objects.filter(
        survey=run.survey_id, design_id=run.design_id, snapshot_digest=run.snapshot_digest
    ).order_by()
    older = []
    for number, state in runs.values_list("pk", "job__state"):
        if state in OVER_WITHOUT_RESULT:
            families.pop(number, None)
        elif state == Job.State.FINISHED and number not in families:
            older.append(number)
    if older:
        # These ended before there was a ledger.
        sizes = runs.filter(pk__in=older).values_list("pk", "summary__inference__family__lift")
        families |= {number: int(size or 0) for number, size in sizes}
    family = families.get(run.pk, 0)
    return RepeatedAnalyses(runs=len(families), family=family, largest=max(families.values(), default=family))
