"""The ledger of disclosure: what each run may show of open answers, and the bars of open numbers.

Entries outlive their run, because a reader may have kept its figures and could subtract those of another run.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from surveys.models.stored_json import StoredJSON
from surveys.models.written_once import ImmutableRow


class LedgerEntry(ImmutableRow):
    """The decision on one run, made before any of its figures.

    ``decision`` contains ``family``, the number of hypotheses of the run's tests, and ``open``. The latter
    lists the counts of each open question that an interim run may show: one pair for each answer, of the
    direct and the protected rows, as `mining.open_floor.answer_counts` returns them. ``crossed`` lists the
    numbers of the open questions of a final run, and ``shown`` has a digit for each pair of them, in order: 1
    if figures may name both.
    """

    survey = models.ForeignKey("surveys.Survey", on_delete=models.PROTECT, related_name="ledger")
    # No foreign key, because the entry stays when its run is deleted.
    run_number = models.BigIntegerField(unique=True)
    design_id = models.CharField(max_length=64)
    snapshot_digest = models.CharField(max_length=64)
    n = models.PositiveBigIntegerField()
    # Whether the run read all rows of a settled survey.
    final = models.BooleanField()
    decision = StoredJSON(kind="ledger")
    at = models.DateTimeField()

    objects: ClassVar[models.Manager[LedgerEntry]]

    class Meta:
        ordering = ("run_number",)

    def __str__(self) -> str:
        return f"ledger of run {self.run_number}"


class CutPoints(ImmutableRow):
    """The bars of a number that is stored as answered, or the tiles of a map with exact places.

    They are made once from all rows of a settled survey. ``cuts`` lists the first bin of each bar.
    """

    survey = models.ForeignKey("surveys.Survey", on_delete=models.PROTECT, related_name="cut_points")
    design_id = models.CharField(max_length=64)
    # Number of the question in the design.
    question = models.PositiveIntegerField()
    snapshot_digest = models.CharField(max_length=64)
    cuts = StoredJSON(kind="ledger")
    at = models.DateTimeField()

    objects: ClassVar[models.Manager[CutPoints]]

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("survey", "design_id", "question", "snapshot_digest"), name="cut_points_once"
            ),
        )

    def __str__(self) -> str:
        return f"cut points of question {self.question}"
