"""Say in a sentence whether a release counts people or records, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.sdc.unit import ALIKE, NAMED, RECORDS, UNIQUE, UNREPEATED, Counting
from surveys.formats.joints import series_text
from surveys.formats.numbers import count_text


def people_sentence(counting: Counting, records: int) -> str:
    """Return a sentence about the number of people in a table, and why people or records are counted."""
    return counted_sentence(
        counting.document, records, None if counting.people is None else counting.people.count
    )


def counted_sentence(counted: Mapping[str, Any], records: int, people: int | None) -> str:
    """Return the decision of a release on people and records, from its `Counting.document`, in a sentence."""
    if people is not None and counted["why"] == NAMED:
        text = _(
            "“%(name)s” has %(people)s values in %(records)s records, so people are counted, not records."
        )
    elif people is not None:
        text = _(
            "%(people)s of %(records)s records are different. As you chose, equal records count as one "
            "person."
        )
    else:
        text = {
            RECORDS: _(
                "As you confirmed, each record belongs to a different person, so records are counted."
            ),
            ALIKE: _("As you chose, equal records would count as one person, but no two records are equal."),
            UNIQUE: _("The column that identifies people differs in every record, so records are counted."),
            UNREPEATED: _(
                "No omitted column has repeated values, and no published column seems to identify people, "
                "so each record counts as one person."
            ),
        }.get(counted["why"], _("Each record is one response to the survey, and records are counted."))
    counts = {"people": count_text(people or 0), "records": count_text(records)}
    text %= counts | {"name": " + ".join(counted["columns"])}
    if counted["others"]:
        listed = series_text(f"{name} ({count_text(values)})" for name, values in counted["others"])
        text += " " + _(
            "As you decided, these columns repeat but do not distinguish people (number of values): "
            "%(listed)s."
        ) % {"listed": listed}
    if counted["merged"]:
        text += " " + ngettext(
            "%(count)s spelling differs from another one only in capitals, blanks or the way a number is "
            "written, and counts as the same person.",
            "%(count)s spellings differ from another one only in capitals, blanks or the way a number is "
            "written, and count as the same person.",
            counted["merged"],
        ) % {"count": count_text(counted["merged"])}
    return text
