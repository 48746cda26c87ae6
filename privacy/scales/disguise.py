"""What every disguise of a number or a place can do; questions, estimates and audits ask it nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from privacy.arrays import Array, Flags, Whole


class ScaleDisguise(ABC):
    """Disguise of a number (`window.WindowChannel`) or a place (`planar_window.PlanarWindowChannel`)."""

    @property
    @abstractmethod
    def domain(self) -> tuple[object, ...]:
        """Range or map with its items; disguises of the same domain disguise the same answers."""

    @property
    @abstractmethod
    def declared(self) -> tuple[Any, ...]:
        """Spans or regions of the items that the question declares."""

    @property
    def n_declared(self) -> int:
        """Number of items that the question declares."""
        return len(self.declared)

    @property
    def is_as_answered(self) -> bool:
        """Whether it is the identity, which open blocks use."""
        return False

    @property
    def exact_outside(self) -> bool:
        """Whether it sends some answers as they are, so that a report can be certainly true."""
        return False

    @property
    def sends_the_answer(self) -> bool:
        """Whether what it sends is the number that the respondent gave."""
        return False

    def is_exact_in(self, target: Any) -> bool:
        """Return whether it sends some answers of a target (`ScaleQuestion.part_scores`) as they are."""
        return False

    @property
    @abstractmethod
    def decoy_bound(self) -> Fraction:
        """Amplification between an answer and a decoy; it determines the bound of a skip."""

    @property
    @abstractmethod
    def level_bounds(self) -> tuple[Fraction, ...]:
        """Amplification of each level of sensitivity; empty if there is no bound."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """Shape of a table of the true answers: (bins,), or (rows, columns) of a map."""

    @abstractmethod
    def maps(self) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
        """Return the channel and its transpose, each along the last axis; maps are flattened row by row."""

    @abstractmethod
    def largest_joint(self, shares: Array) -> tuple[Array, Array]:
        """Return max_x K(y, x) s(x) and sum_x K(y, x) s(x) for each output y, shape (outputs,).

        Parameters
        ----------
        shares : ndarray
            s, the shares of the true answers; of `shape`, or flat.
        """

    @abstractmethod
    def sent(self, answers: Whole, draws: NDArray[Any]) -> Whole:
        """Return the output that each row sends for its answer under its draw, shape (n,)."""

    @abstractmethod
    def are_decoys(self, draws: NDArray[Any]) -> Flags:
        """Flag the draws that send the same output for every answer, shape (n,)."""
