"""The designs that data from elsewhere can have: what each asks for, takes for granted, how it estimates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from privacy import library
from privacy.library import PaperStudy, designs
from privacy.library.response_design import ResponseDesign
from surveys.elsewhere.study_table import Columns
from surveys.errors.error import SurveyError

Chances = Mapping[str, Fraction]
MOST_ITEMS: Final = 20
MOST_DRAWS: Final = 1000
MOST_ROWS: Final = 5_000_000
"""Respondents whose numbers are held one by one, for sums."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What was filled in beside the file.

    Parameters
    ----------
    chances : mapping of str to Fraction
    number : int
        Draws of each respondent, or harmless items of a list.
    table : str
        Forced chances by answer, or a channel: a line each.
    """

    chances: Chances
    number: int = 1
    table: str = ""


@dataclass(frozen=True, kw_only=True)
class Method:
    """One design.

    Parameters
    ----------
    key : str
        Its name for commands and files.
    name, assumption : text
    chances : tuple of (str, text)
        What it asks for, by name.
    roles : tuple of str
        Columns: "answers", then "group" or "anchor".
    number, table : text, optional
        The label of a whole number, of a table of chances.
    run : callable
    """

    key: str
    name: Promise
    assumption: Promise
    run: Callable[[Columns, Settings], PaperStudy]
    chances: tuple[tuple[str, Promise], ...] = ()
    roles: tuple[str, ...] = ("answers",)
    number: Promise | None = None
    table: Promise | None = None


def chance_read(text: str) -> Fraction | None:
    """Read "0.7", "70 %", "1/6" as a chance; None where it is none.

    >>> chance_read("1/6"), chance_read(".25"), chance_read("70 %"), chance_read("7")
    (Fraction(1, 6), Fraction(1, 4), Fraction(7, 10), None)
    """
    written = text.strip().replace(",", ".")
    percent = written.endswith("%")
    if len(written) > 40 or "e" in written.lower():
        return None
    try:
        chance = Fraction(written.removesuffix("%").strip()) / (100 if percent else 1)
    except (ValueError, ZeroDivisionError):
        return None
    return chance if 0 <= chance <= 1 else None


def _one_question(
    design_of: Callable[[Chances], ResponseDesign],
) -> Callable[[Columns, Settings], PaperStudy]:
    def run(columns: Columns, settings: Settings) -> PaperStudy:
        design = design_of(settings.chances)
        yes = sum(count for said, count in zip(columns.yes(0), columns.counts, strict=True) if said)
        return library.design_shares({design.reports[0]: columns.n - yes, design.reports[1]: yes}, design)

    return run


def _samples(columns: Columns) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return "yes" and rows of each of two samples."""
    first, _second = columns.samples(1)
    yes, rows = [0, 0], [0, 0]
    for said, sample, count in zip(columns.yes(0), columns.cells[1], columns.counts, strict=True):
        index = int(sample != first)
        rows[index] += count
        yes[index] += count * said
    return (yes[0], rows[0]), (yes[1], rows[1])


def _two(model: Callable[..., PaperStudy]) -> Callable[[Columns, Settings], PaperStudy]:
    return lambda columns, settings: model(*_samples(columns), **settings.chances)


def _kuk(columns: Columns, settings: Settings) -> PaperStudy:
    drawn = columns.whole(0, settings.number)
    red = sum(cards * count for cards, count in zip(drawn, columns.counts, strict=True))
    return library.repeated_kuk(
        red, columns.n, yes=settings.chances["yes"], no=settings.chances["no"], draws=settings.number
    )


def _anchored(columns: Columns, settings: Settings) -> PaperStudy:
    cells = np.zeros((2, 2), dtype=np.int64)
    for same, anchor, count in zip(columns.yes(0), columns.yes(1), columns.counts, strict=True):
        cells[int(same), int(anchor)] += count
    return library.anchored_crosswise(
        cells.tolist(), p=settings.chances["p"], anchor_p=settings.chances["anchor_p"]
    )


