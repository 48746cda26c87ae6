"""The probabilities of a part whose questions changed, until the plan sets them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from privacy.errors import PrivacyError
from privacy.planning.coin_choice import best_coin
from privacy.planning.protection import Protection
from privacy.survey.block import Block
from privacy.survey.question import Question


def coin_of(part: Mapping[str, Any], protection: Protection, *, skips: bool) -> dict[str, Any]:
    """Return the probabilities of a part; the plan sets them again. A part that cannot be read gets 1%.

    Parameters
    ----------
    part : mapping
    protection : Protection
    skips : bool
        Whether people may skip it.

    Examples
    --------
    >>> from privacy.planning.protection import PROTECTIONS
    >>> coin_of({"questions": [{"kind": "unknown"}]}, PROTECTIONS["medium"], skips=True)
    {'truth_probability': 100, 'refusal': 1000}
    """
    try:
        block = Block(
            key="part",
            protected=True,
            truth_probability=1,
            questions=tuple(
                Question(
                    key=f"q{place}",
                    kind=question["kind"],
                    options=tuple(option["key"] for option in question.get("options") or ()),
                    unrelated=question["unrelated"],
                )
                for place, question in enumerate(part["questions"])
            ),
        )
    except (PrivacyError, KeyError, TypeError):
        return {"truth_probability": 100, **({"refusal": 1_000} if skips else {})}
    truth, refusal = best_coin(
        protection,
        everything=protection.everything,
        row=math.prod((question.rarest_decoy for question in block.questions), start=Fraction(1)),
        one=min(question.rarest_decoy for question in block.questions),
        skips=skips,
    )
    return {"truth_probability": max(truth, 1), **({"refusal": refusal} if skips else {})}
