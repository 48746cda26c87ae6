"""Rows that are written once.

The save and the query set refuse here, early and in words; triggers in the database refuse whatever reaches
it by another way.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from django.db import models

_Row = TypeVar("_Row", bound=models.Model)


class ImmutableRowError(RuntimeError):
    """Somebody tried to change or delete a row that is written once."""


class ImmutableQuerySet(models.QuerySet[_Row]):
    """A query set that reads and creates only."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise _refusal(self.model)

    def delete(self) -> NoReturn:
        raise _refusal(self.model)

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise _refusal(self.model)


class ImmutableRow(models.Model):
    """Base of the rows that are written once."""

    objects = ImmutableQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; refuse to change one that is there.

        Raises
        ------
        ImmutableRowError
            If the row was read from the database or saved before.
        """
        if not self._state.adding:
            raise _refusal(type(self))
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse."""
        raise _refusal(type(self))


def _refusal(model: type[models.Model]) -> ImmutableRowError:
    name = model._meta.verbose_name
    return ImmutableRowError(f"A {name} is written once and cannot be changed or deleted; write a new one.")
