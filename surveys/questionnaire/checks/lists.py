"""Check lists of yes/no questions: stems without lines, and lists of which people are asked a part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.survey.design import Design
from surveys.questionnaire.checks.entry_names import entry_name
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.stems import LINE, STEMS, stem_key
from surveys.questionnaire.whole_lists import whole_lists


def check_lists(document: Mapping[str, Any], design: Design) -> Iterator[Finding]:
    """Find stems that no question uses, and lists that rotation splits although a line depends on the others.

    Parameters
    ----------
    document : mapping
        A definition that can be published.
    design : Design
    """
    used = {stem_key(question) for block in document["blocks"] for question in block["questions"]}
    for number, stem in enumerate(document.get(STEMS) or ()):
        if stem["key"] not in used:
            yield Finding(
                level=Level.WARN,
                code="unused_stem",
                path=f"{STEMS}[{number}]",
                message=_("no question uses the stem “%(stem)s”, so no one reads it")
                % {"stem": entry_name(stem)},
                remedy=_("add lines to this list, or remove the stem"),
            )
    yield from _split(document, design)


def _split(document: Mapping[str, Any], design: Design) -> Iterator[Finding]:
    """Find lines that people are asked without the rest of their list, although they refer to it.

    The planner makes no such layout; files can state one.
    """
    numbers = {question.key: number for number, question in enumerate(design.questions)}
    places = {
        question["key"]: (f"blocks[{number}].questions[{at}]", question)
        for number, block in enumerate(document["blocks"])
        for at, question in enumerate(block["questions"])
    }
    for each in whole_lists(document):
        for key in each.referring:
            asked = design.drawn_together([numbers[key]])
            if all(design.drawn_together([numbers[key], numbers[line]]) == asked for line in each.lines):
                continue
            path, question = places[key]
            yield Finding(
                level=Level.WARN,
                code="split_list",
                path=path,
                message=_("“%(line)s” means something else to people who are not asked its whole list")
                % {"line": text_in(question.get(LINE, question["text"])) or key},
                remedy=_("leave it out, ask it as its own question, or draw the list as a whole"),
            )