def _list(columns: Columns, settings: Settings) -> PaperStudy:
    groups = [[0] * (settings.number + 1), [0] * (settings.number + 2)]
    counted = columns.whole(0, settings.number + 1)
    for line, items, shown, count in zip(
        columns.numbers, counted, columns.yes(1), columns.counts, strict=True
    ):
        group = groups[int(shown)]
        if items >= len(group):
            raise SurveyError(
                "study_file.whole", name=columns.names[0], row=line, cell=items, most=settings.number
            )
        group[items] += count
    return library.list_experiment(*groups)


def _sum(columns: Columns, _settings: Settings) -> PaperStudy:
    if columns.n > MOST_ROWS:
        raise SurveyError("study_file.rows", count=columns.n, most=MOST_ROWS)
    numbers = np.repeat(columns.numeric(0), columns.counts)
    shown = np.repeat(columns.yes(1), columns.counts)
    return library.item_sum(numbers[~shown].tolist(), numbers[shown].tolist())


def _lines(settings: Settings) -> list[tuple[str, list[Fraction]]]:
    """Read lines of a name and chances: ``never = 1/6``, ``a: .8 .1``."""
    lines = []
    for line in filter(None, (text.strip() for text in settings.table.replace("\r", "").split("\n"))):
        name, sign, rest = line.partition("=" if "=" in line else ":")
        shares = [chance_read(word) for word in rest.replace(",", " ").split()]
        whole = [share for share in shares if share is not None]
        if not sign or not whole or len(whole) != len(shares):
            raise SurveyError("study_file.table", line=line[:60])
        lines.append((name.strip(), whole))
    if len({name for name, _shares in lines}) < max(len(lines), 2):
        raise SurveyError("study_file.table", line=", ".join(name for name, _shares in lines)[:60])
    return lines


def _counts_of(columns: Columns, known: list[str]) -> Counter[str]:
    counts: Counter[str] = Counter(dict.fromkeys(known, 0))
    for number, cell, count in zip(columns.numbers, columns.cells[0], columns.counts, strict=True):
        if cell not in counts:
            raise SurveyError(
                "study_file.unknown",
                name=columns.names[0],
                row=number,
                cell=cell[:40],
                known=", ".join(known)[:200],
            )
        counts[cell] += count
    return counts


def _categories(columns: Columns, settings: Settings) -> PaperStudy:
    forced = {name: shares[0] for name, shares in _lines(settings)}
    counts: dict[Hashable, int] = dict(_counts_of(columns, list(forced)).items())
    chances: dict[Hashable, float | Fraction] = dict(forced.items())
    return library.design_shares(counts, designs.forced_levels(chances))


def _channel(columns: Columns, settings: Settings) -> PaperStudy:
    lines = _lines(settings)
    width = len(lines[0][1])
    for name, shares in lines:
        if len(shares) != width:
            raise SurveyError("study_file.table", line=name)
    counts = _counts_of(columns, [name for name, _shares in lines])
    # A square channel is of the same answers as reports, in their order.
    names = [name for name, _shares in lines] if width == len(lines) else [str(n + 1) for n in range(width)]
    matrix = [[float(share) for share in shares] for _name, shares in lines]
    return library.channel_shares([counts[name] for name, _shares in lines], matrix, names)


_P: Final = ("p", _("Share of “yes” to the harmless question"))
_P1: Final = ("p1", _("Chance in sample 1"))
_P2: Final = ("p2", _("Chance in sample 2"))

