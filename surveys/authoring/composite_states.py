"""State of each composite question of a draft, as the builder shows it."""

from __future__ import annotations

from typing import Any

from privacy.planning.careless_components import careless_share
from surveys.questionnaire.checks.harm import harm_in
from surveys.questionnaire.composites import COMPUTED, reach_of, read_computed
from surveys.questionnaire.document import Node
from surveys.questionnaire.readable import is_shaped


def composite_states(document: object) -> dict[str, dict[str, Any]]:
    """Return what the builder shows of each composite question of a draft, by path.

    Parameters
    ----------
    document : object
        A draft, which may be incomplete.

    Returns
    -------
    dict
        ``low`` and ``high``: the least and the largest sum, None if the rule cannot be read. ``slips``: of
        100 people without points, how many reach a level by careless answers; None if it is not computed.
        ``harm``: words of violence or self-harm.
    """
    if not is_shaped(document):
        return {}
    states = {}
    for number, entry in enumerate(document["blocks"]):
        for place, question in enumerate(entry["questions"]):
            if COMPUTED not in question:
                continue
            path = f"blocks[{number}].questions[{place}]"
            reach = reach_of(question[COMPUTED])
            rule, _wording = read_computed(Node(value=question[COMPUTED], path=path, is_worded=False))
            slips = None if rule is None else careless_share(rule)
            states[path] = {
                "low": reach.sums[0] if reach else None,
                "high": reach.sums[-1] if reach else None,
                "slips": None if slips is None else round(100 * slips, 1),
                "harm": harm_in(entry),
            }
    return states
