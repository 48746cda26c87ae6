"""Refusals of estimates from studies that were held without a device."""

from __future__ import annotations

from typing import Final

_DIFFER: Final = "give the chance of each sample; they have to differ"
_LEAVE_OUT: Final = "leave predictors out, or look whether the samples stand the right way round"

WORDS: Final = {
    "paper.quantity": ("the study of %(stratum)s has no %(value)r", "name a quantity that each of them has"),
    "paper.strata": ("there is no stratum", "give a study for each"),
    "paper.strata_shares": ("shares are stated of %(value)s", "state one for each of %(strata)s"),
    "paper.strata_sum": ("the shares of the strata sum to %(value).6g", "make them sum to 1"),
    "paper.stratum": (
        "no %(name)s is stated of stratum %(value)r",
        "name the column of strata, and state one for each of them",
    ),
    "paper.alike": (
        "the channel of %(value)s chances does not tell the answers apart",
        "give each answer chances of its own: no column may follow from the others",
    ),
    "paper.careless": (
        "of the anchor %(value)s would attend, so nobody read it, or its p is the other way round",
        "look whether reports are coded as meant, and give the anchor's own p",
    ),
    "paper.cells": ("the counts have rows of %(value)s", "give two rows of two counts each"),
    "paper.certain": (
        "%(name)s is %(value)s, and nothing was left to chance",
        "give the chance that the design had, above 0 and below 1",
    ),
    "paper.column": (
        "the chances of the reports of %(answer)r sum to %(value)s",
        "give for each true answer chances of 0 or more that sum to 1",
    ),
    "paper.equal": (
        "%(first)s and %(second)s are both %(value)s, and two samples tell no more than one",
        _DIFFER,
    ),
    "paper.equal_samples": (
        "p of one sample and of the other are both %(value)s, and two samples tell no more than one",
        _DIFFER,
    ),
    "paper.half": (
        "%(name)s is %(value)s, with which reports say nothing of the answers",
        "give the chance that the design had, another than one half",
    ),
    "paper.items": (
        "%(value)s counts of the group that was shown the sensitive item stand beside %(control)s of the "
        "other",
        "give counts of 0 to J items of the one and of 0 to J + 1 of the other, J of 1 or more",
    ),
    "paper.nobody": (
        "the estimated share is %(value)s, and the honesty of nobody is not known",
        "look whether the samples stand the right way round",
    ),
    "paper.numbers": ("%(name)s holds %(value)r", "give finite numbers, two or more in each group"),
    "paper.collinear": (
        "one of the predictors %(value)s follows from the others",
        "leave it out, and what is the same in every row",
    ),
    "paper.predictor": (
        "predictor %(value)r is no column of finite numbers",
        "give numbers; for groups a column of 0 and 1 each",
    ),
    "paper.sample": (
        "column %(column)s holds sample %(value)r, which has no chance",
        "give a chance for each sample; known are %(known)s",
    ),
    "paper.shape": (
        "the channel has the shape %(value)s beside %(reports)s reports and %(answers)s answers",
        "give a row of chances for each report, at most %(most)s, and a column for each true answer",
    ),
    "paper.grows": (
        "the likelihood has no greatest value: a logit passed the largest that is tried",
        _LEAVE_OUT,
    ),
    "paper.loose": (
        "the likelihood has no greatest value: nothing holds a coefficient any more",
        _LEAVE_OUT,
    ),
    "paper.steps": (
        "the likelihood has no greatest value: %(value)s steps did not suffice",
        _LEAVE_OUT,
    ),
}
