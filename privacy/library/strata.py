"""A share or a mean over strata whose designs, or chances, differ: weighted by their sizes, and pooled."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.library.designs import Chance, ResponseDesign, exact, written
from privacy.library.frames import pick, read_column, read_frame, report_codes
from privacy.library.one_sample import design_shares
from privacy.library.study import Hypothesis, ModelTest, PaperStudy, Quantity

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame

__all__ = ["stratified", "stratified_prevalence"]

Stated: TypeAlias = Chance | Hashable | Mapping[Hashable, Chance]
"""A chance, a column of chances, or a chance for each stratum."""

_STEP: Final = 1e-4
_CLOSE: Final = 1e-12
_MOST_STEPS: Final = 200
_ROUNDING: Final = 1e-6


def stratified(
    studies: Mapping[str, PaperStudy],
    *,
    shares: Mapping[str, Chance] | None = None,
    quantity: str | None = None,
) -> PaperStudy:
    """Put the estimates of strata together.

    Parameters
    ----------
    studies : mapping of str to PaperStudy
        Stratum -> its study; their designs may differ.
    shares : mapping of str to chance, optional
        Known shares of the strata in the population; those of their respondents if left out.
    quantity : str, optional
        What of them; the first of the first study if left out.

    Returns
    -------
    PaperStudy
        The quantity by strata, the quantity pooled, that of each stratum; the test that all are alike.

    Raises
    ------
    PrivacyError
        ``paper``: no stratum, a study without the quantity, shares that are not those of the strata.

    Notes
    -----
    By strata: sum W_h t_h, with variance sum W_h^2 v_h; right whether or not the strata are alike. Pooled:
    the t that solves sum (t_h - t)/v_h(t) = 0, with v_h(t) the variance of stratum h where t is true, and
    with variance 1/sum 1/v_h(t): of two answers the most likely t, and right where the strata are alike,
    which the chi-square sum (t_h - t)^2/v_h(t) tests. Intervals invert the tests with these variances; by
    strata all t_h are moved alike.

    References
    ----------
    Holt and Smith 1979; Wilson 1927.

    Examples
    --------
    60 of 100 where the coin says the truth in .7 of the cases, and 100 of 200 where in .8:

    >>> from privacy.library.designs import warner
    >>> study = stratified({
    ...     "north": design_shares({"yes": 60, "no": 40}, warner(p=.7)),
    ...     "south": design_shares({"yes": 100, "no": 100}, warner(p=.8))})
    >>> round(study["share"].value, 6)  # (100 * .75 + 200 * .5) / 300
    0.583333
    >>> round(study["share, pooled"].value, 3)
    0.545
    """
    if not studies:
        raise PrivacyError("paper.strata", 0)
    name = quantity or next(iter(studies.values())).quantities[0].name
    for stratum, study in studies.items():
        if name not in [own.name for own in study.quantities]:
            raise PrivacyError("paper.quantity", name, stratum=stratum)
    own = [study[name] for study in studies.values()]
    n = np.array([study.n for study in studies.values()], dtype=np.float64)
    values = np.array([quantity.value for quantity in own])
    weights = n / n.sum() if shares is None else _known(shares, list(studies))
    variances = [_variance(quantity) for quantity in own]
    value = float(weights @ values)

    def moved(tried: float) -> tuple[float, float]:
        at = np.array([spread(t + tried - value) for spread, t in zip(variances, values, strict=True)])
        return value - tried, float(weights**2 @ at)

    def scored(tried: float) -> tuple[float, float]:
        precision = 1 / np.array([spread(tried) for spread in variances])
        return float(precision @ (values - tried)), float(precision.sum())

    together = _pooled(values, variances)
    score = 1 / np.array([spread(together) for spread in variances])
    statistic = float(score @ (values - together) ** 2)
    ends = [quantity.within or quantity.possible for quantity in own]
    widest = min(low for low, _ in ends), max(high for _, high in ends)
    tested = all(quantity.hypothesis is not None for quantity in own)

    def over_all(name: str, value: float, error: float, hypothesis: Hypothesis) -> Quantity:
        inverted = hypothesis if tested else None
        within = widest if tested else None
        return replace(
            own[0], name=name, value=value, standard_error=error, hypothesis=inverted, within=within
        )

    error = math.sqrt(float(weights**2 @ [quantity.standard_error**2 for quantity in own]))
    p_value = float(scipy.special.chdtrc(len(own) - 1, statistic)) if len(own) > 1 else 1.0
    return PaperStudy(
        method=f"{len(own)} strata, {next(iter(studies.values())).method} and others",
        n=int(n.sum()),
        quantities=(
            over_all(name, value, error, moved),
            over_all(f"{name}, pooled", together, float(score.sum() ** -0.5), scored),
            *(replace(part, name=f"{name} in {stratum}") for stratum, part in zip(studies, own, strict=True)),
        ),
        tests=(ModelTest(name="strata alike", statistic=statistic, p_value=p_value),),
    )


def _known(shares: Mapping[str, Chance], strata: list[str]) -> Array:
    if set(shares) != set(strata):
        raise PrivacyError("paper.strata_shares", list(shares), strata=", ".join(map(str, strata)))
    weights = np.array([float(exact(shares[stratum], f"share of {stratum}")) for stratum in strata])
    if abs(weights.sum() - 1) > _ROUNDING:
        raise PrivacyError("paper.strata_sum", float(weights.sum()))
    return weights


def _variance(quantity: Quantity) -> Callable[[float], float]:
    """Return the variance of an estimate where a value is true: of its test, or of its error."""
    hypothesis, known = quantity.hypothesis, quantity.standard_error**2

    def of(tried: float) -> float:
        if hypothesis is None:
            return known
        rise = (hypothesis(tried - _STEP)[0] - hypothesis(tried + _STEP)[0]) / (2 * _STEP)
        # Where no counts vary, the test has no variance, and the estimate's own stands in.
        return max(hypothesis(tried)[1], 0.0) / rise**2 or known or _CLOSE

    return of


def _pooled(values: Array, variances: list[Callable[[float], float]]) -> float:
    together = float(values.mean())
    for _ in range(_MOST_STEPS):
        precision = 1 / np.array([spread(together) for spread in variances])
        step = float(precision @ values / precision.sum()) - together
        together += step
        if abs(step) < _CLOSE:
            break
    return together


def stratified_prevalence(
    frame: DataFrame,
    column: Hashable,
    design: Callable[..., ResponseDesign],
    *,
    strata: Hashable | None = None,
    shares: Mapping[str, Chance] | None = None,
    value: Hashable = "yes",
    **chances: Stated,
) -> PaperStudy:
    """Estimate a share from a column whose rows were disguised with chances of their own.

    Parameters
    ----------
    frame : DataFrame
    column : hashable
        Of reports.
    design : callable
        Such as `privacy.library.designs.warner`; rows differ in its chances.
    strata : hashable, optional
        Column of strata; without it rows of the same chances are one.
    shares : mapping of str to chance, optional
        Known shares of the strata in the population, by the text of their values.
    value : hashable
        The true answer.
    **chances : chance, name of a column of chances, or mapping of stratum to chance
        Of the design.

    Returns
    -------
    PaperStudy
        As `stratified`.

    Raises
    ------
    PrivacyError
        ``frame``, ``answers``, ``chance``, ``designs``; ``paper``: fewer than two rows of a stratum's design.

    Examples
    --------
    >>> import pandas
    >>> from privacy.library.designs import warner
    >>> frame = pandas.DataFrame({"p": [.7] * 100 + ["4/5"] * 200,
    ...                           "affair": [1] * 60 + [0] * 40 + [1, 0] * 100})
    >>> study = stratified_prevalence(frame, "affair", warner, p="p")
    >>> [quantity.name for quantity in study.quantities]
    ['share', 'share, pooled', 'share in p=0.7', 'share in p=0.8']
    >>> round(study["share"].value, 6)
    0.583333
    """
    frame = read_frame(frame)
    (answers,) = pick(frame, [column])
    names = [""] * len(frame) if strata is None else [str(own) for own in read_column(frame, strata)[1]]
    by_row = {name: _chances(frame, stated, name, names) for name, stated in chances.items()}
    rows: dict[tuple[str, tuple[Fraction, ...]], list[int]] = {}
    for position, key in enumerate(zip(names, zip(*by_row.values(), strict=True), strict=True)):
        rows.setdefault(key, []).append(position)
    size = {stratum: names.count(stratum) for stratum in dict.fromkeys(names)}
    several = {stratum for stratum in size if sum(own == stratum for own, _ in rows) > 1}
    studies, known = {}, {}
    for (stratum, own), positions in sorted(rows.items()):
        made = design(**dict(zip(chances, own, strict=True)))
        codes = report_codes(answers.iloc[positions], made.reports)
        counts = {report: int((codes == code).sum()) for code, report in enumerate(made.reports)}
        missing = len(codes) - sum(counts.values())
        if missing:
            row = answers.iloc[positions].index[int(np.argmax(codes < 0))]
            raise PrivacyError(
                "answers.missing", None, column=f"column {column}", row=row, count=missing, n=len(frame)
            )
        stated = ", ".join(f"{name}={written(chance)}" for name, chance in zip(chances, own, strict=True))
        label = stated if not stratum else f"{stratum}, {stated}" if stratum in several else stratum
        studies[label] = design_shares(counts, made)
        if shares is not None and stratum in shares:
            part = Fraction(len(positions), size[stratum])
            known[label] = exact(shares[stratum], f"share of {stratum}") * part
    if shares is not None and set(shares) != set(size):
        raise PrivacyError("paper.strata_shares", list(shares), strata=", ".join(size))
    quantity = "share" if value == "yes" else str(value)
    return stratified(studies, shares=None if shares is None else known, quantity=quantity)


def _chances(frame: DataFrame, stated: Stated, name: str, strata: list[str]) -> list[Fraction]:
    """Return the chance of each row."""
    if isinstance(stated, Mapping):
        by_stratum = {str(own): exact(chance, f"{name} of {own}") for own, chance in stated.items()}
        for stratum in strata:
            if stratum not in by_stratum:
                raise PrivacyError("paper.stratum", stratum or None, name=name)
        return [by_stratum[stratum] for stratum in strata]
    if isinstance(stated, Hashable) and stated in frame.columns:
        own = read_column(frame, stated)[1]
        distinct = {chance: exact(chance, f"{name} in column {stated}") for chance in set(own)}
        return [distinct[chance] for chance in own]
    return [exact(stated, name)] * len(strata)  # type: ignore[arg-type]
