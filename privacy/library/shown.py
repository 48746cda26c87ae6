"""Results as a notebook shows them: a DataFrame, a table of HTML, a picture of estimates with intervals."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy.errors import PrivacyError

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame

__all__ = ["Shown"]


class Shown:
    """Base of results that have a DataFrame: first the figure, then its error, with ``low`` and ``high``."""

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return the figures, a row each, with intervals of a level."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        """Return the table that notebooks show."""
        return str(self.to_frame().to_html(float_format=lambda figure: f"{figure:.4g}"))

    def plot(self, level: float = 0.95, ax: Any = None) -> Any:
        """Draw each figure as a point with its interval, the first row at the top.

        Parameters
        ----------
        level : float, in (0, 1)
        ax : matplotlib axes, optional
            New ones if left out.

        Returns
        -------
        matplotlib axes

        Raises
        ------
        PrivacyError
            ``plot``: matplotlib is not installed.
        """
        table = self.to_frame(level)
        if ax is None:
            try:
                ax = import_module("matplotlib.pyplot").subplots()[1]
            except ModuleNotFoundError as error:
                raise PrivacyError("plot", error.name) from None
        value, rows = table.iloc[:, 0].to_numpy(dtype=float), np.arange(len(table))[::-1]
        ends = [table[name].to_numpy(dtype=float) for name in ("low", "high") if name in table]
        ax.errorbar(value, rows, xerr=np.abs(np.stack(ends) - value) if ends else None, fmt="o", capsize=3)
        ax.set_yticks(rows, [" ".join(map(str, np.atleast_1d(label))) for label in table.index.tolist()])
        ax.set_xlabel(f"{table.columns[0]}, {100 * level:g} % interval" if ends else table.columns[0])
        return ax
