"""Logistic regression of columns of a DataFrame, of which the response or a predictor is disguised."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy.errors import PrivacyError
from privacy.library.designs import YES_NO, ResponseDesign, checked_design, shared_row, truthful
from privacy.library.frames import answer_codes, column_weights, pick, read_frame
from privacy.library.rows import RowDesigns, cluster_members, row_designs
from privacy.regression.formula_regression import (
    Formula,
    FormulaRegression,
    LatentReports,
    check_options,
    fit_formula,
)

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


def logistic_regression(
    frame: DataFrame,
    formula: str,
    *,
    designs: RowDesigns | Mapping[Hashable, RowDesigns],
    weights: Hashable | None = None,
    clusters: Hashable | None = None,
    **options: object,
) -> FormulaRegression:
    """Regress a yes/no column on others, where it or one of them is disguised, or both are.

    Parameters
    ----------
    frame : DataFrame
        A row for each respondent.
    formula : str
        Such as "affair ~ sex * np.log(age) + C(year)", with the meaning that R and patsy give it.
    designs : ResponseDesign, Series of ResponseDesign, or mapping of column to one of these
        A design alone is that of the response. A Series has the design of each row.
    weights : hashable, optional
        A column of weights.
    clusters : hashable, optional
        A column that says who was drawn together.
    **options
        There are no others: they are refused by name.

    Returns
    -------
    FormulaRegression
        ``summary()``, ``params``, ``t_test()``, ``predict()``.

    Raises
    ------
    PrivacyError
        ``regression``, ``frame``, ``answers``, ``designs``, ``formula``.

    Notes
    -----
    See `privacy.regression.formula_regression.fit_formula`. A design of one coin for several questions, given
    for the response and for a predictor, is taken as one coin for both.

    Examples
    --------
    40 of 100 men and 50 of 100 women say yes under forced response, 1/6 each: .35 and .5 of them.

    >>> import pandas
    >>> from privacy.library.designs import forced_response
    >>> people = pandas.DataFrame({
    ...     "affair": [1] * 400 + [0] * 600 + [1] * 500 + [0] * 500,
    ...     "sex": ["man"] * 1000 + ["woman"] * 1000})
    >>> regression = logistic_regression(people, "affair ~ sex", designs=forced_response(yes=1/6, no=1/6))
    >>> regression.predict(pandas.DataFrame({"sex": ["man", "woman"]})).round(3).tolist()
    [0.35, 0.5]
    """
    check_options(options)
    frame = read_frame(frame)
    read = Formula.of(formula, map(str, frame.columns))
    stated = dict(designs) if isinstance(designs, Mapping) else {read.response: designs}
    names = (read.response, *read.names)
    for name in stated:
        if name not in names:
            raise PrivacyError("regression.predictor", name, names=", ".join(names))
    used = (*(name for name in read.names if name in stated), read.response)
    laws, which = zip(*(row_designs(stated.get(name, truthful()), len(frame)) for name in used), strict=True)
    for name, own in zip(used, laws, strict=True):
        for law in own:
            _check_answers(law, name)
    # Rows whose columns have the same designs are a group.
    kinds, group = np.unique(np.stack(which), axis=1, return_inverse=True)
    by_group = [[own[at] for own, at in zip(laws, kind, strict=True)] for kind in kinds.T.tolist()]
    reports = [
        answer_codes(pick(frame, [name])[0], own[0].reports if name in stated else YES_NO)[1]
        for name, own in zip(used, laws, strict=True)
    ]
    rows = [shared_row(*own) for own in by_group] if len(stated) == len(used) == 2 else []
    if any(row is not None for row in rows):
        matrices = np.stack([row.matrix.as_array() for row in rows if row is not None])
        blocks = [LatentReports(names=used, channels=matrices, reports=2 * reports[0] + reports[1])]
    else:
        blocks = [
            LatentReports(
                names=(name,),
                channels=np.stack([own[at].channel.as_array() for own in by_group]),
                reports=reports[at],
            )
            for at, name in enumerate(used)
        ]
    return fit_formula(
        frame,
        read,
        blocks,
        group=group.ravel(),
        is_complete=np.ones(len(frame), dtype=bool),
        mass=None if weights is None else column_weights(frame, weights),
        clusters=None if clusters is None else cluster_members(pick(frame, [clusters])[0], clusters),
    )


def _check_answers(law: Any, name: str) -> None:
    design: ResponseDesign = checked_design(law)
    if design.values != YES_NO:
        raise PrivacyError("regression.levels", repr(design), column=name)
