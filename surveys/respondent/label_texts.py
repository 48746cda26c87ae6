"""The sentences of the label, for respondents and for those who build: defined in one place, said everywhere.

The first line is about all that is sent, whatever the answers have to do with each other. Those of a part
name what they assume: if K of 100 have the answers, N of 100 who send them do; M of 100 is what an even
chance becomes.
"""

from __future__ import annotations

from django.utils.translation import gettext as _


def label_texts(
    *, has_open: bool = True, has_groups: bool = True, sends_undisguised: bool = True
) -> dict[str, str]:
    """Return the sentences by key, translated.

    Parameters
    ----------
    has_open, has_groups : bool
        Whether answers are sent as they are, and whether the way of answering is: the bound holds for whoever
        knows both.
    sends_undisguised : bool
        Whether one of the two ways disguises nothing: it has no bound.

    Notes
    -----
    What follows ``odds_posterior`` and ``odds_even``: nothing for a row that is shown; "_worst" for the most
    telling one, not shown; "_skip" where the row is a skip.
    """
    return {
        "odds_whole": _supposed(has_open=has_open, has_groups=has_groups),
        "odds_whole_most": _("What is sent could make them at most {m} % sure. They could not prove it."),
        "odds_whole_rare": _("What is sent could make them nearly sure: wrong once in {n} times."),
        "odds_whole_any": _("This holds even if one of your answers gives away another."),
        "odds_whole_apart": _("This leaves out the map."),
        "odds_alone": _("The figures of a part leave out what the other parts tell."),
        "odds_posterior_lead": _("To a stranger:"),
        "odds_posterior": _("If {k} of 100 people have these answers, {n} of 100 who send them really do."),
        "odds_posterior_worst": _(
            "If {k} of 100 people have the answers that tell the most, {n} of 100 who send them really do."
        ),
        "odds_posterior_skip": _(
            "If people skip as often as chance does, {n} of 100 for whom “skipped” is sent did skip."
        ),
        "odds_expected": _("If all people answer this part alike, it tells nothing about you."),
        "odds_even_lead": _("To someone who suspects you:"),
        "odds_even": _(
            "Suppose someone thinks it 50:50 that these are your answers. This part alone could make them"
            " {m} % sure."
        ),
        "odds_even_skip": _(
            "Suppose someone thinks it 50:50 that you skipped. This part alone could make them {m} % sure."
        ),
        "odds_skipped": _("That you skipped: {m} % sure."),
        **(
            {"odds_direct": _("Answers that are sent directly have no such limit.")}
            if has_groups and sends_undisguised
            else {}
        ),
        "odds_none": _("fewer than 1"),
        "odds_all": _("more than 99"),
    }


def _supposed(*, has_open: bool, has_groups: bool) -> str:
    if has_open and has_groups:
        return _(
            "Suppose someone knows which way you answer, and what you sent as it is. They suspect you of "
            "something, 50:50."
        )
    if has_groups:
        return _("Suppose someone knows which way you answer. They suspect you of something, 50:50.")
    if has_open:
        return _("Suppose someone knows what you sent as it is and suspects you, 50:50.")
    return _("Suppose someone suspects you of something, 50:50.")
