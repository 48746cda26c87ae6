"""Sentences for values that a field of a form refuses, instead of Django's: the value, the limit, the remedy.

They replace the messages of Django's validators and fields, so every form, the administration pages and
models use them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.core import validators
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from surveys.errors.error import SurveyError, sentences


@dataclass(frozen=True)
class FieldSentence:
    """The message of a validator, which Django fills in with ``%`` in the language of the reader.

    Parameters
    ----------
    error : callable
        Returns the refusal for the parameters of a `ValidationError`.

    Examples
    --------
    >>> FieldSentence(too_long) % {"show_value": 1005, "limit_value": 1000, "value": "..."}
    'The text has 1,005 characters; at most 1,000 are possible. Shorten it by 5.'
    """

    error: Callable[[Mapping[str, Any]], SurveyError]

    def __mod__(self, params: Mapping[str, Any]) -> str:
        return sentences(self.error(params))


def too_long(params: Mapping[str, Any]) -> SurveyError:
    """Return the refusal of a text with too many characters."""
    count, most = params["show_value"], params["limit_value"]
    return SurveyError("field.long", count=count, most=most, over=count - most)


def too_short(params: Mapping[str, Any]) -> SurveyError:
    """Return the refusal of a text with too few characters."""
    count, least = params["show_value"], params["limit_value"]
    return SurveyError("field.short", count=count, least=least, missing=least - count)


def too_large(params: Mapping[str, Any]) -> SurveyError:
    """Return the refusal of a number above its limit."""
    return SurveyError("field.large", params["show_value"], most=params["limit_value"])


def too_small(params: Mapping[str, Any]) -> SurveyError:
    """Return the refusal of a number below its limit."""
    return SurveyError("field.small", params["show_value"], least=params["limit_value"])


def with_null(params: Mapping[str, Any]) -> SurveyError:
    """Return the refusal of a text with a null character, which no page shows and no database stores."""
    before, _null, _after = str(params["value"]).partition("\0")
    return SurveyError("field.null", line=before.count("\n") + 1)


def no_choice(params: Mapping[str, Any]) -> SurveyError:
    """Return the refusal of a choice that a field does not have, as addresses and old pages can state."""
    return SurveyError("field.choice", choice=Truncator(params["value"]).chars(_LONGEST_CHOICE))


_LONGEST_CHOICE: Final = 40


def checked_text(text: str, *, most: int) -> str:
    """Return a text that no form has checked, without blanks around it.

    Parameters
    ----------
    text : str
    most : int
        Largest number of characters.

    Raises
    ------
    SurveyError
        ``field``: it is longer, or contains a null character.
    """
    text = text.strip()
    if len(text) > most:
        raise too_long({"show_value": len(text), "limit_value": most})
    if "\0" in text:
        raise with_null({"value": text})
    return text


SENTENCES: Final[Mapping[type[Any], Callable[[Mapping[str, Any]], SurveyError]]] = {
    validators.MaxLengthValidator: too_long,
    validators.MinLengthValidator: too_short,
    validators.MaxValueValidator: too_large,
    validators.MinValueValidator: too_small,
    validators.ProhibitNullCharactersValidator: with_null,
}
"""Validators of Django, each with the refusal that it uses here."""

FIELDS: Final[Mapping[type[forms.Field], Mapping[str, Any]]] = {
    forms.Field: {"required": _("Fill in this field.")},
    forms.BooleanField: {"required": _("Tick this box to continue.")},
    forms.ChoiceField: {"required": _("Choose one of these."), "invalid_choice": FieldSentence(no_choice)},
    # The value is the number of a row, which no page shows.
    forms.ModelChoiceField: {
        "required": _("Choose one of these."),
        "invalid_choice": _("That choice is no longer available. Choose another one."),
    },
    forms.MultipleChoiceField: {
        "required": _("Choose at least one."),
        "invalid_choice": FieldSentence(no_choice),
        "invalid_list": _("Choose at least one."),
    },
    forms.ModelMultipleChoiceField: {
        "required": _("Choose at least one."),
        "invalid_choice": _("That choice is no longer available. Choose another one."),
        "invalid_pk_value": _("That choice is no longer available. Choose another one."),
        "invalid_list": _("Choose at least one."),
    },
    forms.FileField: {
        "required": _("Choose a file."),
        "invalid": _("Choose a file."),
        "missing": _("Choose a file."),
        "empty": _("The file is empty. Choose another one."),
    },
    forms.IntegerField: {
        "required": _("Enter a whole number."),
        "invalid": _("Enter a whole number in digits, such as 1000."),
    },
    forms.FloatField: {
        "required": _("Enter a number."),
        "invalid": _("Enter a number in digits, such as 2.5."),
    },
    forms.DecimalField: {
        "required": _("Enter a number."),
        "invalid": _("Enter a number in digits, such as 2.5."),
    },
    forms.DateField: {
        "required": _("Enter a day as year-month-day, such as 2026-11-30."),
        "invalid": _("Enter a day as year-month-day, such as 2026-11-30."),
    },
}
"""Kinds of fields, each with what it says if it is empty or cannot be read."""


def use_own_sentences() -> None:
    """Give Django's validators and fields the sentences of the catalogue."""
    for validator, error in SENTENCES.items():
        validator.message = FieldSentence(error)
    for kind, texts in FIELDS.items():
        # A new mapping, because a kind may share that of the kind above it.
        kind.default_error_messages = {**kind.default_error_messages, **texts}
