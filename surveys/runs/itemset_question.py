"""The question of a run that would list very many itemsets: raise the support, or list them all.

Only the worker knows the number, so the run ends with the refusal ``max_itemsets`` and stores nothing. The
requester answers on the page of the run or with an option of ``manage.py mine``; the answer is a new run.
"""

from __future__ import annotations

from dataclasses import dataclass

from surveys.errors.stored_refusals import refusal_record
from surveys.models import Job, Run
from surveys.policy import MOST_ITEMSETS_UNASKED

_CODE = "max_itemsets"


@dataclass(frozen=True, kw_only=True)
class ItemsetQuestion:
    """What a run found before it asked.

    Attributes
    ----------
    itemsets : int
        Itemsets that reach the thresholds.
    rules : int
        Most rules into which they can be split.
    most : int
        Itemsets that a run lists without asking.
    support : float or None
        Smallest support threshold of three decimals with which the same answers need no question; None if
        there is none.
    """

    itemsets: int
    rules: int
    most: int
    support: float | None


def most_itemsets(run: Run) -> int | None:
    """Return how many itemsets a run lists without asking; None for any number."""
    return None if run.lists_all else MOST_ITEMSETS_UNASKED


def itemset_question(job: Job) -> ItemsetQuestion | None:
    """Return the question with which a run ended; None if it asked nothing."""
    record = refusal_record(job.message) if job.state == Job.State.FAILED else None
    if record is None or record["code"] != _CODE:
        return None
    fields = record["fields"]
    return ItemsetQuestion(
        itemsets=record["value"],
        rules=fields["rules"],
        most=fields["max_itemsets"],
        support=float(fields["support"]) if record["case"] == _CODE else None,
    )
