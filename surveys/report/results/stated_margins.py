"""Shares in the population: read from CSV or an address, and write them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _

from privacy.estimation.margins import Margin, margin_of
from privacy.survey.design import Design
from surveys.errors.error import SurveyError

Shares = dict[str, dict[str, float]]
"""Population shares by question and option."""

MOST_MARGIN_BYTES: Final = 64_000
HEADER: Final = ("question", "option", "share")


def margins_read(text: str) -> Shares:
    """Read margins from CSV text.

    Raises
    ------
    SurveyError
        ``margins_file``: names the line, its content, and what to write instead.

    Examples
    --------
    >>> margins_read("question,option,share\\nage,young,40 %\\nage,old,0.6")
    {'age': {'young': 0.4, 'old': 0.6}}
    """
    if len(text.encode("utf-8", "replace")) > MOST_MARGIN_BYTES:
        raise SurveyError("margins_file.too_large", len(text), most=MOST_MARGIN_BYTES)
    content = text.strip().removeprefix("\ufeff")
    shares = _from_csv(content)
    if not shares:
        raise SurveyError("margins_file.empty", "")
    return shares


def margins_address(shares: Mapping[str, Mapping[str, float]]) -> str:
    """Format margins for an address; the inverse of `margins_from_address`.

    >>> margins_address({"age": {"young": .4, "old": .6}, "parent": {"yes": .5, "no": .5}})
    'age:young=0.4,old=0.6;parent:yes=0.5,no=0.5'
    """
    return ";".join(
        f"{question}:" + ",".join(f"{option}={share!r}" for option, share in options.items())
        for question, options in shares.items()
    )


def margins_from_address(text: str) -> Shares:
    """Parse margins from an address; the inverse of `margins_address`."""
    shares: Shares = {}
    for part in text.split(";"):
        question, _colon, options = part.partition(":")
        for entry in options.split(","):
            option, _equals, share = entry.partition("=")
            _add(shares, question, option, share, where=shorten(entry))
    return shares


def margins_text(shares: Mapping[str, Mapping[str, float]]) -> str:
    """Format margins as the CSV text that the form shows."""
    lines = [
        f"{question},{option},{share:.6g}"
        for question, some in shares.items()
        for option, share in some.items()
    ]
    return "\n".join([",".join(HEADER), *lines])


def margins_of(shares: Shares, design: Design) -> tuple[Margin, ...]:
    """Return the margins for a design; refuse unknown questions and shares that do not add up."""
    return tuple(margin_of(question, options, design) for question, options in shares.items())


def shorten(text: str) -> str:
    """Shorten a typed text to 60 characters."""
    return text if len(text) <= 60 else text[:59] + "…"


def _from_csv(text: str) -> Shares:
    rows = list(csv.reader(io.StringIO(text), skipinitialspace=True))
    shares: Shares = {}
    for number, row in enumerate(rows, start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and tuple(cell.lower() for cell in cells) == HEADER):
            continue
        if len(cells) != len(HEADER):
            cut = shorten(",".join(cells))
            raise SurveyError("margins_file.cells", cut, number=number, line=cut, count=len(cells))
        _add(shares, *cells, where=_("line %(number)s") % {"number": number})
    return shares


def _add(shares: Shares, question: str, option: str, share: str, *, where: str) -> None:
    options = shares.setdefault(question, {})
    if option in options:
        raise SurveyError(
            "margins_file.twice", where=where, question=shorten(question), option=shorten(option)
        )
    options[option] = _number(share, where)


def _number(share: str, where: str) -> float:
    text = share.strip()
    try:
        return float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text)
    except ValueError as error:
        cut = shorten(share)
        raise SurveyError("margins_file.share", cut, where=where, share=cut) from error
