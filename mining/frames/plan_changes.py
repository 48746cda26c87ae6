"""Changes to a plan that let a survey be published, or that make its results more exact."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from privacy.library.shown_tables import Shown
from privacy.planning.changes import MOST_CHANGES, Change, changes, under_one_coin
from privacy.planning.design_forms import DesignDraft
from privacy.planning.plan import PlannedDesign

PlanOf = TypeVar("PlanOf")
"""`mining.frames.plan.Plan`, which has changes."""


@dataclass(frozen=True, kw_only=True, repr=False)
class PlanChange(Shown, Generic[PlanOf]):
    """A change to a plan, and the resulting plan.

    Attributes
    ----------
    words : tuple of str
        What to do, in English.
    plan : Plan
        Its ``survey`` is the changed one.
    change : Change
        The same change in numbers: ``forms``, ``people``, ``strength``, ``star``, ``times``,
        ``at_least_one``.
    """

    words: tuple[str, ...]
    plan: PlanOf
    change: Change[PlannedDesign]

    def summary(self) -> str:
        """Return what to do, and what is known then."""
        half = self.change.at_least_one
        union = [] if half is None else [f"At least one of these forms: ±{half:.3f}"]
        return "\n".join([", and ".join(self.words), cast(Any, self.plan).summary(), *union])

    def __repr__(self) -> str:
        return f"<change: {' + '.join(self.words)}>"


def changes_of(
    plan: PlanOf, draft: DesignDraft | None, times: tuple[str, str] | None = None
) -> tuple[PlanChange[PlanOf], ...]:
    """Return the changes that the plan page would propose; none for a survey that was not laid out.

    Parameters
    ----------
    plan : Plan
    draft : DesignDraft or None
        What was laid out.
    times : tuple of str, optional
        Two questions that ask one thing for two times: first comes the change that asks them under one coin.
    """
    if draft is None:
        return ()
    coin = None if times is None else under_one_coin(draft, times)
    found = [*([coin] if coin else []), *changes(draft)][:MOST_CHANGES]
    return tuple(_plan_change(plan, draft, change) for change in found)


def _plan_change(now: PlanOf, draft: DesignDraft, change: Change[PlannedDesign]) -> PlanChange[PlanOf]:
    words, gone, formed = [], [], draft
    for form in change.forms:
        if form.kind == "leave_out":
            gone.append(f'"{formed.names.get(form.key, form.key)}"')
        else:
            words.append(formed.words(form))
        formed = formed.formed([form]) or formed
    words += [f"leave out {', '.join(gone)}"] if gone else []
    words += [f"expect {change.people:,} answers"] if change.people else []
    words += [f"choose {change.strength} protection"] if change.strength else []
    words += (
        [f'do not compare: want only "{formed.names.get(change.star, change.star)}"'] if change.star else []
    )
    if change.times:
        then, later = (f'"{formed.names.get(key, key)}"' for key in change.times)
        words.append(f"ask {then} and {later} under one coin")
    before = cast(Any, now)
    survey = type(before.survey).of(change.plan.design)
    survey.names = {**formed.names}
    after = replace(formed, goal=change.plan.aim)
    plan = replace(before, survey=survey, planned=change.plan.in_all_waves(), draft=after)
    return PlanChange(words=tuple(words), plan=plan, change=change)
