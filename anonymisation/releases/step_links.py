"""Links to the steps of a release at the top of its pages, and the text above them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from anonymisation.models import Release, ReleaseTable
from anonymisation.releases.progress import is_editable

_STEPS: Final = (
    ("columns", gettext_lazy("Columns")),
    ("trees", gettext_lazy("Groups of values")),
    ("study", gettext_lazy("The study")),
    ("bounds", gettext_lazy("Requirements")),
    ("release", gettext_lazy("The release")),
)


def steps_of(release: Release, here: str) -> dict[str, Any]:
    """Return the steps with their addresses, and the time when the records are deleted."""
    table = ReleaseTable.objects.filter(release=release).values_list("ends_at", flat=True).first()
    editable = is_editable(release)
    links = [
        {
            "name": label,
            "address": reverse(f"releases:{step}", args=[release.pk])
            if editable and step != "release"
            else "",
            "here": step == here,
        }
        for step, label in _STEPS
    ]
    index = [step for step, _label in _STEPS].index(here)
    back = links[index - 1]["address"] if index else reverse("releases:begin")
    return {"links": links, "back": back, "ends_at": table, "telling": _reveal_text(release.columns)}


def _reveal_text(columns: Iterable[Mapping[str, Any]]) -> str:
    """Return sentences about columns that reveal a protected one; "" if none does."""
    pairs = [
        _("“%(name)s” determines “%(protected)s”.") % {"name": column["name"], "protected": target}
        for column in columns
        for target in column.get("tells", ())
    ]
    remedy = _("Anyone who learns one of the two learns the other. Leave this column out, or protect it too.")
    return " ".join([*pairs, remedy]) if pairs else ""
