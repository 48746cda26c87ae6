"""Check for questions that refer to another question that people may not be asked, or answer with no."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from surveys.questionnaire.checks.entry_names import entry_name
from surveys.questionnaire.composites import COMPONENTS, COMPUTED
from surveys.questionnaire.condition_cues import begins_with_condition
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.stated_kinds import kind_of

_Entry = Mapping[str, Any]


def check_follow_ups(document: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield a warning for each protected question that begins with a condition and is asked without one.

    Parameters
    ----------
    document : mapping
        A definition that can be published. Open questions need no check, because people can leave them
        empty.
    """
    for path, entry, above, is_conditional in _asked(document):
        is_below_yes_no = above is not None and not above.get("options") and not kind_of(above).is_scale
        texts = [text for text in entry["text"].values() if isinstance(text, str)]
        if is_conditional or not any(
            begins_with_condition(text, is_below_yes_no=is_below_yes_no) for text in texts
        ):
            continue
        yield Finding(
            level=Level.WARN,
            code="asked_alone",
            path=path,
            message=_(
                "“%(question)s” refers to another question, which people may not have been asked, or may "
                "have answered with no"
            )
            % {"question": entry_name(entry)},
            remedy=_(
                "reword it so that it makes sense on its own, "
                "and add an answer for people it does not apply to"
            ),
        )


def _asked(document: Mapping[str, Any]) -> Iterator[tuple[str, _Entry, _Entry | None, bool]]:
    """Yield the questions of protected parts: path, entry, the entry above, and whether it has a condition.

    The questions of a composite question are its components.
    """
    above: _Entry | None = None
    for number, block in enumerate(document["blocks"]):
        for position, question in enumerate(block["questions"]):
            path = f"blocks[{number}].questions[{position}]"
            components = question.get(COMPUTED, {}).get(COMPONENTS, ())
            entries = [(f"{path}.{COMPUTED}.{COMPONENTS}[{at}]", each) for at, each in enumerate(components)]
            for place, entry in entries or [(path, question)]:
                if block["protected"]:
                    yield place, entry, above, bool(block.get("asked_if") or entry.get("asked_if"))
                above = entry
