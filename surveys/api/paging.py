"""Pages of a list, and filters read from an address by the forms of the pages; wrong ones are refused.

A page for people falls back to its defaults and says so beside the table. A program reads no remark, so here
the same complaint is a refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django import forms
from django.http import HttpRequest

from surveys.errors.error import SurveyError
from surveys.questionnaire.labels import Labels

Form = TypeVar("Form", bound=forms.Form)

PAGING: Final = frozenset({"page", "page_size"})
LARGEST_PAGE: Final = 200
_FIRST_SIZE: Final = 50


@dataclass(frozen=True, kw_only=True)
class Paging:
    """Which part of a list is asked for.

    Attributes
    ----------
    page : int
        From 1.
    size : int
        Up to `LARGEST_PAGE`.
    """

    page: int
    size: int

    @property
    def first(self) -> int:
        """Place of its first entry, from 0."""
        return (self.page - 1) * self.size

    def listed(self, request: HttpRequest, entries: Sequence[Any], total: int) -> dict[str, Any]:
        """Return a page of a list, and the address of the next one."""
        pages = max(1, -(-total // self.size))
        following = None
        if self.page < pages:
            query = request.GET.copy()
            query["page"] = str(self.page + 1)
            following = f"{request.path}?{query.urlencode()}"
        return {
            "data": list(entries),
            "page": self.page,
            "page_size": self.size,
            "pages": pages,
            "total": total,
            "next": following,
        }


def paging_of(given: dict[str, str]) -> Paging:
    """Return which page is asked for.

    Raises
    ------
    SurveyError
        ``parameter``
    """
    return Paging(
        page=whole_number(given, "page", 1, most=1_000_000),
        size=whole_number(given, "page_size", _FIRST_SIZE, most=LARGEST_PAGE),
    )


def whole_number(given: dict[str, str], name: str, default: int, *, most: int) -> int:
    """Return a parameter that is a whole number from 1 to `most`.

    Raises
    ------
    SurveyError
        ``parameter``
    """
    text = given.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and 1 <= int(text) <= most):
        message = f"it is no whole number from 1 to {most}."
        raise SurveyError("parameter.value", text[:80], name=name, said=message)
    return int(text)


def one_of(given: dict[str, str], name: str, choices: Sequence[str]) -> str | None:
    """Return a parameter that is one of some words; None where it is not given.

    Raises
    ------
    SurveyError
        ``parameter``
    """
    text = given.get(name)
    if text is not None and text not in choices:
        message = f"it is none of {', '.join(choices)}."
        raise SurveyError("parameter.value", text[:80], name=name, said=message)
    return text


def item_number(given: dict[str, str], labels: Labels) -> str | None:
    """Return the number by which forms know the item that is asked for by its key.

    Raises
    ------
    SurveyError
        ``parameter``
    """
    key = given.get("item")
    if key is None:
        return None
    for item in labels.items:
        if item.key == key:
            return str(item.index)
    raise SurveyError("parameter.item", key[:80])


def filled_in(make: Callable[[dict[str, str]], Form], data: dict[str, str]) -> Form:
    """Return a form that could be read whole.

    Parameters
    ----------
    make : callable
        Makes the form of what is filled in.
    data : dict
        By the names of its fields.

    Raises
    ------
    SurveyError
        ``parameter``
    """
    form = make(data)
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        raise SurveyError("parameter.value", data.get(name, "")[:80], name=name, said=errors[0])
    return form
