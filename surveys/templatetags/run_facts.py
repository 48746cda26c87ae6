"""Facts on a run: who asked for it, what it read and withholds, and how it was signed."""

from __future__ import annotations

from django import template

from surveys.report.sentences.ledger_words import disclosed_sentences, ledger_note
from surveys.runs import look_words
from surveys.runs.draw_facts import draw_facts
from surveys.runs.itemset_question import itemset_question
from surveys.runs.look import Look, look_of
from surveys.runs.opening_figures import is_of_earlier_version
from surveys.runs.run_words import direct_share, duration_text, requester, sides_text
from surveys.runs.safeguards import safeguards_of
from surveys.runs.shown_of_run import is_outdated
from surveys.runs.signature import signing_key
from surveys.runs.withheld import is_withheld_whole

register = template.Library()

register.filter("look_of", look_of)
register.filter("look_note", look_words.look_note)
register.filter("is_of_earlier_version", is_of_earlier_version)
register.filter("ledger_note", ledger_note)
register.filter("disclosed_sentences", disclosed_sentences)
register.simple_tag(signing_key)


@register.simple_tag(takes_context=True)
def look_text(context: template.Context, look: Look | None) -> str:
    """Return what a page says about its run's look; nothing if the run reports nothing."""
    return look_words.look_text(look, shared=bool(context.get("shared")))


for formatter_of in (
    direct_share,
    draw_facts,
    duration_text,
    is_outdated,
    requester,
    safeguards_of,
    sides_text,
    is_withheld_whole,
    itemset_question,
):
    register.filter(formatter_of.__name__, formatter_of)
