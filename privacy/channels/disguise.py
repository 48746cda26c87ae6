"""What disguises of numbers and of places have in common; a design without either loads no tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import ClassVar, Literal

__all__ = ["ScaleDisguise"]


class ScaleDisguise(ABC):
    """What a device does to a number (`privacy.channels.window.Band`) or a place (`planar_window.Windows`).

    Attributes
    ----------
    kind : {"number", "place"}
        Of the questions whose answers it disguises.
    """

    kind: ClassVar[Literal["number", "place"]]

    @property
    @abstractmethod
    def asked(self) -> tuple[object, ...]:
        """What is disguised, range or map with the items: disguises that agree in it exchange the same."""

    @property
    @abstractmethod
    def n_declared(self) -> int:
        """Number of items that the question declares."""

    @property
    @abstractmethod
    def decoy_bound(self) -> Fraction:
        """gamma between an answer and what decoys send, which is to bound what a skip tells."""
