"""Content that a protected part must not have: which checks of it hold for which part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from privacy.survey.design import Design
from surveys.questionnaire.checks.exclusive_answers import declared_exclusive, seeming_exclusive
from surveys.questionnaire.checks.known_facts import known_facts
from surveys.questionnaire.checks.no_skip import no_skip
from surveys.questionnaire.findings import Finding
from surveys.questionnaire.part_names import part_names


def check_content(document: Mapping[str, Any], design: Design) -> Iterator[Finding]:
    """Yield findings on the questions of the protected parts of a definition.

    Parameters
    ----------
    document : mapping
        A definition that can be published.
    design : Design
        Its design, with blocks and questions in the same order.
    """
    names = part_names(document["blocks"], document=document)
    for number, (entry, block) in enumerate(zip(document["blocks"], design.blocks, strict=True)):
        path = f"blocks[{number}]"
        if not block.protected:
            continue
        if block.is_scale:
            yield from no_skip(entry, block, path)
            continue
        if not block.is_anchor:
            yield from known_facts(entry, path)
            yield from no_skip(entry, block, path)
        yield from declared_exclusive(entry, design, number, path, names[block.key])
        yield from seeming_exclusive(entry, block, path)
