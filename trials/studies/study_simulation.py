"""Rows of the study models, many at once, by the channels of `privacy.channels.retention`."""

from __future__ import annotations

import numpy as np

from mining.simulation import study_design
from privacy.arrays import Flags, Whole
from trials.studies.model_ladder import Model
from trials.studies.vectorised import disguise_rows

__all__ = ["draws_of", "simulate_study"]


def draws_of(model: Model, attributes: int) -> int:
    """Return how many coins a row takes.

    >>> [draws_of(model, 3) for model in ("warner", "unrelated", "grouping", "improved", "blocks")]
    [1, 2, 2, 4, 6]
    """
    return {"warner": 1, "improved": 1 + attributes, "blocks": 2 * attributes}.get(model, 2)


def simulate_study(
    model: Model,
    truth: Flags,
    direct: Flags,
    *,
    theta: int,
    p: int,
    coins: Whole,
) -> Flags:
    """Disguise rows under a study model.

    Parameters
    ----------
    model : {"warner", "unrelated", "grouping", "improved", "blocks"}
    truth : bool array, shape (n, attributes)
    direct : bool array, shape (n,)
        Direct rows, under the models that have them.
    theta, p : int, ten-thousandths
    coins : int array, shape (n, draws)
        Draws from 0 to 9,999, as many a row as `draws_of` says.

    Examples
    --------
    Warner, theta = .7: a draw of 6999 says the truth, 7000 its contrary.

    >>> yes, coins = np.ones((2, 1), dtype=bool), np.array([[6999], [7000]])
    >>> simulate_study("warner", yes, np.zeros(2, dtype=bool), theta=7000, p=0, coins=coins).tolist()
    [[True], [False]]
    """
    attributes = truth.shape[1]
    if model in ("improved", "blocks"):
        sizes = [1] * attributes if model == "blocks" else [attributes]
        design = study_design(sizes, truth_probability=p, unrelated=theta)
        return disguise_rows(design, truth, direct, coins)
    if model == "warner":
        return np.asarray(truth == (coins[:, :1] < theta))
    truthful, decoy = coins[:, :1] < p, coins[:, 1:] < theta
    keeps = truthful | direct[:, None] if model == "grouping" else truthful
    return np.where(keeps, truth, decoy)
