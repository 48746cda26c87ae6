"""A ranking in words: which thing stands where on average, which is put first, which before which."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.estimation.always_valid import always_valid_half_width
from privacy.estimation.measures import Measured
from privacy.estimation.rankings import RankingEstimate
from surveys.analysis.rankings import ranking_of_run
from surveys.charts.share_bar import share_bar
from surveys.errors.core_refusals import sentences
from surveys.models import Run
from surveys.report.frequencies import per_hundred

__all__ = ["RankedOrder", "RankedPair", "RankedThing", "RankingResult", "ranking_result"]


@dataclass(frozen=True, kw_only=True)
class RankedThing:
    """A thing with its figures, ready to print.

    Attributes
    ----------
    name : str
    place, first : str
        "1.6 on average (1.4–1.8)", its mean place; "first for 42 % (35–50 %)".
    place_always, first_always : str
        The ranges that hold however often one looks; empty of a closed survey.
    picture : SafeString or None
        Of the share that put it first.
    """

    name: str
    place: str
    first: str
    place_always: str = ""
    first_always: str = ""
    picture: SafeString | None = None


@dataclass(frozen=True, kw_only=True)
class RankedPair:
    """Two things, the one that more people put first before the other, and the share who did."""

    before: str
    after: str
    said: str
    picture: SafeString | None = None


@dataclass(frozen=True, kw_only=True)
class RankedOrder:
    """A whole order, and the share who put things so."""

    order: str
    said: str
    picture: SafeString


@dataclass(frozen=True, kw_only=True)
class RankingResult:
    """A ranking in words.

    Attributes
    ----------
    things : tuple of RankedThing
        By their mean places.
    pairs : tuple of RankedPair
        The clearest first.
    orders : tuple of RankedOrder
    is_certain : bool
        Whether no two neighbours have mean places whose intervals meet.
    refused : str
        Why there are no figures; else empty.
    """

    things: tuple[RankedThing, ...] = ()
    pairs: tuple[RankedPair, ...] = ()
    orders: tuple[RankedOrder, ...] = ()
    is_certain: bool = True
    refused: str = ""


def ranking_result(
    run: Run, question: int, names: Sequence[str], listed: Sequence[str], *, grows: bool
) -> RankingResult:
    """Return a ranking of a run in words, or why it has none.

    Parameters
    ----------
    run : Run
    question : int
        Number of the ranking in the design.
    names : sequence of str
        Of its things.
    listed : sequence of str
        Its orders in words, those of the design.
    grows : bool
        Whether answers still come in, so that somebody may look again.
    """
    try:
        found = ranking_of_run(run, question)
    except PrivacyError as refusal:
        return RankingResult(refused=sentences(refusal))
    order = sorted(range(len(names)), key=lambda thing: found.mean_ranks[thing].value)
    means = [found.mean_ranks[thing] for thing in order]
    return RankingResult(
        things=tuple(_thing(found, thing, names[thing], grows=grows) for thing in order),
        pairs=tuple(_pairs(found, names)),
        orders=tuple(_order(order, share) for order, share in zip(listed, found.shares, strict=True)),
        is_certain=all(one.high < other.low for one, other in itertools.pairwise(means)),
    )


def _thing(found: RankingEstimate, thing: int, name: str, *, grows: bool) -> RankedThing:
    mean, first = found.mean_ranks[thing], found.first[thing]
    said = _share(first)
    return RankedThing(
        name=name,
        place=_place(mean.value, mean.low, mean.high),
        first=_("first for %(share)s") % {"share": said},
        place_always=_place_ends(*_always(mean, found.n, 1, len(found.first))) if grows else "",
        first_always=_share_ends(first, *_always(first, found.n, 0, 1)) if grows else "",
        picture=share_bar(
            first.value,
            first.low,
            first.high,
            said=_("%(thing)s is put first by %(share)s") % {"thing": name, "share": said},
        ),
    )


def _order(order: str, share: Measured) -> RankedOrder:
    said = _share(share)
    described = _("%(order)s: %(share)s") % {"order": order, "share": said}
    picture = share_bar(share.value, share.low, share.high, said=described)
    return RankedOrder(order=order, said=said, picture=picture)


def _pairs(found: RankingEstimate, names: Sequence[str]) -> list[RankedPair]:
    pairs = []
    for one, other in itertools.permutations(range(len(names)), 2):
        share = found.before[one][other]
        # Of the two ways round the one that more people chose; of a tie the first.
        if share is None or share.value < 0.5 or (share.value == 0.5 and one > other):
            continue
        said = _share(share)
        described = _("%(before)s before %(after)s: %(share)s")
        words = {"before": names[one], "after": names[other], "share": said}
        picture = share_bar(share.value, share.low, share.high, said=described % words, compared=0.5)
        pairs.append(
            (share.value, RankedPair(before=names[one], after=names[other], said=said, picture=picture))
        )
    return [pair for _value, pair in sorted(pairs, key=lambda entry: -entry[0])]


def _always(figure: Measured, n: int, least: float, most: float) -> tuple[float, float]:
    reach = always_valid_half_width(figure.standard_error or 0.0, n)
    return max(figure.value - reach, least), min(figure.value + reach, most)


def _place(value: float, low: float, high: float) -> str:
    return _("%(place)s on average (%(ends)s)") % {"place": f"{value:.1f}", "ends": _place_ends(low, high)}


def _place_ends(low: float, high: float) -> str:
    return f"{low:.1f}–{high:.1f}"


def _share(figure: Measured) -> str:
    if figure.low == figure.high:
        return f"{100 * figure.value:.1f} %"
    return _("%(value)s %% (%(low)s–%(high)s %%)") % per_hundred(figure.value, figure.low, figure.high)


def _share_ends(figure: Measured, low: float, high: float) -> str:
    return _("%(low)s–%(high)s %%") % per_hundred(figure.value, low, high)
