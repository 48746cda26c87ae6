"""How composite questions of one part belong together: shared filters, placebo indices and halves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _

from privacy.survey.composed_block import partners, shared_filters
from privacy.survey.design import Design
from surveys.formats.joints import list_text


def relation_sentences(design: Design, text_of: Callable[[str], str]) -> dict[str, tuple[str, ...]]:
    """Return sentences on the relations of each composite question to others of its part, by its key.

    Parameters
    ----------
    design : Design
    text_of : callable
        Returns the text of a question or component, given its key.
    """
    found: dict[str, list[str]] = {}
    for key, sentence in _sentences(design, text_of):
        found.setdefault(key, []).append(sentence)
    return {key: tuple(sentences) for key, sentences in found.items()}


def _sentences(design: Design, text_of: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    for block in design.blocks:
        keys = [question.key for question in block.questions]
        for component, positions in shared_filters(block).items():
            for position in positions:
                others = [text_of(keys[other]) for other in positions if other != position]
                yield (
                    keys[position],
                    _(
                        "The question “%(component)s” is asked once, but also affects %(others)s. "
                        "So this rule causes part of any link between these answers."
                    )
                    % {"component": text_of(component), "others": list_text(f"“{each}”" for each in others)},
                )
        for placebo, index in partners(block, "placebo_of").items():
            yield (
                keys[placebo],
                _(
                    "It is the placebo index of “%(index)s”: it counts harmless acts that hardly anyone has "
                    "done, and so careless answers."
                )
                % {"index": text_of(keys[index])},
            )
            yield (
                keys[index],
                _("“%(placebo)s” is its placebo index.") % {"placebo": text_of(keys[placebo])},
            )
        for second, first in partners(block, "other_half").items():
            for half, other in ((first, second), (second, first)):
                yield (
                    keys[half],
                    _("It is one half of an instrument, and “%(other)s” is the other half.")
                    % {"other": text_of(keys[other])},
                )
