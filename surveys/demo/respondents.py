"""The demonstration's simulated respondents: the 6,366 rows of Fair (1978).

Their true answers are public, so the demonstration can show what no real survey can: the difference between
an estimate and the truth. Everything else is real: each row is disguised separately by the code that a device
runs, and sent through the service that every answer uses.

References
----------
Fair 1978; the rows come with statsmodels (``statsmodels.datasets.fair``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import numpy as np
from statsmodels.datasets import fair

# The source of the model cites Cranor: 27 of 100 would give their data as they are. People with something to
# hide do so less often; with these two probabilities .27 of all respondents answer directly, and the direct
# group differs from the rest, as it would in a real survey.
DIRECT_WITHOUT_AFFAIR: Final = 0.31
DIRECT_WITH_AFFAIR: Final = 0.185

Answers = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, kw_only=True)
class Respondent:
    """A person of the data set: true answers, and whether they choose to answer directly."""

    answers: Answers
    direct: bool


def definition(name: str = "marriage") -> dict[str, Any]:
    """Return a survey definition that ships with Sottovoce, as ``import_survey`` reads it."""
    text = resources.files("surveys").joinpath("definitions", f"{name}.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def respondents(*, rng: np.random.Generator) -> Iterator[Respondent]:
    """Yield all 6,366 respondents in the data set's order; `rng` decides who answers directly.

    Fair's codes are midpoints of bands; the cuts below fall between them (`numpy.searchsorted` gives the
    option's position).
    """
    rows = fair.load_pandas().data
    bands = {
        "age": np.searchsorted([24.5, 29.5, 34.5], rows["age"]),
        "married": np.searchsorted([4.0, 11.0], rows["yrs_married"]),
        "children": np.searchsorted([0.5, 2.5], rows["children"]),
        "education": np.searchsorted([13.0, 15.0], rows["educ"]),
    }
    affair = (rows["affairs"] > 0).to_numpy()
    unhappy = (rows["rate_marriage"] <= 3).to_numpy()
    not_religious = (rows["religious"] <= 2).to_numpy()
    direct = rng.random(len(rows)) < np.where(affair, DIRECT_WITH_AFFAIR, DIRECT_WITHOUT_AFFAIR)
    for row in range(len(rows)):
        yield Respondent(
            answers={
                "background": {key: int(levels[row]) for key, levels in bands.items()},
                "marriage": {"affair": int(affair[row]), "unhappy": int(unhappy[row])},
                "faith": {"not-religious": int(not_religious[row])},
            },
            direct=bool(direct[row]),
        )
