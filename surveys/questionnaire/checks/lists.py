"""Check lists of yes/no questions: stems without lines, and lists of which people are asked a part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.survey.design import Block, Design
from surveys.questionnaire.document import Finding, Level
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.stems import STEMS, stem_key

_OTHER: Final = re.compile(
    r"^(any|some|an|one)?\s*(other|others|another|something else|anything else|someone else|anyone else)\b"
    r"|^(其他|其它|别的|另外)",
    re.IGNORECASE,
)


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
                message=_("no question uses the stem %(key)s, so no one reads it") % {"key": stem["key"]},
                remedy=_("add lines to this list, or remove the stem"),
            )
    for number, (entry, block) in enumerate(zip(document["blocks"], design.blocks, strict=True)):
        if block.is_rotating:
            yield from _split(entry, block, f"blocks[{number}]")


def _split(entry: Mapping[str, Any], block: Block, path: str) -> Iterator[Finding]:
    """Find lines that mean something else without the rest of their list, in sets without the rest."""
    keys = [stem_key(question) for question in entry["questions"]]
    exclusive = {key.partition("=")[0] for each in entry.get("exclusive") or () for key in each}
    for key in dict.fromkeys(filter(None, keys)):
        lines = [at for at, own in enumerate(keys) if own == key]
        if _is_whole(block, lines):
            continue
        for at in lines:
            question = entry["questions"][at]
            text = question.get("line", question["text"])
            if question["key"] in exclusive or is_other(text):
                yield Finding(
                    level=Level.WARN,
                    code="split_list",
                    path=f"{path}.questions[{at}]",
                    message=_("“%(line)s” means something else to people who are not asked its whole list")
                    % {"line": text_in(text) or question["key"]},
                    remedy=_("leave it out, ask it as its own question, or draw the list as a whole"),
                )


def _is_whole(block: Block, lines: Sequence[int]) -> bool:
    """Return whether each set of drawn questions has all of these lines or none."""
    return block.booklets is not None and all(
        len({*booklet}.intersection(lines)) in (0, len(lines)) for booklet in block.booklets
    )


def is_other(texts: Mapping[str, str]) -> bool:
    """Return whether a line means everything that the other lines of its list leave out.

    Examples
    --------
    >>> is_other({"en": "Other drugs"}), is_other({"zh-hans": "其他"}), is_other({"en": "Each other"})
    (True, True, False)
    """
    return any(_OTHER.search(text.strip()) for text in texts.values())
