"""How composite questions of one part belong together: shared filters, placebo indices and halves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.planning.filter_choice import filter_choices
from privacy.survey.composed_block import partners, shared_filters
from privacy.survey.design import Design
from surveys.formats.figures import count_text
from surveys.formats.joints import list_text
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.languages import text_in


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
                        "The question “%(component)s” was asked once and also decides about %(others)s. "
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


def filter_choice_sentences(design: Design, aim: Aim, wording: Mapping[str, Any]) -> list[str]:
    """Say whether follow-ups of one filter are more precise as several answers or as one.

    Parameters
    ----------
    design : Design
    aim : Aim
    wording : mapping
        Of the version or draft.
    """
    texts = {each["key"]: text_in(each["text"]) for block in wording["blocks"] for each in block["questions"]}
    return [
        (
            _(
                "%(questions)s depend on the same question. As %(count)s answers, their shares have margins "
                "of up to ±%(separate)s points; as one answer of all %(combinations)s combinations up to "
                "±%(combined)s. So several answers are more precise."
            )
            if choice.is_separate_narrower
            else _(
                "%(questions)s depend on the same question. As %(count)s answers, their shares have margins "
                "of up to ±%(separate)s points; as one answer of all %(combinations)s combinations up to "
                "±%(combined)s. So one answer is more precise: combine them into one single choice."
            )
        )
        % {
            "questions": list_text(f"“{texts[key] or key}”" for key in choice.questions),
            "count": count_text(len(choice.questions)),
            "separate": f"{100 * choice.separate:.1f}",
            "combined": f"{100 * choice.combined:.1f}",
            "combinations": count_text(choice.combinations),
        }
        for choice in filter_choices(design, aim.within(design))
    ]
