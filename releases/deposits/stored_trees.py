"""Groups of values kept under a name for other tables, and the sources of a column's tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from releases.deposits.trees import tree_proposed
from releases.deposits.vault import bytes_open, bytes_seal
from releases.microdata.classifications import FITS, groups_known
from releases.microdata.people import says, words_of
from releases.microdata.trees import tree_leaves, tree_text
from releases.models import StoredTree
from surveys.errors.error import SurveyError
from surveys.models.audit_event import audit_event_record

__all__ = ["source_text", "sources_of", "tree_erase", "tree_keep", "tree_matching", "tree_opened"]

PROPOSED: Final = "proposed"
_KNOWN: Final = {
    "dates": gettext_lazy("dates, by quarter, year and decade"),
    "countries": gettext_lazy("countries, by region (UN M49)"),
    "nuts": gettext_lazy("regions of Europe (NUTS)"),
    "icd": gettext_lazy("diagnoses (ICD-10)"),
    "isco": gettext_lazy("occupations (ISCO-08)"),
    "education": gettext_lazy("levels of education (ISCED 2011)"),
}
_TREE: Final = "tree"


def tree_keep(name: str, text: str, *, replace: bool, by: User, now: datetime) -> StoredTree:
    """Keep groups of values under a name of one's own.

    Raises
    ------
    SurveyError
        ``stored_tree.empty``; ``stored_tree.taken``: the name is in use, and is not to be replaced; and as
        `tree_leaves`.
    """
    leaves = tree_leaves(name, text)
    if not leaves:
        raise SurveyError("stored_tree.empty", name)
    sealed = bytes_seal(text.encode(), deposit_id=by.pk, kind=f"{_TREE} {name}")
    about: dict[str, Any] = {"values": len(leaves), "sealed": sealed, "kept_at": now}
    with transaction.atomic():
        tree, is_new = StoredTree.objects.select_for_update().get_or_create(
            owner=by, name=name, defaults=about
        )
        if not is_new:
            if not replace:
                raise SurveyError("stored_tree.taken", name)
            StoredTree.objects.filter(pk=tree.pk).update(**about)
        _record(tree, "deposit_tree_keep", by=by)
    return tree


def tree_opened(tree: StoredTree) -> str:
    """Return the text of a kept tree.

    Raises
    ------
    SurveyError
        ``stored_tree.sealed``: the secret key is another one.
    """
    try:
        return bytes_open(tree.sealed, deposit_id=tree.owner_id, kind=f"{_TREE} {tree.name}").decode()
    except SurveyError as error:
        raise SurveyError("stored_tree.sealed", tree.name) from error


def tree_erase(tree: StoredTree, *, by: User) -> None:
    """Delete a kept tree; tables that took it have their own copy."""
    with transaction.atomic():
        _record(tree, "deposit_tree_erase", by=by)
        tree.delete()


def _record(tree: StoredTree, action: str, *, by: User) -> None:
    detail = {"values": tree.values, "owner": tree.owner.get_username()}
    audit_event_record(actor=by.get_username(), action=action, target=tree.name, detail=detail)


def sources_of(name: str, values: Sequence[str], stored: Sequence[StoredTree]) -> list[tuple[str, Any]]:
    """Return the sources of a column's tree, key and words: as proposed, classifications, kept trees."""
    known = [(key, words) for key, words in _KNOWN.items() if groups_known(name, values, key)]
    owners = {tree.owner_id for tree in stored}
    own = []
    for tree in stored:
        # An administrator sees those of several people.
        whose = f" ({tree.owner.get_username()})" if len(owners) > 1 else ""
        own.append((f"{_TREE} {tree.pk}", _("kept: %(name)s") % {"name": tree.name + whose}))
    return [(PROPOSED, _("as they are proposed")), *known, *own]


def source_text(
    source: str, name: str, values: Sequence[str], stored: Iterable[StoredTree]
) -> tuple[str, list[str]]:
    """Return the tree of a source for the values of a column, and the values that it leaves in no group.

    Raises
    ------
    SurveyError
        As `tree_opened`.
    """
    if source in _KNOWN:
        groups = groups_known(name, values, source) or {}
        return tree_text(groups), [value for value, above in groups.items() if not above]
    for tree in stored:
        if source == f"{_TREE} {tree.pk}":
            text = tree_opened(tree).rstrip()
            leaves = tree_leaves(tree.name, text)
            absent = [value for value in values if value not in leaves]
            return "\n".join([text, *absent]), absent
    return tree_proposed(name, values), []


def tree_matching(name: str, values: Sequence[str], stored: Iterable[StoredTree]) -> str:
    """Return the source of a kept tree whose name has a word of the column's and that knows its values."""
    for tree in stored:
        if says(name, " ".join(words_of(tree.name))) or says(tree.name, " ".join(words_of(name))):
            # One that does not open any more is not proposed.
            with suppress(SurveyError):
                leaves = tree_leaves(tree.name, tree_opened(tree))
                if sum(value in leaves for value in values) >= FITS * len(values):
                    return f"{_TREE} {tree.pk}"
    return PROPOSED
