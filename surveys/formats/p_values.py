"""Write p-values with their tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from privacy.p_values import PValue, TestName
from surveys.formats.joints import join_sentences
from surveys.formats.numbers import below_one, number

TEST_WORDS: Final[Mapping[TestName, str | Promise]] = {
    "no difference": gettext_lazy("two-sided test of no difference, by empirical likelihood"),
    "lift above 1": gettext_lazy("one-sided test that the lift is above 1, by empirical likelihood"),
    "groups alike": gettext_lazy("test that all groups have the same answers, by Pillai’s trace and F"),
    "drawn shares": gettext_lazy("Pearson’s test that the group sizes agree with the design"),
    "response rates": gettext_lazy("Pearson’s test that all groups have the same response rate"),
    "two groups alike": gettext_lazy(
        "two-sided test that both groups have the same share, by normal scores or empirical likelihood"
    ),
    "drawn questions": gettext_lazy("chi-square test that each question was asked as often as expected"),
    "skips": gettext_lazy("chi-square test that skips do not depend on the questions asked"),
    "three answers": gettext_lazy(
        "two-sided normal test that three answers go together only as their pairs do"
    ),
    "earlier version": gettext_lazy("computed by an earlier version, which did not store n: analyse again"),
}
"""Tests whose p-values pages print."""


def p_text(p_value: PValue) -> str:
    """Format a p-value; below .0001, only say so.

    Examples
    --------
    >>> from privacy.printed import CHECKED
    >>> def written(value, estimable=True):
    ...     return p_text(PValue(value=value, test="skips", n=300, estimable=estimable, adjustment="none",
    ...                          family=1, origin=CHECKED))
    >>> written(0.01234), written(1e-9), written(0.4, False)
    ('.0123', '< .0001', 'too few answers to say')
    """
    value = p_value.printed
    if p_value.basis == "too few":
        return _("too few answers to say")
    return f"< {below_one('0.0001')}" if value < 0.0001 else number(value, 4)


def about_p_values(p_values: Iterable[PValue] | PValue) -> str:
    """Return how p-values were made, a sentence for each test.

    Examples
    --------
    >>> from privacy.printed import CHECKED
    >>> tests = [PValue(value=.01, test="skips", n=n, estimable=True, adjustment="Holm", family=3,
    ...                 origin=CHECKED) for n in (200, 1300)]
    >>> about_p_values(tests)
    'p: chi-square test that skips do not depend on the questions asked; n = 200 to 1,300; adjusted for 3 \
tests (Holm).'
    """
    rows: dict[tuple[TestName, str, int], list[int]] = {}
    for own in [p_values] if isinstance(p_values, PValue) else p_values:
        rows.setdefault((own.test, own.adjustment, own.family), []).append(own.n)
    return join_sentences(_sentence(*made, rows=of_test) for made, of_test in rows.items())


def _sentence(test: TestName, adjustment: str, family: int, *, rows: list[int]) -> str:
    words = {
        "test": TEST_WORDS[test],
        "n": _range(min(rows), max(rows)),
        "count": f"{family:,}",
        "adjustment": adjustment,
    }
    if adjustment == "none":
        return _("p: %(test)s; n = %(n)s; not adjusted.") % words
    text = ngettext(
        "p: %(test)s; n = %(n)s; adjusted for %(count)s test (%(adjustment)s).",
        "p: %(test)s; n = %(n)s; adjusted for %(count)s tests (%(adjustment)s).",
        family,
    )
    return text % words


def _range(least: int, largest: int) -> str:
    ends = {"low": f"{least:,}", "high": f"{largest:,}"}
    return ends["low"] if least == largest else _("%(low)s to %(high)s") % ends
