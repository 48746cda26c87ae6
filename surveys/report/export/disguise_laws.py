"""The disguise of each protected block in words, and the values that a number or a place is sent as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from django.utils.translation import gettext as _

from privacy.survey.design import Block, Design, Question
from surveys.formats.numbers import count_text
from surveys.report.export.number_law import NumberLaw
from surveys.report.export.place_law import PlaceLaw
from surveys.report.export.scale_law import ScaleLaw, probability_text

LAWS: Final[Mapping[str, ScaleLaw]] = {
    "number": NumberLaw(),
    "place": PlaceLaw(),
}
"""How the disguise of each kind with a disguise of its own is described."""


def laws_of(design: Design, titles: Mapping[str, str] = MappingProxyType({})) -> Iterator[tuple[str, str]]:
    """Yield the name and the disguise of each protected block, once for each strength.

    The name is the block's key, preceded by its title if `titles` has one.
    """
    for block in design.blocks:
        label = f"“{titles[block.key]}” (`{block.key}`)" if block.key in titles else block.key
        for direct in (False, True) if block.protected and design.has_two_strengths else ():
            if (block_of_strength := block.in_group(direct=direct)) is not None:
                name = _("%(part)s, lightly disguised") if direct else _("%(part)s, strongly disguised")
                yield name % {"part": label}, law_text(block_of_strength)
        if block.protected and not design.has_two_strengths:
            yield label, law_text(block)


def law_text(block: Block) -> str:
    """Describe the disguise of a protected block; `design.json` has all its numbers.

    A number or a place has a disguise of its own; questions with options share the coin of their block.
    """
    if not block.is_scale:
        return _draw_sentence(block) + _answers_sentence(block)
    text = LAWS[block.questions[0].kind].disguise_text(block.disguise)
    if (skipping := block.skipping) is not None:
        always = skipping.skip_probability
        text += " " + _(
            "A skip counts as a separate answer: %(answers)s of the answers and %(skips)s of "
            "the skips were sent as “skipped”. All other skips were sent as a random answer. "
            "The probabilities above apply to everything not sent as “skipped”."
        ) % {"answers": probability_text(always), "skips": probability_text(skipping.truth + always)}
    return text


def _draw_sentence(block: Block) -> str:
    if not block.is_rotating:
        return ""
    return (
        _(
            "before any answer, each device drew %(asked)s of the %(all)s questions, one of "
            "%(sets)s equally likely sets, and sent nothing about the others;"
        )
        % {
            "asked": count_text(block.most_asked),
            "all": count_text(len(block.questions)),
            "sets": count_text(block.n_booklets),
        }
        + " "
    )


def _answers_sentence(block: Block) -> str:
    truth = block.truth_probability
    if block.refusal is None:
        return _(
            "%(truth)s times in 100, the device sends the true answers of this part. Otherwise "
            "it sends random answers."
        ) % {"truth": f"{truth / 100:g}"}
    return _(
        "%(truth)s times in 100, the device sends the true answers of this part. Otherwise it "
        "sends random answers, of which %(skipped)s in 100 are “skipped”."
    ) % {"truth": f"{truth / 100:g}", "skipped": f"{block.refusal / 100:g}"}


def sent_text(question: Question) -> str:
    """Describe the values in the column of a number or place question."""
    law = LAWS.get(question.kind)
    return _("the number that was sent") if law is None else law.sent_text(question.disguise)
