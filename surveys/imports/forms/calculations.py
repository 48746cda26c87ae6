"""The calculations of a form: what a composite question can compute is proposed, the rest noted.

Devices then send the computed answer instead of the answers. A calculation that no rule computes exactly is
noted with its formula.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from surveys.formats.joints import list_text, series_text
from surveys.imports.drafts.questionnaire import (
    IMPORTED_KINDS,
    LOST,
    SEVERAL,
    WRONG,
    Question,
    Questionnaire,
    Score,
)
from surveys.imports.formulas.form_conditions import Known
from surveys.imports.formulas.formula_rules import Rule, rule_of
from surveys.imports.formulas.formula_sums import Answers, NoPoints
from surveys.imports.formulas.syntax import Unsayable, answer_name, names_in, tree_of
from surveys.imports.scores.proposals import levels_text
from surveys.imports.scores.unscored_answers import unscored_text
from surveys.questionnaire.languages import text_in

_DEEPEST: Final = 12
_MOST_NODES: Final = 5_000
_LEAST_COMPONENTS: Final = 2
_SHOWN: Final = 200


@dataclass(frozen=True, kw_only=True)
class Calculation:
    """A row of a form that computes something."""

    line: int
    name: str
    formula: str


def propose_calculated(
    survey: Questionnaire, calculations: Sequence[Calculation], questions: Known, note: Callable[..., None]
) -> None:
    """Propose one answer for each calculation that a composite question can compute, and note all others.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their kinds.
    calculations : sequence of Calculation
    questions : mapping
        All questions of the form.
    note : callable
        Adds a note: line, column, message, remedy, and members of `Note`.
    """
    trees = {each.name: tree for each in calculations if (tree := tree_of(each.formula)) is not None}
    answers = {
        name: own for name, (question, keys) in questions.items() if (own := answers_of(question, keys))
    }
    found: dict[str, Rule] = {}
    lacking: dict[str, str] = {}
    for each in calculations:
        try:
            if each.name in trees:
                found[each.name] = rule_of(written_out(trees[each.name], trees), answers)
        except NoPoints as error:
            lacking[each.name] = str(error)
        except (Unsayable, RecursionError):
            continue
    parts = {name: names_in(tree) for name, tree in trees.items()}
    proposed = {name: rule for name, rule in found.items() if len(rule.points) >= _LEAST_COMPONENTS}
    # A total of which only the level is used is no answer of its own.
    covered = {name for each in proposed for name in parts[each]}
    for each in calculations:
        if each.name in proposed and each.name not in covered:
            _propose(survey, each, proposed[each.name], questions, note)
        elif each.name not in covered:
            # Points can be given to options only, not to numbers, dates and places.
            without_points = lacking.get(each.name)
            _note_formula(each, questions[without_points] if without_points in answers else None, note)


def answers_of(question: Question, keys: Mapping[str, str]) -> Answers | None:
    """Return the answers to a question of a form; None if these are no options.

    Parameters
    ----------
    question : Question
    keys : mapping of str to str
        The key of each option by its name in the form.
    """
    if question.kind == SEVERAL:
        lines = tuple(question.lines.get(key, "") for key in keys.values())
        return Answers(names=tuple(keys), components=lines, is_several=True)
    if not keys or not question.is_asked or IMPORTED_KINDS[question.kind].is_scale:
        return None
    order = [option.key for option in question.options] or ["no", "yes"]
    names = sorted(keys, key=lambda name: order.index(keys[name]))
    return Answers(names=tuple(names), components=(question.key,))


def written_out(tree: ast.expr, trees: Mapping[str, ast.expr]) -> ast.expr:
    """Return a formula with the formulas of the calculations that it uses in their places.

    Raises
    ------
    Unsayable
        Calculations use each other, or the result is too long.
    """

    class _Replace(ast.NodeTransformer):
        def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
            return trees.get(answer_name(node) or "", node)

    for _round in range(_DEEPEST):
        if not names_in(tree) & trees.keys():
            return tree
        # The visitor changes its tree, so it gets a copy; the parts are shared.
        tree = _Replace().visit(ast.parse(ast.unparse(tree), mode="eval").body)
        if sum(1 for _node in ast.walk(tree)) > _MOST_NODES:
            break
    raise Unsayable("calculations that use each other")


def _note_formula(
    calculation: Calculation, lacking: tuple[Question, Mapping[str, str]] | None, note: Callable[..., None]
) -> None:
    if lacking is not None:
        note(
            calculation.line,
            "calculation",
            _("the form adds up answers without points: %(questions)s")
            % {"questions": list_text([text_in(lacking[0].texts)])},
            _("set the points in the builder: send one answer"),
            effect=WRONG,
        )
        return
    note(
        calculation.line,
        "calculation",
        _("the form computes %(formula)s, which devices do not do here")
        % {"formula": calculation.formula[:_SHOWN]},
        _("to send one answer, use “One answer” in the builder: points, and where each level starts"),
        effect=LOST,
        cause="calculate",
    )


def _propose(
    survey: Questionnaire, calculation: Calculation, rule: Rule, questions: Known, note: Callable[..., None]
) -> None:
    lines = [questions[name][0].line for name in rule.names]
    members = {"points": rule.points, "missing": rule.missing}
    gaps = "whole" if rule.missing else ""
    score = Score(line=calculation.line, questions=lines, levels=rule.levels, rule=members, gaps=gaps)
    survey.scores.append(score)
    said = _(
        "the form computes %(formula)s; devices can compute it from %(count)s answers and send one "
        "answer instead: %(levels)s"
    ) % {
        "formula": calculation.formula[:_SHOWN],
        "count": len(rule.points),
        "levels": levels_text(rule.levels),
    }
    note(
        calculation.line,
        "calculation",
        series_text(filter(None, (said, unscored_text(survey, score)))),
        _("check the licence of this instrument"),
        asks="score",
        target=lines[0],
    )
