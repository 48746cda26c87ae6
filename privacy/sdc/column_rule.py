"""The rule of a column: its role and kind, its missing values, and the coding of its extremes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from privacy.errors import PrivacyError
from privacy.validation import one_of

ROLES: Final = ("identifier", "quasi_identifier", "sensitive", "insensitive", "disguised", "weight")
_COLUMN_KINDS: Final = ("categorical", "numeric")
_MISSING_POLICIES: Final = ("refuse", "value", "drop")


@dataclass(frozen=True, kw_only=True)
class ColumnRule:
    """Role, kind and missing values of one column.

    Parameters
    ----------
    name : str
        The column's name in the header.
    role : str
        One of ``identifier`` (never released), ``quasi_identifier`` (generalised), ``sensitive`` (released,
        protected by the models), ``insensitive`` (released unchanged), ``disguised`` (already disguised;
        released unchanged and marked in the codebook) and ``weight`` (a sampling weight, averaged in each
        class). There is no default.
    kind : str
        ``categorical`` or ``numeric``.
    missing : str
        ``refuse`` (an empty cell is an error), ``value`` (missing is a separate value, never a wildcard that
        matches every value) or ``drop`` (the record is left out and counted).
    missing_texts : tuple of str
        Texts that represent "missing".
    bottom, top : float or None
        Bottom and top coding: numbers below `bottom` become `bottom`, numbers above `top` become `top`.

    Raises
    ------
    PrivacyError
        If the role, kind or policy is unknown, `bottom` is above `top`, a categorical column has either, or
        `missing` is ``value`` for a numeric column.

    Examples
    --------
    >>> ColumnRule(name="age", role="quasi_identifier", kind="numeric", top=85).top
    85
    """

    name: str
    role: str
    kind: str = "categorical"
    missing: str = "refuse"
    missing_texts: tuple[str, ...] = ("",)
    bottom: float | None = None
    top: float | None = None

    def __post_init__(self) -> None:
        one_of(self.role, f"role of column {self.name!r}", allowed=ROLES, code="role")
        one_of(self.kind, f"kind of column {self.name!r}", allowed=_COLUMN_KINDS, code="kind")
        one_of(
            self.missing,
            f"missing-value policy of column {self.name!r}",
            allowed=_MISSING_POLICIES,
            code="missing_policy",
        )
        has_limits = self.bottom is not None or self.top is not None
        if has_limits and self.kind != "numeric":
            raise PrivacyError(
                "coding.categorical", self.bottom if self.bottom is not None else self.top, name=self.name
            )
        if self.bottom is not None and self.top is not None and self.bottom > self.top:
            raise PrivacyError("coding.order", self.bottom, name=self.name, top=self.top)
        if self.kind == "numeric" and self.missing == "value":
            raise PrivacyError("missing_policy", self.missing, name=self.name)
