"""The sentences of the label, for respondents and for those who build: defined in one place, said everywhere.

N of 100 is the answer posterior at the researcher's stated shares; M of 100 is what an even chance becomes.
"""

from __future__ import annotations

from django.utils.translation import gettext as _


def label_texts() -> dict[str, str]:
    """Return the sentences by key, translated.

    What follows ``odds_posterior`` and ``odds_even`` is the moment: nothing after the seal, for the row that
    was sent; "_listed" for a row that is shown before; "_worst" for the most telling one, not shown; with
    "_skip" where the row is a skip.
    """
    sent = _("Of 100 people who send exactly this, {n} really have these answers.")
    skipped = _(
        "Of 100 people for whom “skipped” is sent, {n} did skip, if people skip as often as chance does."
    )
    before = _(
        "Someone who held it for an even chance that these are your answers would then say {m} of 100."
    )
    return {
        "odds_posterior_lead": _("To a stranger:"),
        "odds_posterior": sent,
        "odds_posterior_listed": sent,
        "odds_posterior_worst": _("Of 100 people who send the most telling answers, {n} really have them."),
        "odds_posterior_skip": skipped,
        "odds_posterior_skip_listed": skipped,
        "odds_expected": _("Everyone is expected to answer this part alike, so it tells nothing of you."),
        "odds_even_lead": _("To someone who suspects you:"),
        "odds_even": _(
            "Someone who held it for an even chance that these are your answers would now say {m} of 100."
        ),
        "odds_even_listed": before,
        "odds_even_worst": before,
        "odds_even_skip": _(
            "Someone who held it for an even chance that you skipped would now say {m} of 100."
        ),
        "odds_even_skip_listed": _(
            "Someone who held it for an even chance that you skipped would then say {m} of 100."
        ),
        "odds_none": _("fewer than 1"),
        "odds_all": _("more than 99"),
    }