METHODS: Final = (
    Method(
        key="warner",
        name=_("Warner: a statement or its opposite"),
        assumption=_("It takes for granted that everybody follows the chance device and tells the truth."),
        chances=(("p", _("Chance of the statement that is asked about")),),
        run=_one_question(lambda given: designs.warner(given["p"])),
    ),
    Method(
        key="forced",
        name=_("Forced response: yes or no"),
        assumption=_("It takes for granted that people say what the die tells them, even a false “yes”."),
        chances=(("yes", _("Chance that “yes” is forced")), ("no", _("Chance that “no” is forced"))),
        run=_one_question(lambda given: designs.forced_response(yes=given["yes"], no=given["no"])),
    ),
    Method(
        key="forced-categories",
        name=_("Forced response: several answers"),
        assumption=_("It takes for granted that people say what the die tells them, even a false answer."),
        table=_("Each answer and how often it is forced"),
        run=_categories,
    ),
    Method(
        key="unrelated",
        name=_("Unrelated question, its share known"),
        assumption=_("It takes for granted that the unrelated question has the share you give."),
        chances=(
            ("p", _("Chance of the sensitive question")),
            ("theta", _("Share of “yes” to the other question")),
        ),
        run=_one_question(lambda given: designs.unrelated_question(given["p"], given["theta"])),
    ),
    Method(
        key="unrelated-unknown",
        name=_("Unrelated question, its share unknown: two samples"),
        assumption=_("It takes for granted that both random samples have the same unrelated share."),
        chances=(_P1, _P2),
        roles=("answers", "group"),
        run=_two(library.unrelated_unknown),
    ),
    Method(
        key="kuk",
        name=_("Kuk: cards from two packs, drawn once or more"),
        assumption=_("It takes for granted that everybody draws from the right pack and reports the colour."),
        chances=(
            ("yes", _("Red cards in the pack of those who have it")),
            ("no", _("Red cards in the pack of the others")),
        ),
        number=_("Cards that each person draws"),
        run=_kuk,
    ),
    Method(
        key="mangat",
        name=_("Mangat: the truth first, then Warner"),
        assumption=_("It takes for granted that everybody who has it says “yes”, unprotected."),
        chances=(("p", _("Chance that the others say what is true")),),
        run=_one_question(lambda given: designs.mangat(given["p"])),
    ),
    Method(
        key="crosswise",
        name=_("Crosswise: are both answers the same?"),
        assumption=_(
            "It takes for granted that everybody reads the question. Who answers at random pulls the share "
            "to half."
        ),
        chances=(_P,),
        run=_one_question(lambda given: designs.crosswise(given["p"])),
    ),
    Method(
        key="crosswise-extended",
        name=_("Extended crosswise: two samples, p and 1 − p"),
        assumption=_("It tests what it takes for granted: that both samples tell of the same share."),
        chances=(("p", _("Share of “yes” to the harmless question in sample 1")),),
        roles=("answers", "group"),
        run=_two(library.extended_crosswise),
    ),
    Method(
        key="crosswise-anchor",
        name=_("Crosswise with an anchor question"),
        assumption=_(
            "It takes for granted that who does not read answers at random, as often here as at the anchor, "
            "and that nobody has what the anchor asks."
        ),
        chances=(_P, ("anchor_p", _("Share of “yes” to the anchor's harmless question"))),
        roles=("answers", "anchor"),
        run=_anchored,
    ),
    Method(
        key="triangular",
        name=_("Triangular: “no” to both, or not"),
        assumption=_("It takes for granted that people report “no to both” only when it is true."),
        chances=(_P,),
        run=_one_question(lambda given: designs.triangular(given["p"])),
    ),
    Method(
        key="cheaters",
        name=_("Cheating detection: two samples"),
        assumption=_(
            "It takes for granted that cheaters always say “no”. What is true of them nobody knows: the "
            "share may be higher by as many."
        ),
        chances=(_P1, _P2),
        roles=("answers", "group"),
        run=_two(library.cheaters),
    ),
    Method(
        key="lie-detector",
        name=_("Stochastic lie detector: two samples"),
        assumption=_(
            "It takes for granted that who does not have it obeys, and that those who have it lie as often "
            "in both samples."
        ),
        chances=(_P1, _P2),
        roles=("answers", "group"),
        run=_two(library.lie_detector),
    ),
    Method(
        key="list",
        name=_("List experiment"),
        assumption=_(
            "It takes for granted that the sensitive item changes nobody's count of the others, which is "
            "tested, and that nobody lies about it."
        ),
        roles=("answers", "group"),
        number=_("Harmless items of the list"),
        run=_list,
    ),
    Method(
        key="item-sum",
        name=_("Item sum: two quantities in one number"),
        assumption=_("It takes for granted that both random groups would report the same harmless quantity."),
        roles=("answers", "group"),
        run=_sum,
    ),
    Method(
        key="channel",
        name=_("Any channel: a table of chances"),
        assumption=_("It takes for granted that the chances of the table are those that people were given."),
        table=_("Each report and its chance by true answer"),
        run=_channel,
    ),
)
BY_KEY: Final = {method.key: method for method in METHODS}
