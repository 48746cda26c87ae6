"""Refusals of trials, in English as all that their commands print."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "coverage.too_small": ("--%(name)s %(given)s is too small", "give at least %(least)s"),
    "decoys": ("decoys add up to %(total)g", "give chances that add up to 1"),
    "direct": (
        "model %(model)r has no direct group, but %(value)s direct rows",
        "choose 'grouping', 'improved' or 'blocks', or leave out the column that marks direct rows",
    ),
    "experiment.columns": ("%(name)s has %(count)s columns", "give 1 to %(most)s"),
    "file.adult": ("%(path)s cannot be read (%(error)s)", "give adult.data"),
    "file_size.adult": ("%(path)s is too large", "give adult.data"),
    "location.columns": ("%(path)s has the columns %(header)s", "name two of them lat and lon"),
    "location.file": ("%(path)s cannot be read: %(error)s", "give a CSV file in UTF-8"),
    "location.line": ("%(path)s, line %(number)s: %(line)r holds no two numbers", ""),
    "no_run": (
        "Survey %(slug)s has no finished run whose groups may be shown.",
        "mine it first, or wait for more answers",
    ),
    "optimise.epsilon": ("--epsilon %(epsilon)g bounds nothing", "give more than 0"),
    "optimise.questions": ("--questions %(questions)s is out of range", "give 1 to %(most)s"),
    "optimise.out_of_reach": (
        "no design keeps a ceiling of %(ceiling)g on epsilon",
        "raise the ceiling, ask fewer questions, or sink p",
    ),
    "optimise.rotating": (
        "with --rotating %(questions)s questions and itemsets of up to %(items)s items have no design",
        "give --epsilon, and at least as many questions as items",
    ),
    "option.out": ("%(out)s cannot be written: %(error)s", ""),
    "option.seed": ("--seed %(seed)s is negative", "give 0 or more"),
    "paper.facts": ("not every fact came out", ""),
    "paper.number": ("--%(name)s %(given)s is out of range", "give %(least)s to %(most)s"),
    "part": ("%(value)s do not lie in the area", "give rectangles inside it"),
    "points.antimeridian": ("the places lie across the antimeridian", "give places on one side of it"),
    "points.degrees": (
        "latitudes up to %(latitude)g, longitudes up to %(longitude)g",
        "give degrees, within 80 of the equator and 180 of Greenwich",
    ),
    "points.few": ("%(value)s places", "give ten places or more, with two numbers each"),
    "points.one": ("all places are one", "give places that differ"),
    "points.pair": ("place %(value)s of %(count)s has no two numbers", "give degrees, or take it out"),
    "points.shape": ("points of shape %(value)s", "give places inside the square"),
    "ragged.adult": (
        "%(path)s, record %(number)s has %(value)s cells, not %(count)s",
        "give adult.data as the UCI repository has it",
    ),
    "simulate.k": ("--k %(k)s is no probability", "give one from 0 to 1"),
    "simulate.prevalence": (
        "--prevalence names %(count)s shares for %(total)s items",
        "give one for each, or one for all",
    ),
    "simulate.range": ("--%(name)s %(given)s is out of range", "give %(limits)s"),
    "support": ("support = %(value)g is not above 0", "raise it"),
    "theta": (
        "theta = %(value)g is near .5, where the answers say nothing",
        "choose a theta at least %(least_tilt)g away from .5",
    ),
    "too_many_itemsets": (
        "%(count)s items have %(value)s itemsets of up to %(max_size)s items",
        "take fewer items or shorter itemsets: at most %(most)s are listed",
    ),
    "whole_rows": (
        "block %(value)s may be skipped, is not asked of all, or holds a number or a place",
        "take a design that asks everybody every question, and only of options",
    ),
    "zero_one.cell": ("%(path)s, line %(number)s, column %(name)r: %(cell)r is neither 0 nor 1", ""),
    "zero_one.cells": ("%(path)s, line %(number)s: %(count)s cells for %(columns)s columns", ""),
    "zero_one.empty": ("%(path)s has no row below its header", "give at least one"),
    "zero_one.no_column": ("%(path)s has no column %(name)r", "its columns: %(header)s"),
    "zero_one.several": ("%(path)s has several columns %(name)r", "give each a name of its own"),
}
