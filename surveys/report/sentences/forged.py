"""What pages and files say about rows that no device sent: how many, what is withheld, and their effect."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.estimation.forged_shift import share_shift
from privacy.scales.window import WindowChannel
from surveys.formats.numbers import count_text, number
from surveys.formats.shown_counts import shown_count
from surveys.models import ItemsetRow, RuleRow, Run, Survey
from surveys.policy import LEAST_PROFILE
from surveys.questionnaire.labels import question_names
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.sentences.number_texts import error_in_unit, ground_text
from surveys.runs.file_event import file_event
from surveys.runs.forged_rows import lifting_rows
from surveys.runs.releasable_rows import releasable_design
from surveys.runs.withheld import withheld_of


@dataclass(frozen=True, kw_only=True)
class ForgedRows:
    """What a run says about forged rows.

    Attributes
    ----------
    rows : int
        Rows that no device sent, at least.
    headline, remedy, missing, effect : str
        Their number; how they could be sent, and what to do; the figures that are missing; their effect on
        the others.
    """

    rows: int
    headline: str
    remedy: str
    missing: str
    effect: str

    @property
    def sentences(self) -> list[str]:
        """All of it."""
        return [self.headline, self.remedy, self.missing, self.effect]


def forged_of(run: Run) -> ForgedRows | None:
    """Return what a run's pages and files say about forged rows; None if its rows fit the design."""
    withheld = withheld_of(run)
    if not withheld:
        return None
    names = [f"“{name.text}”" for name in question_names(run.version, run.version.to_design())]
    headline = ngettext(
        "At least %(rows)s of %(n)s answers is forged: the survey’s page did not send it.",
        "At least %(rows)s of %(n)s answers are forged: the survey’s page did not send them.",
        withheld.rows,
    ) % {"rows": shown_count(withheld.rows), "n": shown_count(run.n or 0)}
    missing = [_("No figure uses %(question)s.") % {"question": names[each]} for each in withheld.questions]
    missing += [
        _("No figure uses %(first)s together with %(second)s.")
        % {"first": names[first], "second": names[second]}
        for first, second in withheld.pairs
    ]
    return ForgedRows(
        rows=withheld.rows,
        headline=headline,
        remedy=_remedy(run.survey),
        missing=" ".join(missing),
        effect=_(
            "The same rows count in all other figures. Shares, means, quantiles, differences and odds ratios "
            "state how far these rows could have moved them."
        ),
    )


def _remedy(survey: Survey) -> str:
    """Say how forged answers could be sent, and what to do about it."""
    if file_event(survey) is not None:
        return _("Check in the tool that collected the answers who sent them.")
    if survey.by_invitation:
        return _(
            "Each answer came with an invitation code. Check who could have had several codes before you ask "
            "again."
        )
    return _(
        "The link was open, so a program could send many answers. To prevent this, ask again with invitation "
        "codes: each code answers once."
    )


def forged_record(run: Run) -> dict[str, Any] | None:
    """Return the same facts for JSON files: the least number of rows, and what no figure uses."""
    withheld = withheld_of(run)
    if not withheld:
        return None
    keys = withheld.keys
    return {
        "rows": withheld.rows,
        "questions": [keys[number] for number in withheld.questions],
        "pairs": [[keys[first], keys[second]] for first, second in withheld.pairs],
    }


def shift_of(row: ItemsetRow | RuleRow, run: Run) -> float | None:
    """Return how far forged rows could have moved a support, as a share; None if there are none."""
    rows = withheld_of(run).rows
    if not rows or row.support is None:
        return None
    packed = row.items if isinstance(row, ItemsetRow) else row.antecedent + row.consequent
    items = tuple(sorted(unpack_items(packed)))
    return share_shift(releasable_design(run.version), items, value=row.support, n=row.n, rows=rows)


def points_text(shift: float | None) -> str:
    """Say how far forged rows could have moved a share or a difference of shares; empty without any."""
    if not shift:
        return ""
    if not math.isfinite(shift):
        return _("forged answers could explain all of it")
    return _("forged answers: up to ±%(points)s points") % {"points": number(100 * shift, 1)}


def shift_text(row: ItemsetRow | RuleRow, run: Run) -> str:
    """Say how far forged rows could have moved a share, or the support of a rule; empty without any."""
    shift = shift_of(row, run)
    if shift is not None and math.isfinite(shift) and isinstance(row, RuleRow):
        return _("forged answers: support up to ±%(points)s points") % {"points": number(100 * shift, 1)}
    return points_text(shift)


def is_explained_by_forged(row: RuleRow, run: Run) -> bool:
    """Whether a rule holds, and no longer would without as many rows as no device sent."""
    tests = row.inference
    return bool(tests.passes) and tests.flips is not None and tests.flips <= withheld_of(run).rows


def shares_moved(rows: Iterable[ItemsetRow], run: Run) -> list[str]:
    """Return sentences on forged rows and the shares of a text; none without forged rows."""
    forged = forged_of(run)
    if forged is None:
        return []
    shifts = [shift for row in rows if (shift := shift_of(row, run)) is not None and math.isfinite(shift)]
    moved = _("These rows could have moved the shares by up to %(points)s points.")
    return [
        forged.headline,
        forged.missing,
        *([moved % {"points": number(100 * max(shifts), 1)}] if shifts else []),
    ]


def unit_text(shift: float | None, channel: WindowChannel | None = None) -> str:
    """Say how far forged rows could have moved a number, or a coefficient; empty without any."""
    if not shift:
        return ""
    if not math.isfinite(shift):
        return _("forged answers could explain all of it")
    text = number(shift, 2) if channel is None else error_in_unit(shift, channel)
    return _("forged answers: up to ±%(shift)s") % {"shift": text}


def metres_text(shift: float) -> str:
    """Say how far forged rows could have moved the mean place; empty without any."""
    if not shift:
        return ""
    if not math.isfinite(shift):
        return _("forged answers could explain all of it")
    return _("forged answers: up to ±%(shift)s") % {"shift": ground_text(shift)}


def lifting_text(rows: int | None) -> str:
    """Say how many forged rows show a cross of open answers; empty without a cross or an open link."""
    if rows is None:
        return ""
    return _(
        "%(rows)s forged answers, %(least)s for each combination of these answers, would have been enough to "
        "show this."
    ) % {"rows": shown_count(rows), "least": count_text(LEAST_PROFILE)}


def lifted_text(row: ItemsetRow | RuleRow, run: Run) -> str:
    """Say how many forged rows show an itemset or a rule; empty unless it combines open answers."""
    packed = row.items if isinstance(row, ItemsetRow) else row.antecedent + row.consequent
    return lifting_text(lifting_rows(run, unpack_items(packed)))
