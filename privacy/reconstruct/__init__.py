"""From counts of disguised rows back to the population; nothing here ever sees a row."""

from privacy.reconstruct.supports import (
    Columns,
    Estimate,
    Estimates,
    MissingCountError,
    SupportCounts,
    all_terms,
    asked,
    covariance,
    covariance_terms,
    estimate,
    estimates,
    terms,
)

__all__ = [
    "Columns",
    "Estimate",
    "Estimates",
    "MissingCountError",
    "SupportCounts",
    "all_terms",
    "asked",
    "covariance",
    "covariance_terms",
    "estimate",
    "estimates",
    "terms",
]
