"""The address of the plan page with entries that are not saved, for browsers that run no script."""

from __future__ import annotations

from typing import Final

from django.http import QueryDict
from django.urls import reverse

from surveys.authoring.aims import aim_digest
from surveys.models import Survey

WITHOUT_SCRIPT: Final = "without_script"
"""Name of the field that browsers send only if they run no script."""
_ENTRIES: Final = frozenset({"revision", "digest", "people"})
"""Names of which an address with entries has at least one."""
_NOT_ENTERED: Final = frozenset(
    {"csrfmiddlewaretoken", "apply", "undo", "show", "part", "readable", WITHOUT_SCRIPT}
)
"""Names in a form that no entry has: buttons, and what only a sent form may state."""
_LONGEST_ADDRESS: Final = 4_000
"""Longest address in characters; servers in front refuse lines of 8 KiB."""


def address_of(values: QueryDict, survey: Survey) -> str:
    """Return the address of a page with these entries, so that *Back* sends no form; empty if it is too long.

    Without a script, each press loads a page. With one, it asks only for figures, and `posted.js` lets *Back*
    return.

    Parameters
    ----------
    values : QueryDict
        Of the form, after a press.
    survey : Survey
        Its draft and plan, as they are saved, are those for which the entries were made.
    """
    kept = QueryDict(mutable=True)
    for name in values:
        value = str(values[name])
        # An empty short name says that a question was on the page.
        if name not in _NOT_ENTERED and (value or name.startswith("label_")):
            kept[name] = value
    kept["revision"], kept["digest"] = str(survey.revision), aim_digest(survey)
    address = f"{reverse('authoring:plan', args=[survey.slug])}?{kept.urlencode()}"
    return address if len(address) <= _LONGEST_ADDRESS else ""


def is_entered(values: QueryDict) -> bool:
    """Return whether an address has entries.

    Parameters
    ----------
    values : QueryDict
        Of the address.
    """
    return not _ENTRIES.isdisjoint(values)


def is_of_present_draft(values: QueryDict, survey: Survey) -> bool:
    """Return whether entries in an address were made for the draft and the plan as they are saved now.

    Parameters
    ----------
    values : QueryDict
    survey : Survey
    """
    stated = values.get("revision"), values.get("digest")
    return stated == (str(survey.revision), aim_digest(survey))
