"""Base class for rows that are never changed."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models

from surveys.errors.error import SurveyError


class ImmutableRow(models.Model):
    """Base class for rows that are never changed."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; refuse to change an existing one.

        Raises
        ------
        SurveyError
            The row was read from the database or saved before.
        """
        if not self._state.adding:
            raise self._error()
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse to delete the row."""
        raise self._error()

    def _error(self) -> SurveyError:
        return SurveyError("written_once", name=self._meta.verbose_name)
