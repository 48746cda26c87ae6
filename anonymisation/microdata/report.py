"""The publisher's report of a release: its figures, with charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from anonymisation.microdata.attackers import Attacker
from anonymisation.microdata.bars_picture import RiskBar, bars_svg, before_and_after
from anonymisation.microdata.build import Build
from anonymisation.microdata.expert_matrix import matrix_lines
from anonymisation.microdata.lattice_picture import lattice_document, lattice_drawing
from privacy.sdc.attacks import background_knowledge, homogeneous
from privacy.sdc.bayes_beliefs import BeliefAudit, beliefs, disclosures, rho_breach
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.leakage import leakage
from privacy.sdc.marginals import Marginal, marginal
from privacy.sdc.query_accuracy import query_error
from privacy.sdc.reidentification_risk import risk
from privacy.sdc.singling_out import singling_sets, unicity
from privacy.sdc.table import Column

_DELTA = 0.1
_EPSILON = 0.05
_RHO = (0.1, 0.5)
_MOST_FOR_SUBSETS = 200_000


def report_html(result: Build, audits: Sequence[tuple[Attacker, BeliefAudit]]) -> str:
    """Return the report as a single HTML page."""
    classes = result.classes
    sizes = classes.crowds(result.owners)
    context = {
        "made": result,
        "people": result.published_people,
        "counting": result.counting,
        "models": [asdict(measure) for measure in result.measures],
        "verdicts": result.verdicts,
        "loss": result.loss,
        "risk": risk(sizes),
        "sensitive": [_sensitive(result, classes, column.name) for column in result.table.sensitive],
        "singling": _singling(result),
        "unicity": _unicity(result),
        "marginals": _marginals(result),
        "query": query_error(
            result.source,
            result.table,
            result.domains,
            rng=np.random.default_rng(0),
            columns=min(2, len(result.source.quasi_identifiers)),
        ),
        "class_sizes": _class_sizes(sizes),
        "errors": result.errors,
        "loss_picture": _bars(_("Loss by column"), list(result.loss.by_column.items()), most=1.0),
        "matrix": _matrix(result),
        "attackers": [
            {"known": attacker.known, "column": attacker.sensitive, "found": audit}
            for attacker, audit in audits
        ],
        "lattice": lattice_drawing(lattice_document(result.tradeoff)),
    }
    return render_to_string("anonymisation/report.html", context)


def _matrix(result: Build) -> dict[str, Any] | None:
    """Return an expert's matrix with the share of each column in the loss."""
    rows = matrix_lines(result.config.matrix, result.source)
    if not rows or result.weights is None:
        return None
    names = list(next(iter(rows.values())))
    total = sum(result.weights.values())
    return {
        "column": result.source.sensitive[0].name,
        "names": names,
        "rows": [(value, list(row.values())) for value, row in rows.items()],
        "weights": [result.weights[name] / total for name in names],
    }


def _bars(title: str, rows: Sequence[tuple[str, float]], *, most: float | None = None) -> SafeString:
    return bars_svg([RiskBar(label=label, value=value) for label, value in rows], title=title, most=most)


def _class_sizes(sizes: np.ndarray) -> dict[str, Any]:
    values, counts = np.unique(sizes, return_counts=True)
    rows = list(zip(values.tolist(), counts.tolist(), strict=True))
    if len(rows) > 20:
        rows = [*rows[:19], (f"{rows[19][0]} to {rows[-1][0]}", sum(count for _size, count in rows[19:]))]
    return {"rows": rows, "picture": _bars(_("Classes by size"), [(str(a), float(b)) for a, b in rows])}


def _sensitive(result: Build, classes: Classes, name: str) -> dict[str, Any]:
    column = result.table.column(name)
    matrix = ClassMatrix.of(classes, column, result.owners)
    alone = homogeneous(matrix, column.real)
    before = result.classes_before
    posterior = beliefs(*_by_person(result, before, classes, column))
    knowledge = background_knowledge(matrix)
    return {
        "name": name,
        "leakage": leakage(matrix),
        "raw": leakage(ClassMatrix.of(before, column, result.owners)),
        "homogeneous": len(alone),
        "homogeneous_share": len(alone) / matrix.n_classes,
        "homogeneous_list": alone[:20],
        "weakest": knowledge.weakest,
        "certainty": list(enumerate(knowledge.certainty)),
        "disclosures": disclosures(posterior, delta=_DELTA, epsilon=_EPSILON),
        "breaches": rho_breach(posterior, rho1=_RHO[0], rho2=_RHO[1]),
    }


def _by_person(
    result: Build, before: Classes, classes: Classes, column: Column
) -> tuple[Classes, Classes, Column]:
    """Return classes before and after, and a column, with one record of each person for each value."""
    if result.owners is None:
        return before, classes, column
    rows = distinct_rows([result.owners, column.codes])[0]
    once = [Classes.from_numbers(each.number[rows]) for each in (before, classes)]
    return once[0], once[1], column.take(rows)


def _singling(result: Build) -> list[Any]:
    if len(result.source) > _MOST_FOR_SUBSETS:
        return []
    sets = singling_sets(result.source.quasi_identifiers, longest=3, people=result.people)
    return sorted(sets, key=lambda singled: -singled.people)[:10]


def _unicity(result: Build) -> list[Any]:
    columns = result.source.quasi_identifiers
    if len(result.source) > _MOST_FOR_SUBSETS:
        return []
    rows = []
    for points in range(1, min(len(columns), 4) + 1):
        before = unicity(columns, points, rng=np.random.default_rng(0), people=result.people)
        after = unicity(
            result.table.quasi_identifiers, points, rng=np.random.default_rng(0), people=result.owners
        )
        rows.append((points, before, after))
    return rows


def _marginals(result: Build) -> list[dict[str, Any]]:
    """Return shares by column before and after; cells of fewer than k people, or records, are pooled."""
    marginals = []
    for source in result.source.quasi_identifiers:
        distribution = marginal(
            source, result.table.column(source.name), result.domains[source.name], people=result.people
        )
        rows = _pool_cells(distribution, result.config.k)
        marginals.append(
            {
                "name": distribution.name,
                "distance": distribution.distance,
                "rows": rows,
                "picture": before_and_after(distribution.name, rows),
            }
        )
    return marginals


def _pool_cells(distribution: Marginal, k: int) -> list[tuple[str, float, float]]:
    rows = list(zip(distribution.cells, distribution.before, distribution.after, strict=True))
    large = [row for row, crowd in zip(rows, distribution.crowd, strict=True) if crowd >= k][:20]
    rest = [row for row in rows if row not in large]
    if rest:
        large.append((_("other"), sum(row[1] for row in rest), sum(row[2] for row in rest)))
    return large
