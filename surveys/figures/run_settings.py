"""How a run differs from the run before it: settings, design, words, answers, program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import pairwise

from django.utils.translation import gettext as _

from mining.thresholds import Thresholds
from surveys.figures.run_summary import sides_text
from surveys.models import Run


def changed_settings(runs: Sequence[Run]) -> dict[int, tuple[str, ...]]:
    """Return for each run, the newest first, what differs from the run before it, by the run's number.

    Of the same design, answers and settings nothing differs: that run repeats the other.
    """
    return {later.pk: tuple(_differences(earlier, later)) for later, earlier in pairwise(runs)}


def _differences(first: Run, second: Run) -> Iterator[str]:
    before, other = first.thresholds, second.thresholds
    names = {
        "support": _("Support from"), "confidence": _("Confidence from"), "lift": _("Lift from"),
        "max_size": _("Longest itemset"),
        "target": _("Intervals are about"),
        "sides": _("Sides of a rule"),
    }  # fmt: skip
    for field in fields(Thresholds):
        old, new = getattr(before, field.name), getattr(other, field.name)
        if old != new:
            yield _("%(setting)s: %(before)s → %(after)s") % {
                "setting": names.get(field.name, field.name),
                "before": _value_text(old, first),
                "after": _value_text(new, second),
            }
    if first.version.wording_id != second.version.wording_id and first.design_id == second.design_id:
        yield _("other words")
    if first.design_id != second.design_id:
        yield _("another design")
    elif first.snapshot_digest and second.snapshot_digest and first.snapshot_digest != second.snapshot_digest:
        yield _("more answers")
    if first.code_version != second.code_version:
        yield _("another version of Sottovoce")


def _value_text(value: object, run: Run) -> str:
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, float):
        return f"{value:g}"
    return str(value) if isinstance(value, str | int) else sides_text(run)
