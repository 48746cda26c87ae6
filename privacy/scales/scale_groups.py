"""Rows of people who were asked for a number or a place: the sent values and the disguise of each group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.scales.scale_skips import answer_scores, mean_of_answers, split_skips
from privacy.scales.skips import Disguise, Skipping


@dataclass(frozen=True, kw_only=True, eq=False)
class ScaleGroup:
    """Row counts of one group by sent value, for one survey or for many.

    Parameters
    ----------
    counts : ndarray of float64, shape (..., outputs), or one longer
        If the question may be skipped, the count of skips comes last.
    inputs : int
        Number of bins or cells.
    disguise : WindowChannel or PlanarWindowChannel or None
        None if answers are sent undisguised.
    skipping : Skipping or None
        Skipping of that disguise, if the question may be skipped.
    """

    counts: Array
    inputs: int
    disguise: Disguise | None
    skipping: Skipping | None

    @property
    def outputs(self) -> int:
        """Number of answers that can be sent."""
        return self.inputs if self.disguise is None else self.disguise.outputs

    @property
    def people(self) -> Array:
        """Number of rows that answer, shape (..., 1); estimated if a disguise hides skips."""
        if self.skipping is not None:
            return split_skips(self.skipping, self.counts)[0]
        answers: Array = self.counts[..., : self.outputs].sum(axis=-1, keepdims=True)
        return answers

    def scores(self, true: Array, of: Callable[[Any], Array]) -> Array:
        """Return z of each kind of row with E[z | x] = f(x) for every answer x, and E[z | skip] = 0.

        Parameters
        ----------
        true : ndarray, shape (..., inputs)
            f.
        of : callable
            Returns scores of the outputs of a disguise, unbiased for f; shape (..., outputs).
        """
        scores = true if self.disguise is None else of(self.disguise)
        if self.skipping is not None:
            return answer_scores(self.skipping, scores)
        more = self.counts.shape[-1] - self.outputs
        return np.concatenate([scores, np.zeros((*scores.shape[:-1], more))], axis=-1)

    @property
    def answer_scores(self) -> Array:
        """Scores of each kind of row for having answered."""
        return self.scores(np.ones(self.inputs), lambda disguise: np.ones(disguise.outputs))

    def by_bin(self, values: Array) -> Array:
        """Return the expected value of a row for each true bin or cell, from the values of kinds of rows."""
        by_output = values[..., : self.outputs]
        if self.disguise is not None:
            by_output = self.disguise.maps()[1](by_output)
        if self.skipping is None:
            return by_output
        skipped = float(self.skipping.skip_probability)
        mean: Array = (1 - skipped) * by_output + skipped * values[..., self.outputs : self.outputs + 1]
        return mean


class ScaleGroups(tuple[ScaleGroup, ...]):
    """Groups of a question, the protected one first; kinds of rows are ordered by group.

    If the question may be skipped, "skipped" is a separate kind of row.
    """

    __slots__ = ()

    @property
    def rows(self) -> Array:
        """Count of each kind of row, shape (..., kinds)."""
        return np.concatenate([group.counts for group in self], axis=-1)

    @property
    def answers(self) -> Array:
        """Scores of each kind of row for having answered, shape (kinds,)."""
        return np.concatenate([group.answer_scores for group in self])

    def scores(self, true: Array, of: Callable[[Any], Array]) -> Array:
        """Return the scores of each kind of row, as in `ScaleGroup.scores`; shape (..., kinds)."""
        return np.concatenate([group.scores(true, of) for group in self], axis=-1)

    def by_bin(self, values: Array) -> Array:
        """Return the mean of values of kinds of rows for each true bin, or cell, over all groups."""
        ends = np.cumsum([group.counts.shape[-1] for group in self])[:-1]
        parts = np.split(values, ends, axis=-1)
        n, means = self.rows.sum(), np.zeros((*values.shape[:-1], self[0].inputs))
        for group, part in zip(self, parts, strict=True):
            means += group.counts.sum() / n * group.by_bin(part)
        return means


def scale_groups(
    disguise: Disguise,
    counts: ArrayLike,
    *,
    direct: ArrayLike | None = None,
    light: Disguise | None = None,
    skipping: Skipping | None = None,
) -> ScaleGroups:
    """Return the protected group, and the direct one if it has rows.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
        Disguise of the protected group; the identity for the rows of an open number.
    counts : array_like of int, shape (..., outputs), or one longer
        Rows by sent output; with `skipping`, the rows that say "skipped" come last. For a map, the shape may
        be (rows, columns).
    direct : array_like of int, optional
        Rows of the direct group by sent value: the true bin or cell, or an output of `light`.
    light : WindowChannel or PlanarWindowChannel, optional
        Disguise of the direct group; None if its answers are sent undisguised.
    skipping : Skipping, optional
        How the question may be skipped. The probability of "skipped" among decoys is the same for both
        groups.

    Raises
    ------
    PrivacyError
        ``counts``: wrong shape, or negative. ``kind``: `skipping` is for another disguise, or `light` for
        other answers.
    """
    if skipping is not None and skipping.disguise != disguise:
        raise PrivacyError("kind.skipping", skipping.refusal, mechanism=skipping.disguise.mechanism)
    more = int(skipping is not None)
    protected = ScaleGroup(
        counts=_check_counts(counts, disguise, disguise.outputs + more, "counts"),
        inputs=disguise.inputs,
        disguise=None if disguise.is_as_answered else disguise,
        skipping=skipping,
    )
    if direct is None:
        return ScaleGroups([protected])
    size, lightly = disguise.inputs, None
    if light is not None:
        if light.inputs != disguise.inputs:
            raise PrivacyError("kind.light", light.inputs, mechanism=light.mechanism)
        size = light.outputs
        lightly = None if skipping is None else Skipping(disguise=light, refusal=skipping.refusal)
    direct_group = ScaleGroup(
        counts=_check_counts(direct, disguise, size + more, "direct counts"),
        inputs=disguise.inputs,
        disguise=light,
        skipping=lightly,
    )
    return ScaleGroups([protected, direct_group] if direct_group.counts.any() else [protected])


def _check_counts(counts: ArrayLike, disguise: Disguise, size: int, name: str) -> Array:
    """Return counts as floats, or raise for a wrong length or an invalid count."""
    table = array = np.asarray(counts, dtype=np.float64)
    if len(disguise.shape) > 1 and array.shape == disguise.shape:
        table = array.ravel()
    if table.ndim == 0 or table.shape[-1] != size or not ((table >= 0) & np.isfinite(table)).all():
        raise PrivacyError("counts.values", array.shape, name=name, size=size)
    return table


def mean_score(groups: ScaleGroups, true: Array, of: Callable[[Any], Array]) -> tuple[float, float, int]:
    """Return the mean of a value among those who answer, its standard error, and the number of rows asked.

    Parameters
    ----------
    groups : ScaleGroups
    true, of
        As in `ScaleGroup.scores`.

    Raises
    ------
    PrivacyError
        ``no_rows``, ``no_answers``.
    """
    n = int(groups.rows.sum())
    if n < 1:
        raise PrivacyError("no_rows", n)
    return *mean_of_answers(groups.rows, groups.scores(true, of), groups.answers), n
