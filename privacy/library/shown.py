"""Results as a notebook shows them: a DataFrame, a table of HTML, a picture of estimates with intervals."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy.errors import PrivacyError

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame

__all__ = ["Shown", "Tabled"]


class Tabled:
    """Base of results that are a DataFrame in a notebook."""

    def to_frame(self) -> DataFrame:
        """Return the figures, a row each."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        """Return the table that notebooks show."""
        return str(self.to_frame().to_html(float_format=lambda figure: f"{figure:.4g}"))


class Shown(Tabled):
    """Base of results with intervals: first the figure, then its error, with ``low`` and ``high``."""

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return the figures, a row each, with intervals of a level."""
        raise NotImplementedError

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
        name = "odds_ratio" if "odds_ratio" in table else table.columns[0]
        value, rows = table[name].to_numpy(dtype=float), np.arange(len(table))[::-1]
        ends = np.stack([table[end].to_numpy(dtype=float) for end in ("low", "high")])
        ax.errorbar(value, rows, xerr=np.abs(ends - value), fmt="o", capsize=3)
        ax.set_yticks(rows, [" ".join(map(str, np.atleast_1d(label))) for label in table.index.tolist()])
        ax.set_xlabel(f"{name}, {100 * level:g} % interval")
        return ax
