"""What a figure allows to say: clear, too uncertain to say, or nothing this large.

Pages, pictures, the text for a paper and letters state one of these three, so that nobody reads "no link"
from an interval that says little.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from privacy.policy import USEFUL_WIDTH
from privacy.printed import Measured
from surveys.errors.error import in_sentences
from surveys.formats.shown_counts import shown_count


class VerdictKind(StrEnum):
    """The three findings, and the state of a figure that more answers can still change."""

    CLEAR = "clear"
    UNCERTAIN = "uncertain"
    RULED_OUT = "ruled_out"
    INTERIM = "interim"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A finding and its sentence.

    Parameters
    ----------
    kind : VerdictKind
    sentence : str
    """

    kind: VerdictKind
    sentence: str

    @property
    def name(self) -> str:
        """The finding in a few words."""
        return {
            VerdictKind.CLEAR: pgettext("a finding", "Clear"),
            VerdictKind.UNCERTAIN: _("Too uncertain to say"),
            VerdictKind.RULED_OUT: _("Nothing this large"),
            VerdictKind.INTERIM: _("An interim look"),
        }[self.kind]

    def at_look(self, *, is_interim: bool, figure: str = "") -> Finding:
        """Return what the figure allows to say at a look.

        Someone who looks again and again sees a difference at some time, even if there is none. So an
        interim look has no finding, except that a figure is too uncertain.

        Parameters
        ----------
        is_interim : bool
            Whether more answers can arrive.
        figure : str
            A sentence with the figure, if no other one states it.
        """
        if not is_interim or self.kind == VerdictKind.UNCERTAIN:
            return self
        return Finding(kind=VerdictKind.INTERIM, sentence=in_sentences(figure, interim_words()))


def more_people(n: int, width: float, widest: float) -> int:
    """Return how many more people narrow an interval of this width to the widest that is useful.

    Parameters
    ----------
    n : int
        People who were asked.
    width : float
        Width of their interval. It shrinks with the root of the number of people.
    widest : float

    Examples
    --------
    Half the width needs four times as many people:

    >>> more_people(100, 0.4, 0.2), more_people(100, 0.1, 0.2)
    (300, 0)
    """
    return max(0, math.ceil(n * (width / widest) ** 2 - 1e-9) - n)


def share_finding(share: Measured) -> Finding:
    """Return what a share of people allows to say.

    Parameters
    ----------
    share : Measured
        Estimable. Its shift says how far forged answers could have moved it.

    Notes
    -----
    It is clear if its interval is at most twice `USEFUL_WIDTH` wide and excludes 0, however these rows moved
    it; a larger share is ruled out if the interval begins at 0 and ends below that width.
    """
    widest, shift = 2 * USEFUL_WIDTH, math.inf if share.shift is None else share.shift
    if share.low > 0 and share.low - shift <= 0:
        return Finding(kind=VerdictKind.UNCERTAIN, sentence=forged_words())
    if share.low <= 0 and share.high + shift <= widest:
        words = {"most": str(math.ceil(100 * (share.high + shift) - 1e-9))}
        return Finding(
            kind=VerdictKind.RULED_OUT,
            sentence=_("A share of more than %(most)s of 100 is ruled out.") % words,
        )
    if share.low > 0 and share.high - share.low <= widest:
        return Finding(kind=VerdictKind.CLEAR, sentence="")
    more = more_people(share.n, share.high - share.low, widest)
    points = _("%(points)s points") % {"points": f"{100 * USEFUL_WIDTH:g}"}
    return Finding(kind=VerdictKind.UNCERTAIN, sentence=_enough(more, points) if more else forged_words())


def mean_finding(n: int, width: float, *, within: str, is_explained: bool = False) -> Finding:
    """Return what a mean allows to say.

    Parameters
    ----------
    n : int
        People who answered.
    width : float
        Width of its interval, as a share of the range of answers; NaN if it has none.
    within : str
        The widest useful half of an interval, in the unit of the answers.
    is_explained : bool
        Whether forged answers could have moved it by more than its interval is wide.
    """
    if is_explained:
        return Finding(kind=VerdictKind.UNCERTAIN, sentence=forged_words())
    if not math.isfinite(width):
        return Finding(
            kind=VerdictKind.UNCERTAIN,
            sentence=_("%(n)s people are too few to say anything about it.") % {"n": shown_count(n)},
        )
    more = more_people(n, width, 2 * USEFUL_WIDTH)
    if not more:
        return Finding(kind=VerdictKind.CLEAR, sentence="")
    return Finding(kind=VerdictKind.UNCERTAIN, sentence=_enough(more, within))


def forged_words() -> str:
    """Say that forged answers could be the reason for a figure."""
    return _("Forged answers could explain it.")


def interim_words() -> str:
    """Say that more answers can change a figure, and when the finding is stated."""
    return _("More answers can still change this. The finding is stated when no more can arrive.")


def _enough(more: int, within: str) -> str:
    return _("About %(people)s more people would be enough to know it within ±%(within)s.") % {
        "people": about_people(more),
        "within": within,
    }


def about_people(count: int) -> str:
    """Round a number of people up to two digits.

    >>> about_people(1_234), about_people(87)
    ('1,300', '87')
    """
    step = 10 ** max(0, len(str(count)) - 2)
    return shown_count(-(-count // step) * step)
