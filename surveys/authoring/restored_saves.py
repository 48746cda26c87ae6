"""Find the saves that led to the present draft: a restored save replaces those after it.

The audit log records which save was restored. The text and the notes of an import belong to the draft only if
no earlier save was restored since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from surveys.models import AuditEvent, DraftRevision, Survey

RESTORED: Final = "restored"
"""Member of the detail of an event ``draft_save``: the revision that was restored."""


def restored_detail(survey: Survey, to: int) -> dict[str, Any]:
    """Return the details that the audit event of a restored save adds."""
    return {RESTORED: to, "survey": survey.pk}


@dataclass(frozen=True)
class Lineage:
    """The revisions that led to the present draft.

    Parameters
    ----------
    ranges : tuple of (int, int)
        First and last revision of each run of saves, the newest first.

    Examples
    --------
    >>> own = Lineage.of(7, {5: 2})
    >>> own.ranges, 4 in own, 2 in own
    (((5, 7), (0, 2)), False, True)
    """

    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, newest: int, restored: Mapping[int, int]) -> Lineage:
        """Return the lineage of a draft.

        Parameters
        ----------
        newest : int
            Its revision.
        restored : mapping of int to int
            The earlier revision, by the revision that restored it.
        """
        ranges, last = [], newest
        while starts := [start for start in restored if start <= last]:
            ranges.append((max(starts), last))
            last = restored[max(starts)]
        return cls((*ranges, (0, last)))

    def __contains__(self, revision: int) -> bool:
        return any(first <= revision <= last for first, last in self.ranges)


def lineage_in(survey: Survey, details: Iterable[Mapping[str, Any]]) -> Lineage:
    """Return the saves that led to the draft of a survey, from the details of its audit events."""
    restored = {detail["revision"]: detail[RESTORED] for detail in details if RESTORED in detail}
    return Lineage.of(survey.revision, restored)


def save_with_text(survey: Survey) -> DraftRevision | None:
    """Return the save with the text from which the present draft was made; None if it has none."""
    # Search by number, because a deleted draft of another person may have had the same address.
    events = AuditEvent.objects.filter(action="draft_save", detail__survey=survey.pk)
    lineage = lineage_in(survey, events.values_list("detail", flat=True))
    saves = survey.draft_revisions.exclude(pasted="")
    return next((save for save in saves if save.revision in lineage), None)
