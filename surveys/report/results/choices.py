"""All outcomes of a run that can be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.estimation.composed_parts import Part, Side
from privacy.scales.decoded_numbers import MEAN
from privacy.scales.window import WindowChannel
from surveys.models import Run
from surveys.questionnaire.labels import Labels, question_names, short_names
from surveys.questionnaire.languages import text_in
from surveys.report.results.choice import RANGE, Choice, ScaleNames, item_choice
from surveys.report.results.place_choices import place_choices


def choices_of(run: Run, labels: Labels) -> list[Choice]:
    """Return all outcomes of a run that can be compared, in the order of its questions."""
    choices: list[Choice] = []
    names, short = question_names(run.version, run.design), short_names(run.version)
    wordings = [question for block in run.version.wording["blocks"] for question in block["questions"]]
    for number, question in enumerate(run.design.questions):
        items = [label for label in labels.items if run.design.items[label.index].question == number]
        if question.is_scale:
            asked = ScaleNames(
                number=number,
                key=question.key,
                text=names[number].text,
                short=short.get(question.key),
                items=items,
                unit=text_in(wordings[number].get("unit") or {}),
            )
            choices += CHOICES[question.kind](asked, question.disguise)
        else:
            choices += [item_choice(label) for label in items]
    return choices


def number_choices(names: ScaleNames, channel: WindowChannel) -> Iterator[Choice]:
    """Yield the mean of a number, and the range whose ends the form asks for."""
    mean = Side(parts=(Part(question=names.number, target=MEAN),))
    yield Choice(
        key=f"{names.key}:{MEAN}",
        name=_("%(question)s: on average") % {"question": names.title},
        phrase=names.phrase(_("“%(question)s” on average")),
        group=names.text,
        side=mean,
        channel=channel,
        unit=names.unit,
    )
    yield Choice(
        key=f"{names.key}:{RANGE}",
        name=names.title,
        phrase=names.phrase(_("“%(question)s” from … to …")),
        group=names.text,
        side=Side(parts=(Part(question=names.number, target=(0, channel.inputs - 1)),)),
        ranged=channel,
    )


CHOICES: Final[Mapping[str, Callable[[ScaleNames, Any], Iterator[Choice]]]] = {
    "number": number_choices,
    "place": place_choices,
}
"""The outcomes of each kind with a disguise of its own."""
