"""The publisher's report of a release: risk, utility, pictures with their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from anonymisation.charts.bars import Bar, bars_svg, before_and_after
from anonymisation.microdata.attackers import Attacker
from anonymisation.microdata.expert_matrix import matrix_lines
from anonymisation.microdata.lattice_figure import lattice_document, lattice_drawing
from anonymisation.microdata.made import Made
from privacy.sdc import (
    Classes,
    ClassMatrix,
    background_knowledge,
    beliefs,
    disclosures,
    homogeneous,
    leakage,
    rho_breach,
    risk,
    singling_sets,
    unicity,
)
from privacy.sdc.attacks import Marginal, marginal
from privacy.sdc.bayes_beliefs import BeliefAudit
from privacy.sdc.column_error import query_error
from surveys.charts.curves import Series, curves_svg

__all__ = ["report_html"]

_DELTA = 0.1
_EPSILON = 0.05
_RHO = (0.1, 0.5)
_MOST_FOR_SUBSETS = 200_000


def report_html(
    made: Made,
    *,
    comparison: Sequence[Mapping[str, Any]],
    population: np.ndarray | None,
    audits: Sequence[tuple[Attacker, BeliefAudit]],
) -> str:
    """Write the report as one HTML file without anything to load."""
    classes = made.classes
    sizes = classes.crowds(made.owners)
    context = {
        "made": made,
        "people": made.published_people,
        "models": [asdict(measure) for measure in made.measures],
        "verdicts": made.verdicts,
        "loss": made.loss,
        "risk": risk(sizes, population=population, threshold=made.config.threshold),
        "sensitive": [_sensitive(made, classes, column.name) for column in made.released.sensitive],
        "singling": _singling(made),
        "unicity": _unicity(made),
        "marginals": _marginals(made),
        "query": query_error(
            made.source,
            made.released,
            made.domains,
            rng=np.random.default_rng(0),
            columns=min(2, len(made.source.quasi_identifiers)),
        ),
        "class_sizes": _class_sizes(sizes),
        "errors": made.errors,
        "loss_picture": _bars(_("Loss by column"), list(made.loss.by_column.items()), most=1.0),
        "matrix": _matrix(made),
        "comparison": comparison,
        "comparison_picture": _comparison_picture(comparison),
        "frontier": made.frontier,
        "frontier_picture": _frontier_picture(made.frontier),
        "attackers": [
            {"known": attacker.known, "column": attacker.sensitive, "found": audit}
            for attacker, audit in audits
        ],
        "lattice": lattice_drawing(lattice_document(made.tradeoff)),
    }
    return render_to_string("anonymisation/report.html", context)


def _matrix(made: Made) -> dict[str, Any] | None:
    """Return an expert's matrix with the share of each column in the loss."""
    rows = matrix_lines(made.config.matrix, made.source)
    if not rows or made.weights is None:
        return None
    names = list(next(iter(rows.values())))
    total = sum(made.weights.values())
    return {
        "column": made.source.sensitive[0].name,
        "names": names,
        "rows": [(value, list(row.values())) for value, row in rows.items()],
        "weights": [made.weights[name] / total for name in names],
    }


def _frontier_picture(frontier: Sequence[tuple[float, float]]) -> SafeString | None:
    if not frontier:
        return None
    ilp, entropy = zip(*frontier, strict=True)
    return curves_svg(
        [Series(label=_("entropy l"), x=ilp, y=entropy)],
        title=_("Diversity without a false value"),
        x_label=_("information loss penalty (ILP)"),
        y_label=_("entropy l"),
        paper=False,
    )


def _bars(title: str, rows: Sequence[tuple[str, float]], *, most: float | None = None) -> SafeString:
    return bars_svg([Bar(label=label, value=value) for label, value in rows], title=title, most=most)


def _class_sizes(sizes: np.ndarray) -> dict[str, Any]:
    values, counts = np.unique(sizes, return_counts=True)
    rows = list(zip(values.tolist(), counts.tolist(), strict=True))
    if len(rows) > 20:
        rows = [*rows[:19], (f"{rows[19][0]} to {rows[-1][0]}", sum(count for _size, count in rows[19:]))]
    return {"rows": rows, "picture": _bars(_("Classes by size"), [(str(a), float(b)) for a, b in rows])}


def _sensitive(made: Made, classes: Classes, name: str) -> dict[str, Any]:
    column = made.released.column(name)
    matrix = ClassMatrix.of(classes, column, made.owners)
    alone = homogeneous(matrix, column.real)
    before = made.classes_before
    held = beliefs(before, classes, column)
    knowledge = background_knowledge(matrix)
    return {
        "name": name,
        "leakage": leakage(matrix),
        "raw": leakage(ClassMatrix.of(before, column, made.owners)),
        "homogeneous": len(alone),
        "homogeneous_share": len(alone) / matrix.n_classes,
        "homogeneous_list": alone[:20],
        "weakest": knowledge.weakest,
        "certainty": list(enumerate(knowledge.certainty)),
        "disclosures": disclosures(held, delta=_DELTA, epsilon=_EPSILON),
        "breaches": rho_breach(held, rho1=_RHO[0], rho2=_RHO[1]),
    }


def _singling(made: Made) -> list[Any]:
    if len(made.source) > _MOST_FOR_SUBSETS:
        return []
    sets = singling_sets(made.source.quasi_identifiers, longest=3)
    return sorted(sets, key=lambda singled: -singled.people)[:10]


def _unicity(made: Made) -> list[Any]:
    columns = made.source.quasi_identifiers
    if len(made.source) > _MOST_FOR_SUBSETS:
        return []
    rows = []
    for points in range(1, min(len(columns), 4) + 1):
        before = unicity(columns, points, rng=np.random.default_rng(0))
        after = unicity(made.released.quasi_identifiers, points, rng=np.random.default_rng(0))
        rows.append((points, before, after))
    return rows


def _marginals(made: Made) -> list[dict[str, Any]]:
    """Return counts by column before and after; cells below k are pooled, so that none is of one person."""
    marginals = []
    for source in made.source.quasi_identifiers:
        own = marginal(source, made.released.column(source.name), made.domains[source.name])
        rows = _pooled(own, made.config.k, len(made.source))
        marginals.append(
            {
                "name": own.name,
                "distance": own.distance,
                "rows": rows,
                "picture": before_and_after(own.name, rows),
            }
        )
    return marginals


def _pooled(own: Marginal, k: int, n: int) -> list[tuple[str, float, float]]:
    rows = list(zip(own.cells, own.before, own.after, strict=True))
    large = [row for row in rows if row[1] * n >= k][:20]
    rest = [row for row in rows if row not in large]
    if rest:
        large.append((_("other"), sum(row[1] for row in rest), sum(row[2] for row in rest)))
    return large


def _comparison_picture(comparison: Sequence[Mapping[str, Any]]) -> SafeString | None:
    rows = [(str(row["algorithm"]), float(row["ncp"])) for row in comparison if "ncp" in row]
    return _bars(_("Loss (NCP) by algorithm"), rows, most=1.0) if rows else None
