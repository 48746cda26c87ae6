"""Rows that are written once.

``save()`` and ``delete()`` refuse here, early and in words; triggers in the database refuse whatever reaches
it by another way.
"""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models

from surveys.errors.error import SurveyError


class ImmutableRow(models.Model):
    """Base of the rows that are written once."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; refuse to change one that is there.

        Raises
        ------
        SurveyError
            If the row was read from the database or saved before.
        """
        if not self._state.adding:
            raise self._refusal()
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse."""
        raise self._refusal()

    def _refusal(self) -> SurveyError:
        return SurveyError("written_once", name=self._meta.verbose_name)
