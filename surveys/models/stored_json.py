"""JSON that carries the number of its format, so that an unknown format is refused by name.

A stored document outlives the program that wrote it. Its format number changes when a reader of the old
format would misread the new one. A document without a number has format 1: it was stored before documents
carried one.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.fields.json import KeyTransform
from django.utils.translation import gettext_lazy

from surveys.errors.error import SurveyError, sentences

MEMBER: Final = "stored_format"
"""Member of a stored object that contains its number."""

LIST: Final = "list"
"""Member of a stored object that contains the document, if it is a list."""

UNREADABLE: Final = "stored_format"
"""Code of the error for a document whose format this program does not know."""

WHAT: Final = {
    "settings": gettext_lazy("the settings of this analysis"),
    "result": gettext_lazy("the result of this analysis"),
    "plan": gettext_lazy("the plan of this survey"),
    "draft": gettext_lazy("this draft"),
    "import": gettext_lazy("the choices of this import"),
    "ledger": gettext_lazy("the ledger of this survey"),
    "release": gettext_lazy("the settings of this release"),
    "release result": gettext_lazy("the result of this release"),
}
"""Documents by the name of their kind."""


class UnreadableJSON(dict[str, Any]):
    """A stored document in an unknown format. Every use of its content raises the refusal.

    Other columns of its row stay readable, and saving the row leaves the document as it is.
    """

    def __init__(self, kind: str, stored: dict[str, Any]) -> None:
        self.kind, self.stored = kind, stored
        # A dict that is not empty, because JSON's encoder asks an empty one for nothing else.
        super().__init__(stored)

    def refuse(self, *_arguments: object, **_options: object) -> NoReturn:
        """Raise the refusal.

        Raises
        ------
        SurveyError
            ``stored_format``
        """
        raise self.refusal

    @property
    def refusal(self) -> SurveyError:
        """The error that every use raises."""
        return SurveyError(UNREADABLE, self.stored[MEMBER], what=str(WHAT[self.kind]))

    __getitem__ = __iter__ = __len__ = __bool__ = __contains__ = __or__ = __ror__ = refuse
    get = keys = items = values = copy = pop = setdefault = update = refuse


def unreadable(*documents: object) -> str:
    """Return why the first unreadable document cannot be used, in the active language; "" if all can be.

    >>> unreadable({"n": 3}, None)
    ''
    """
    for document in documents:
        if isinstance(document, UnreadableJSON):
            return sentences(document.refusal)
    return ""


class StoredJSON(models.JSONField):
    """A JSON column whose documents carry a format number, which its readers do not see.

    Parameters
    ----------
    kind : str
        A key of `WHAT`.
    newest : int
        The format that this program writes. It reads this one and all earlier ones.
    """

    def __init__(self, *args: Any, kind: str = "result", newest: int = 1, **options: Any) -> None:
        self.kind, self.newest = kind, newest
        super().__init__(*args, **options)

    def deconstruct(self) -> Any:
        """Describe the column to migrations as an ordinary JSON column, because it is one."""
        name, _path, arguments, options = super().deconstruct()
        return name, "django.db.models.JSONField", arguments, options

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        """Add the format number."""
        return super().get_db_prep_value(with_format(value, self.newest), connection, prepared)

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        """Check and remove the format number."""
        document = super().from_db_value(value, expression, connection)
        # A member that a query selects comes without the number.
        return document if isinstance(expression, KeyTransform) else self.read(document)

    def read(self, document: Any) -> Any:
        """Return a stored document without its number.

        >>> field = StoredJSON(kind="result", newest=2)
        >>> field.read({"n": 3}), field.read({"n": 3, "stored_format": 2})
        ({'n': 3}, {'n': 3})
        >>> field.read({"list": [4], "stored_format": 1})
        [4]
        >>> type(field.read({"n": 3, "stored_format": 3})).__name__
        'UnreadableJSON'
        """
        if not isinstance(document, dict) or MEMBER not in document:
            return document
        found = document[MEMBER]
        if isinstance(found, bool) or not isinstance(found, int) or not 1 <= found <= self.newest:
            return UnreadableJSON(self.kind, document)
        rest = {key: value for key, value in document.items() if key != MEMBER}
        return rest[LIST] if set(rest) == {LIST} and isinstance(rest[LIST], list) else rest


def with_format(value: Any, number: int) -> Any:
    """Return a document as it is stored; None stays None, and an unreadable one stays as it was.

    >>> with_format({"n": 3}, 1), with_format([4], 1), with_format(None, 1)
    ({'n': 3, 'stored_format': 1}, {'stored_format': 1, 'list': [4]}, None)
    """
    if isinstance(value, UnreadableJSON):
        return value.stored
    if isinstance(value, list | tuple):
        return {MEMBER: number, LIST: list(value)}
    return {**value, MEMBER: number} if isinstance(value, dict) else value
