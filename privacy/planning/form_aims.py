"""Adapt an aim when its question changes form: its guesses and its wanted answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TypeVar

from privacy.planning.use import Goal

AnyGoal = TypeVar("AnyGoal", bound=Goal)


def goal_merged(aim: AnyGoal, key: str, options: Sequence[str], merged: str) -> AnyGoal:
    """Return an aim whose guesses of merged answers are added up, if all of them are stated.

    Parameters
    ----------
    aim : Goal
    key : str
        The question.
    options : sequence of str
        The answers that are merged.
    merged : str
        The answer that replaces them.
    """
    gone = {f"{key}={option}" for option in options}
    stated = [aim.shares[item] for item in gone if item in aim.shares]
    shares = {item: share for item, share in aim.shares.items() if item not in gone}
    if len(stated) == len(gone):
        shares[f"{key}={merged}"] = sum(stated)
    return replace(aim, shares=shares)


def goal_of_yes_no(aim: AnyGoal, key: str, option: str) -> AnyGoal:
    """Return an aim for a choice that becomes a yes/no question about one of its answers.

    Parameters
    ----------
    aim : Goal
    key : str
        The choice.
    option : str
    """
    item = f"{key}={option}"
    guess = {key: aim.shares[item]} if item in aim.shares else {}
    others = {each: share for each, share in aim.shares.items() if each.partition("=")[0] != key}
    wanted = tuple(key if each.partition("=")[0] == key else each for each in aim.wanted)
    return replace(aim, wanted=wanted, shares=others | guess)


def goal_without(aim: AnyGoal, keys: Collection[str]) -> AnyGoal:
    """Return an aim without guesses about these questions.

    Parameters
    ----------
    aim : Goal
    keys : collection of str
    """
    shares = {item: share for item, share in aim.shares.items() if item.partition("=")[0] not in keys}
    return replace(aim, shares=shares)
