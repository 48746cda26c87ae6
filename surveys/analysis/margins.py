"""Population margins as staff give them: typed, as CSV or JSON, and short enough for an address."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.estimation.margins import Margin, margin_of
from privacy.survey.design import Design

Shares = dict[str, dict[str, float]]
"""Population shares by question and option."""

MOST_BYTES: Final = 64_000
HEADER: Final = ("question", "option", "share")


class MarginsError(PrivacyError):
    """What was given holds no margins."""


def margins_read(text: str) -> Shares:
    """Read margins from JSON or CSV.

    Raises
    ------
    MarginsError
        ``margins_file``: with the line or member, what is there, and what to write.

    Examples
    --------
    >>> margins_read("question,option,share\\nage,young,40 %\\nage,old,0.6")
    {'age': {'young': 0.4, 'old': 0.6}}
    >>> margins_read('{"age": {"young": 0.4, "old": 0.6}}')
    {'age': {'young': 0.4, 'old': 0.6}}
    """
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise _refusal(
            _("the margins have more than %(most)s bytes") % {"most": MOST_BYTES},
            len(text),
            _("give one line per option"),
        )
    stripped = text.strip().removeprefix("\ufeff")
    shares = _from_json(stripped) if stripped.startswith("{") else _from_csv(stripped)
    if not shares:
        raise _refusal(_("there is no margin"), "", _("write lines such as age,young,0.4"))
    return shares


def margins_address(shares: Mapping[str, Mapping[str, float]]) -> str:
    """Write margins so that they fit into an address; `margins_from_address` reads them.

    >>> margins_address({"age": {"young": .4, "old": .6}, "parent": {"yes": .5, "no": .5}})
    'age:young=0.4,old=0.6;parent:yes=0.5,no=0.5'
    """
    return ";".join(
        f"{question}:" + ",".join(f"{option}={share!r}" for option, share in options.items())
        for question, options in shares.items()
    )


def margins_from_address(text: str) -> Shares:
    """Read what `margins_address` wrote."""
    shares: Shares = {}
    for part in text.split(";"):
        question, _colon, options = part.partition(":")
        for one in options.split(","):
            option, _equals, share = one.partition("=")
            _add(shares, question, option, share, where=shorten(one))
    return shares


def margins_text(shares: Mapping[str, Mapping[str, float]]) -> str:
    """Write margins as the CSV that the form shows."""
    lines = [
        f"{question},{option},{share:.6g}"
        for question, some in shares.items()
        for option, share in some.items()
    ]
    return "\n".join([",".join(HEADER), *lines])


def margins_of(shares: Shares, design: Design) -> tuple[Margin, ...]:
    """Return the margins for a design; refuse what it does not ask or what does not add up."""
    return tuple(margin_of(question, options, design) for question, options in shares.items())


def shorten(text: str, most: int = 60) -> str:
    """Return at most so many characters of what somebody typed."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _from_csv(text: str) -> Shares:
    rows = list(csv.reader(io.StringIO(text), skipinitialspace=True))
    shares: Shares = {}
    for number, row in enumerate(rows, start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and tuple(cell.lower() for cell in cells) == HEADER):
            continue
        if len(cells) != len(HEADER):
            raise _refusal(
                _("line %(number)s, “%(line)s”, has %(count)s cells")
                % {"number": number, "line": shorten(",".join(cells)), "count": len(cells)},
                shorten(",".join(cells)),
                _("write question, option and share: age,young,0.4"),
            )
        _add(shares, *cells, where=_("line %(number)s") % {"number": number})
    return shares


def _from_json(text: str) -> Shares:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refusal(
            _("this is no JSON: %(error)s") % {"error": shorten(str(error))},
            shorten(text),
            _('write {"age": {"young": 0.4, "old": 0.6}}'),
        ) from error
    shares: Shares = {}
    for question, options in document.items():
        if not isinstance(options, dict):
            raise _refusal(
                _("the shares of %(question)s are no object") % {"question": shorten(question)},
                shorten(repr(options)),
                _('write {"age": {"young": 0.4, "old": 0.6}}'),
            )
        for option, share in options.items():
            _add(shares, question, option, share, where=shorten(question))
    return shares


def _add(shares: Shares, question: str, option: str, share: object, *, where: str) -> None:
    options = shares.setdefault(question, {})
    if option in options:
        raise _refusal(
            _("%(where)s: %(question)s=%(option)s has two shares")
            % {"where": where, "question": shorten(question), "option": shorten(option)},
            shorten(option),
            _("name each option once"),
        )
    options[option] = _number(share, where)


def _number(share: object, where: str) -> float:
    try:
        if isinstance(share, str):
            text = share.strip()
            return float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text)
        if isinstance(share, int | float) and not isinstance(share, bool):
            return float(share)
    except ValueError:
        pass
    raise _refusal(
        _("%(where)s: “%(share)s” is no share") % {"where": where, "share": shorten(str(share))},
        shorten(str(share)),
        _("write it as 0.4 or as 40 %"),
    )


def _refusal(message: str, value: object, remedy: str) -> MarginsError:
    return MarginsError("margins_file", message, value, remedy)
