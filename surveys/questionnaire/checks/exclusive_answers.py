"""Answers of a list that exclude each other.

They produce random rows that cannot be true of anyone, which shows that these rows are random.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.risk.impossible_decoys import contradictions, exclusive_decoys
from privacy.survey.design import Block, Design
from surveys.formats.joints import list_text
from surveys.questionnaire.checks.entry_names import entry_name, item_names
from surveys.questionnaire.exclusive_wordings import looks_exclusive
from surveys.questionnaire.findings import Finding, Level


def declared_exclusive(
    entry: Mapping[str, Any], design: Design, number: int, path: str, part: str
) -> Iterator[Finding]:
    """Check the answers that a block declares as excluding each other; `part` is what it is called."""
    block = design.blocks[number]
    names = {
        key: name
        for question, core in zip(entry["questions"], block.questions, strict=True)
        for key, name in item_names(question, core).items()
    }
    shares = {
        key: share
        for question, core in zip(entry["questions"], block.questions, strict=True)
        for key, share in zip(core.item_keys, question["prevalence"], strict=True)
    }
    for position, keys in enumerate(entry.get("exclusive", [])):
        total = sum(shares[key] for key in keys)
        if total > SCALE:
            yield Finding(
                level=Level.WARN,
                code="exclusive_shares",
                path=f"{path}.exclusive[{position}]",
                message=_(
                    "at most one of %(answers)s can be true, but their expected shares add up to "
                    "%(total)s of 100"
                )
                % {"answers": _join_names(names, keys), "total": f"{total / 100:g}"},
                remedy=_(
                    "state shares that add up to at most 100; the odds that respondents read are "
                    "right only then"
                ),
            )
        decoys = exclusive_decoys(design, contradictions(block, keys))
        if not decoys or not decoys[0].share:
            # A device never draws these options together, or a shared filter explains such rows.
            continue
        yield Finding(
            level=Level.REFUSE,
            code="exclusive",
            path=f"{path}.exclusive[{position}]",
            message=_(
                "%(answers)s cannot be true together, but %(share)s of 100 random rows of part "
                "“%(part)s” contain two of them, which reveals that they are random"
            )
            % {
                "answers": _join_names(names, keys),
                "share": _of_hundred(decoys[0].share),
                "part": part,
            },
            remedy=_("ask them as one question with one answer, or in separate parts"),
        )


def seeming_exclusive(entry: Mapping[str, Any], block: Block, path: str) -> Iterator[Finding]:
    """Find answers that seem to exclude each other but are not declared as doing so."""
    for number, (question, core) in enumerate(zip(entry["questions"], block.questions, strict=True)):
        if (
            core.kind == "yes_no"
            and len(block.questions) > 1
            and looks_exclusive(question.get("line", question["text"]))
        ):
            yield Finding(
                level=Level.REFUSE,
                code="exclusive_option",
                path=f"{path}.questions[{number}]",
                message=_(
                    "“%(question)s” excludes the other answers of its part, and random rows would contain "
                    "both"
                )
                % {"question": entry_name(question)},
                remedy=_("leave it out: respondents who would choose it answer no to all the others"),
            )
        if not core.is_several:
            continue
        for position, option in enumerate(question["options"]):
            if looks_exclusive(option["text"]):
                yield Finding(
                    level=Level.REFUSE,
                    code="exclusive_option",
                    path=f"{path}.questions[{number}].options[{position}]",
                    message=_(
                        "the option “%(option)s” of “%(question)s” excludes the others, and random rows "
                        "would tick it together with them"
                    )
                    % {"option": entry_name(option), "question": entry_name(question)},
                    remedy=_(
                        "leave it out: the page offers “None of these” anyway, and you can let "
                        "respondents skip the part"
                    ),
                )


def _of_hundred(share: Fraction) -> str:
    return f"{float(100 * share):.0f}"


def _join_names(names: Mapping[str, str], keys: Sequence[str]) -> str:
    return list_text([f"“{names[key]}”" for key in keys])
