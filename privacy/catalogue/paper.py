"""Refusals of estimates from studies that were held without a device."""

from __future__ import annotations

from typing import Final

_DIFFER: Final = "give the chance of each sample; they have to differ"
_LEAVE_OUT: Final = "leave predictors out, or look whether the samples stand the right way round"

WORDS: Final = {
    "paper.quantity": ("the study of %(stratum)s has no %(value)r", "use a quantity that every study has"),
    "paper.strata": ("there are no strata", "pass a study for each stratum"),
    "paper.strata_shares": ("shares are given for %(value)s", "give one share for each of %(strata)s"),
    "paper.strata_sum": ("the shares of the strata add up to %(value).6g", "make them add up to 1"),
    "paper.alike": (
        "the channel of %(value)s probabilities does not distinguish the answers",
        "give each answer its own probabilities: no column may be a combination of others",
    ),
    "paper.careless": (
        "an estimated %(value)s of respondents attend to the anchor: either no one read it, or "
        "its p is reversed",
        "check how reports are coded, and use the anchor's own p",
    ),
    "paper.cells": ("the counts have rows of %(value)s", "pass two rows of two counts each"),
    "paper.certain": (
        "%(name)s is %(value)s, so no answer is random",
        "use the probability of the design, above 0 and below 1",
    ),
    "paper.column": (
        "the probabilities of the reports of %(answer)r add up to %(value)s",
        "give each true answer probabilities of 0 or more that add up to 1",
    ),
    "paper.equal": (
        "%(first)s and %(second)s are both %(value)s, so the second sample adds no information",
        _DIFFER,
    ),
    "paper.equal_samples": (
        "p is %(value)s in both samples, so the second sample adds no information",
        _DIFFER,
    ),
    "paper.half": (
        "%(name)s is %(value)s, so reports carry no information about the answers",
        "use the probability of the design, which must not be one half",
    ),
    "paper.items": (
        "the group with the sensitive item has %(value)s counts, the other group %(control)s",
        "pass counts of 0 to J items for the control group and of 0 to J + 1 for the other, "
        "with J of 1 or more",
    ),
    "paper.nobody": (
        "the estimated share is %(value)s, so honesty cannot be estimated",
        "check whether the samples are swapped",
    ),
    "paper.numbers": ("%(name)s contains %(value)r", "pass finite numbers, two or more in each group"),
    "paper.collinear": (
        "one of the predictors %(value)s is determined by the others",
        "leave it out, together with any column that is the same in every row",
    ),
    "paper.predictor": (
        "predictor %(value)r is not a column of finite numbers",
        "use numbers; for groups use one column of 0 and 1 each",
    ),
    "paper.sample": (
        "column %(column)s contains sample %(value)r, which has no probability",
        "give a probability for each sample; these have one: %(known)s",
    ),
    "paper.shape": (
        "the channel has the shape %(value)s, but there are %(reports)s reports and %(answers)s answers",
        "give one row of probabilities for each report, at most %(most)s, and one column for "
        "each true answer",
    ),
    "paper.grows": (
        "the likelihood has no maximum: a logit exceeded the largest value that is tried",
        _LEAVE_OUT,
    ),
    "paper.loose": (
        "the likelihood has no maximum: a coefficient is not bounded by the data",
        _LEAVE_OUT,
    ),
    "paper.steps": (
        "the likelihood reached no maximum within %(value)s steps",
        _LEAVE_OUT,
    ),
}
