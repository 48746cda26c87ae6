"""The core's error class, with a machine-readable code, the offending value and a remedy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final

from privacy.catalogue import ADVICE, WORDS
from privacy.filled_text import fill_fields

_COUNTED: Final = re.compile(
    r"%\((\w+)\)s(?= (?:of %\(\w+\)s )?(?:different |sensitive |random )?"
    r"(?:answers|cells|clusters|conditions|items|itemsets|pairs|patterns|people|records|reports|respondents|rows"
    r"|rules|values)\b)"
)
"""A field before a noun that is counted."""


def plain(value: Any) -> Any:
    """Convert NumPy scalars, also in lists and tuples, to Python ones, whose repr is plain.

    Parameters
    ----------
    value : object

    Examples
    --------
    >>> import numpy
    >>> plain(numpy.float64(1.5)), plain([numpy.int64(2)])
    (1.5, [2])
    """
    if type(value) in (list, tuple):
        return type(value)(plain(own) for own in value)
    is_scalar = hasattr(value, "dtype") and hasattr(value, "item") and getattr(value, "ndim", None) == 0
    return value.item() if is_scalar else value


def shown_list(values: Iterable[object]) -> str:
    """Return values as a message lists them.

    Parameters
    ----------
    values : iterable

    Examples
    --------
    >>> import numpy
    >>> shown_list(["no", numpy.int64(2)])
    "'no', 2"
    """
    return ", ".join(repr(plain(value)) for value in values)


class PrivacyError(ValueError):
    """Raised for an invalid design, answer, parameter, count or table.

    Parameters
    ----------
    case : str
        Key of the message in `privacy.catalogue`: a code, or ``code.case``.
    value : object
        The offending value.
    code : str, optional
        The code, if it is not part of `case`: ``whole.range``, for example, applies to every whole number.
    advice : str, optional
        Name in `privacy.catalogue.ADVICE` of a remedy that replaces the case's own.
    **fields : object
        Other values that the message mentions.

    Attributes
    ----------
    code : str
        Machine-readable name of the error, for example ``"truth_probability"``.
    message : str
        Description of the problem, which names the offending value.
    remedy : str
        What to do instead.

    Examples
    --------
    >>> refusal = PrivacyError("truth_probability.zero", 0, block="drugs", scale=10_000)
    >>> print(refusal)
    block drugs: p = 0 carries no information; choose p > 0, or mark the design as a study
    >>> refusal.code
    'truth_probability'
    """

    def __init__(
        self,
        case: str,
        /,
        value: Any = None,
        *,
        code: str | None = None,
        advice: str | None = None,
        **fields: object,
    ) -> None:
        value, fields = plain(value), {name: plain(own) for name, own in fields.items()}
        super().__init__(case, value, fields)
        self.case = case
        self.code = case.partition(".")[0] if code is None else code
        self.value = value
        self.advice = advice
        self.fields: Mapping[str, object] = {"value": value, **fields}

    @property
    def texts(self) -> tuple[str, str]:
        """Message and remedy, with placeholders for the fields."""
        message, remedy = WORDS[self.case]
        return message, remedy if self.advice is None else ADVICE[self.advice]

    @property
    def message(self) -> str:
        """Description of the problem."""
        return fill_fields(self.texts[0], self.fields, counts=self.counted)

    @property
    def remedy(self) -> str:
        """What to do; empty if the message already says it."""
        return fill_fields(self.texts[1], self.fields, counts=self.counted)

    @property
    def counted(self) -> frozenset[str]:
        """The fields that are counts, whose digits are grouped: those before the name of what is counted.

        Others are parameters, which a message repeats as they were written.

        Examples
        --------
        >>> PrivacyError("frame.one_person", 1234, column="x").message[:51]
        "column 'x' has the same value in all 1,234 records,"
        """
        return frozenset(name for text in self.texts for name in _COUNTED.findall(text))

    def __str__(self) -> str:
        return "; ".join(part for part in (self.message, self.remedy) if part)

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are pickled by their positional arguments, which do not include the fields.
        return partial(type(self), self.case, code=self.code, advice=self.advice, **self.fields), ()
