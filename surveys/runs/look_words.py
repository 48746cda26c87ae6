"""Words that describe a look in file names, titles, pages, mails and papers."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.errors.error import in_sentences
from surveys.formats.shown_counts import shown_count
from surveys.models import Run
from surveys.runs.look import Look, look_of


def file_mark(run: Run) -> str:
    """Return "-interim" or "-chapter-2" for the file names of a run; some formats have no place for notes."""
    mark = title_mark(run).rstrip(". ").lower().replace(" ", "-")
    return f"-{mark}" if mark else ""


def title_mark(run: Run) -> str:
    """Return "Interim. " or "Chapter 2. " for English titles; empty for a final run of everything."""
    look = look_of(run)
    if look is not None and look.chapter is not None:
        return f"Chapter {look.chapter.number}. "
    return "Interim. " if look is not None and not look.is_final else ""


def look_text(look: Look | None, *, shared: bool = False) -> str:
    """Return what a page or a file says about a look; nothing for a final run of all answers to one design.

    Parameters
    ----------
    look : Look or None
        None for a run that reports nothing.
    shared : bool
        Whether readers have no account: no count of arrivals while the survey accepts answers.
    """
    if look is None:
        return ""
    hides_counts = shared and look.accepts
    sentences = []
    if look.chapter is not None:
        sentences.append(_chapter_sentence(look))
        if look.beyond and hides_counts:
            sentences.append(_("Answers in other chapters are not in this analysis."))
        elif look.beyond:
            words = ngettext(
                "%(count)s answer in another chapter is not in this analysis.",
                "%(count)s answers in other chapters are not in this analysis.",
                look.beyond,
            )
            sentences.append(words % {"count": shown_count(look.beyond, rounded=look.is_rounded)})
    if not look.is_final:
        sentences.append(_interim_sentence(look))
        if look.since and not hides_counts:
            sentences.append(_since_sentence(look))
        if look.accepts:
            sentences.append(_("The survey still accepts answers."))
    if look.elsewhere and hides_counts:
        sentences.append(_("Answers to other versions of the questionnaire are not in this analysis."))
    elif look.elsewhere:
        words = ngettext(
            "%(count)s answer to another version of the questionnaire is not in this analysis.",
            "%(count)s answers to other versions of the questionnaire are not in this analysis.",
            look.elsewhere,
        )
        sentences.append(words % {"count": shown_count(look.elsewhere, rounded=look.is_rounded)})
    return in_sentences(*sentences)


def newest_results_text(look: Look) -> str:
    """Return what a survey's page says about its newest results, unless they are final ones of everything."""
    if look.chapter is not None:
        words = _("The newest results are those of %(chapter)s.")
        return words % {"chapter": look.chapter_words}
    words = ngettext(
        "The newest results are from an interim look, with %(n)s answer.",
        "The newest results are from an interim look, with %(n)s answers.",
        look.n,
    )
    since = _since_sentence(look) if look.since else ""
    return in_sentences(words % {"n": shown_count(look.n)}, since)


def _interim_sentence(look: Look) -> str:
    words = ngettext(
        "This is interim look %(number)s (%(day)s), with %(n)s answer.",
        "This is interim look %(number)s (%(day)s), with %(n)s answers.",
        look.n,
    )
    return words % {"number": look.number, "day": look.day.isoformat(), "n": shown_count(look.n)}


def _since_sentence(look: Look) -> str:
    words = ngettext("%(since)s more has arrived since.", "%(since)s more have arrived since.", look.since)
    return words % {"since": shown_count(look.since, rounded=look.is_rounded)}


def _chapter_sentence(look: Look) -> str:
    words = ngettext(
        "This is the final analysis of %(chapter)s, with %(n)s answer.",
        "This is the final analysis of %(chapter)s, with %(n)s answers.",
        look.n,
    )
    return words % {"chapter": look.chapter_words, "n": shown_count(look.n)}


def look_note(look: Look | None) -> str:
    """Return one sentence on an interim look or a chapter, without counts of arrivals; otherwise empty."""
    if look is not None and look.chapter is not None:
        return _chapter_sentence(look)
    if look is None or look.is_final:
        return ""
    accepts = _("The survey still accepts answers.") if look.accepts else ""
    return in_sentences(_interim_sentence(look), accepts)


def look_finding(look: Look | None) -> list[str]:
    """Return the first sentence of results in a paper; nothing for a final run of all answers."""
    if look is not None and look.chapter is not None:
        words = _("These figures are those of %(chapter)s, with %(n)s answers.")
        return [words % {"chapter": look.chapter_words, "n": shown_count(look.n)}]
    if look is None or look.is_final:
        return []
    words = ngettext(
        "These figures are from an interim look, with %(n)s answer.",
        "These figures are from an interim look, with %(n)s answers.",
        look.n,
    )
    return [words % {"n": shown_count(look.n)}]


def looks_sentence(look: Look | None) -> str:
    """Return how many different sets of rows were analysed and which one a run reports; empty if only one."""
    if look is None or look.looks == 1:
        return ""
    return _("This is look %(number)s of %(looks)s at the answers.") % {
        "number": look.number,
        "looks": look.looks,
    }


def paper_sentences(look: Look | None) -> list[str]:
    """Return how many people responded, at which look, and how many looks there were, for a paper."""
    if look is None:
        return []
    counts = {
        "n": shown_count(look.n),
        "since": shown_count(look.since, rounded=look.is_rounded),
        "elsewhere": shown_count(look.elsewhere, rounded=look.is_rounded),
        "number": look.number,
        "looks": look.looks,
        "day": look.day.isoformat(),
        "chapter": look.chapter_words,
        "beyond": shown_count(look.beyond, rounded=look.is_rounded),
    }
    return [sentence % counts for sentence in _paper_templates(look)]


def _paper_templates(look: Look) -> list[str]:
    if look.chapter is not None:
        sentences = _chapter_templates(look)
    elif look.is_final and look.elsewhere:
        sentences = [_("In total, %(n)s people responded to this version of the questionnaire.")]
    elif look.is_final:
        sentences = [_("In total, %(n)s people responded.")]
    else:
        sentences = [
            _(
                "The figures are those of an interim look at the answers (look %(number)s of %(looks)s, on "
                "%(day)s): %(n)s people had responded."
            )
        ]
        if look.since:
            sentences.append(_("Since then, %(since)s more have responded and are not in these figures."))
        if look.accepts:
            sentences.append(_("The survey still accepted answers when this text was written."))
    if look.is_final and look.looks > 1 and look.chapter is None:
        sentences.append(
            _(
                "We looked at the answers %(looks)s times. The figures are those of look %(number)s, which "
                "includes all answers. The others were interim."
            )
        )
    if look.elsewhere:
        sentences.append(
            _(
                "A further %(elsewhere)s responded to other versions of the questionnaire, which are not in "
                "this analysis."
            )
        )
    return sentences


def _chapter_templates(look: Look) -> list[str]:
    sentences = [
        _(
            "The survey was cut into chapters at times that were stated in advance. The figures are those of "
            "%(chapter)s: %(n)s people responded in it."
        )
    ]
    if look.beyond:
        sentences.append(_("Another %(beyond)s responded in other chapters and are not in these figures."))
    if look.accepts:
        sentences.append(_("The survey still accepted answers when this text was written."))
    if look.looks > 1:
        sentences.append(
            _(
                "We looked at these answers %(looks)s times, alone or with those of other chapters. The "
                "figures are those of look %(number)s."
            )
        )
    return sentences
