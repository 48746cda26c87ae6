"""Predicted error of every mechanism for a number or a place, before any answer.

For a place all figures of what a device can draw from are exact for this very map, up to the million cells
that a map may have; of what only compares it is said how far it may be off.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from privacy.arrays import Array
from privacy.scales.area import Area
from privacy.scales.decoding import expected_variance, variances
from privacy.scales.map_prior import prior_of
from privacy.scales.map_proposals import Proposal, proposals, share_worse_than
from privacy.scales.number_specification import stated_number
from privacy.scales.numeric_mechanisms import BY_EPSILON
from privacy.scales.place_specification import cells_of
from privacy.scales.planar_alike import alike
from privacy.scales.planar_mechanisms import EVERYWHERE, sensitive_cells
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skipping import skipping_of
from surveys.errors.error import SurveyError, shown
from surveys.questionnaire.node import Node
from surveys.questionnaire.outline import bounds_of, read_outline
from surveys.questionnaire.rectangles import check_rectangles
from surveys.questionnaire.scale_definition import disguise_of, map_of

# The error of a mean is told for so many answers.
ANSWERS: Final = 1_000
# Of larger maps it is not said which places are sent alike: to look at each cell would take too long.
_LOOKED_AT: Final = 100_000


def accuracy_of(kind: str, stated: object, refusal: object = None) -> dict[str, Any]:
    """Return the predicted error of every mechanism, the best first, as JSON.

    Parameters
    ----------
    kind : {"number", "place"}
    stated : dict
        The member of that name of a question of a definition; its mechanism does not matter. Several levels
        of sensitive areas cannot be compared with the other mechanisms, and are refused.
    refusal : int, bool or None
        What the question's part states of skipping. The cost of hiding skips, where nobody skips, is in all
        errors: of a number exactly as the report's mean has it, of a place with "skipped" read as the middle
        of the map, or of the prior. Each mechanism is given the chance that it needs at least.

    Returns
    -------
    dict
        ``lines``, each with ``name``, ``error`` (of one answer: metres, or the unit of the number, numbers
        spread evenly), ``worst`` (numbers: of one answer at the worst number), ``mean`` (numbers: standard
        error of a mean of `ANSWERS` answers), ``map`` (places: how far off the map of `ANSWERS` answers would
        be, metres; what is proposed goes by it), ``alike`` (places: metres across and up of the largest part
        that is sent alike, None where there is none), ``offered`` (False for what only compares),
        ``everywhere`` (places: whether every place is protected); and ``skipped`` (whether skips are in the
        errors). For places also ``cells`` and ``cell`` (metres), ``proposed``, ``prior`` (whether places lie
        as a prior says), ``off`` (metres by which figures that only compare may be off, since they know no
        cells), ``epsilon``, and ``worse`` (with sensitive areas: the share of the map where the
        utility-optimised square is less accurate than the square).

    Raises
    ------
    PrivacyError, DefinitionError
        What is wrong with the statement; the second names the rectangle.
    """
    if not isinstance(stated, Mapping) or stated.get("mechanism") == "levels":
        raise SurveyError("malformed.accuracy")
    skip = _skip(refusal)
    return _number(stated, skip) if kind == "number" else _location(stated, skip)


def _skip(stated: object) -> int | bool | None:
    if stated is None or isinstance(stated, int):
        return stated or None
    raise SurveyError("refusal", shown(stated))


def _number(stated: Mapping[str, Any], skip: int | bool | None) -> dict[str, Any]:
    plain = {name: value for name, value in stated.items() if name != "unit"}
    lines = []
    for name in BY_EPSILON:
        channel = stated_number({**plain, "mechanism": name}).disguise
        skipping = skipping_of(channel, skip)
        # The worst number alone would rank by people who are all at an end of the range.
        error = math.sqrt(expected_variance(channel, skipping=skipping))
        worst = math.sqrt(variances(channel, skipping=skipping).max())
        figures = {"error": error, "worst": worst, "mean": error / math.sqrt(ANSWERS)}
        lines.append({"name": name, **figures, "offered": True, "everywhere": True})
    lines.sort(key=lambda line: float(str(line["error"])))
    return {"lines": lines, "answers": ANSWERS, "skipped": skip is not None}


def _location(stated: Mapping[str, Any], skip: int | bool | None) -> dict[str, Any]:
    plain = _core_place(stated)
    _check_rectangles(plain)
    sensitive, prior = plain.pop("sensitive", None) or [], plain.pop("prior", None)
    area = _windows({**plain, "mechanism": "square"}).area
    boxes = list(sensitive_cells(area, [cells_of(area, each) for each in sensitive])) if sensitive else []
    weights = None if prior is None else prior_of(area, prior)
    epsilon = float(plain["epsilon"])
    mechanisms = proposals(area, epsilon, boxes, prior=weights, skip=skip)
    lines = [_line(mechanism) for mechanism in mechanisms]
    return {
        "lines": lines,
        "answers": ANSWERS,
        "epsilon": epsilon,
        "worse": _worse(mechanisms, weights, skip),
        "prior": weights is not None,
        **_map(area),
        "proposed": _proposed(lines, needs_areas=bool(boxes)),
        "skipped": skip is not None,
    }


def _check_rectangles(plain: dict[str, Any]) -> None:
    """Refuse sensitive rectangles that do not lie on the map."""
    known, question = map_of(plain), Node(value={"place": plain}, path="")
    if known is not None:
        check_rectangles(question, known)
    question.problems.raise_if_any()


def _worse(mechanisms: Iterable[Proposal], weights: Array | None, skip: int | bool | None) -> float | None:
    """Return the share of the map where the utility square is less accurate than the square of everywhere."""
    by_name = {mechanism.name: mechanism.windows for mechanism in mechanisms}
    utility, whole = by_name.get("utility_square"), by_name["square"]
    if utility is None or whole is None:
        return None
    return share_worse_than(utility, whole, prior=weights, skip=skip)


def _line(mechanism: Proposal) -> dict[str, Any]:
    windows = mechanism.windows
    return {
        "name": mechanism.name,
        "error": mechanism.root_mean_square_error,
        "map": mechanism.map_error,
        "alike": None if windows is None else _alike(windows),
        "offered": windows is not None,
        "everywhere": mechanism.protects_everywhere,
    }


def _alike(windows: PlanarWindowChannel) -> list[float] | None:
    """Return how wide and how high places are that are sent alike, in metres; None for a very large map."""
    if windows.inputs > _LOOKED_AT:
        return None
    resolution = alike(windows)
    return None if resolution.is_none else [resolution.across, resolution.up]


def _map(area: Area) -> dict[str, Any]:
    across, up = area.cell_metres
    return {
        "cells": [area.columns, area.rows],
        "cell": [round(across, 1), round(up, 1)],
        # A place and a report each lie at most half a diagonal from the middle of their cell.
        "off": math.hypot(across, up),
    }


def _core_place(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the core reads of the member ``place`` of a question, with the area of its outline."""
    plain = {name: value for name, value in stated.items() if name not in ("outline", "prior")}
    if not plain.get("area") and stated.get("outline") is not None:
        rings = read_outline(Node(value=stated["outline"], path="outline"))
        if rings:
            plain["area"] = bounds_of(rings)
    prior = stated.get("prior")
    if isinstance(prior, Mapping):
        plain["prior"] = prior.get("rows")
    return plain


def area_of(stated: Mapping[str, Any]) -> Area | None:
    """Return the map of a place that is being stated; None as long as it is not whole."""
    return map_of(_core_place(stated))


def _windows(plain: Mapping[str, Any]) -> PlanarWindowChannel:
    windows, _keys = disguise_of("place", plain)
    assert isinstance(windows, PlanarWindowChannel)  # nosec B101  # for the type checker
    return windows


def _proposed(lines: list[dict[str, Any]], *, needs_areas: bool) -> str:
    """Return the most accurate that keeps the promise: areas where some are marked, else everywhere."""
    names = (
        line["name"] for line in lines if line["offered"] and (line["name"] in EVERYWHERE) != needs_areas
    )
    return str(next(names))
