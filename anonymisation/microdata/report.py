"""The publisher's report of a release, and the description of its methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from anonymisation.microdata.knowledge import Attacker, matrix_lines
from anonymisation.microdata.made import Made
from anonymisation.microdata.pictures import (
    Bar,
    bars_svg,
    before_and_after,
    lattice_document,
    lattice_drawing,
)
from privacy.sdc.attacks import Marginal, background_knowledge, homogeneous, marginal
from privacy.sdc.bayes_beliefs import BeliefAudit, beliefs, disclosures, rho_breach
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.models import leakage
from privacy.sdc.queries import query_error
from privacy.sdc.risk import risk, singling_sets, unicity
from surveys.formats.curves import Series, curves_svg

_DELTA = 0.1
_EPSILON = 0.05
_RHO = (0.1, 0.5)
_MOST_FOR_SUBSETS = 200_000


def report_html(
    made: Made,
    *,
    population: np.ndarray | None,
    audits: Sequence[tuple[Attacker, BeliefAudit]],
) -> str:
    """Write the report as one HTML file that loads nothing."""
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


_ALGORITHMS: Final = {
    "tight": "neighbouring records form groups (k-member clustering with local search)",
    "bottom-up": "groups are merged in pairs, round by round (bottom-up)",
    "ilp": (
        "groups are merged in pairs within clusters of sensitive values, and some sensitive "
        "values are then changed (ILP)"
    ),
    "kacluk": "groups are merged at random within clusters of sensitive values (KACLUK)",
    "samarati": ("each column is generalised to the same level in all records (global recoding, Samarati)"),
}
_MODELS: Final = {
    "distinct_l": "has at least {asked:g} different values of {name} (l-diversity)",
    "entropy_l": "has an entropy of {name} of at least log {asked:g} (entropy l-diversity)",
    "c": "keeps recursive diversity of {name} with c = {asked:g}",
    "alpha": "has no value of {name} with a share above {asked:g} ((alpha, k)-anonymity)",
    "t": "differs from the whole table in {name} by at most {asked:g} (t-closeness)",
    "basic_beta": (
        "increases the share of no value of {name} by more than {asked:g} of its share (beta-likeness)"
    ),
    "enhanced_beta": "keeps enhanced beta-likeness of {name} with beta = {asked:g}",
    "delta": (
        "changes the likelihood of every value of {name} by less than {asked:g} (delta-disclosure privacy)"
    ),
    "rho2": "raises no belief about {name} above {asked:g} (rho1-rho2 privacy)",
}
_SOURCES: Final = {
    "k": "L. Sweeney, k-anonymity: a model for protecting privacy, 2002.",
    "samarati": "P. Samarati, Protecting respondents' identities in microdata release, 2001.",
    "distinct_l": "A. Machanavajjhala and others, l-diversity: privacy beyond k-anonymity, 2006.",
    "t": "N. Li, T. Li, S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and l-diversity, "
    "2007.",
    "rho2": "A. Evfimievski, J. Gehrke, R. Srikant, Limiting privacy breaches in privacy preserving data "
    "mining, 2003.",
    "ncp": "J. Xu and others, Utility-based anonymization using local recoding, 2006.",
}


def methods_text(made: Made) -> str:
    """Return the paragraph and its references, in English like all files of a release."""
    cited = ["k", made.algorithm, *(verdict.model for verdict in made.verdicts), "ncp"]
    sources = [_SOURCES[name] for name in dict.fromkeys(cited) if name in _SOURCES]
    return " ".join(methods_sentences(made)) + "\n\n" + "".join(f"- {source}\n" for source in sources)


def methods_sentences(made: Made) -> Iterator[str]:
    """Yield sentences about the treatment of the records."""
    known = [column.name for column in made.released.quasi_identifiers]
    people = made.published_people
    n = f"{len(made.released)} records" + (f" of {people} people" if people is not None else "")
    least = next((verdict for verdict in made.verdicts if verdict.model == "k"), None)
    yield f"The release contains {n}."
    yield f"We generalised {', '.join(known)} with Sottovoce: {_ALGORITHMS[made.algorithm]}."
    yield "Each value was replaced by an interval or a group of values."
    if least is not None:
        whom = "records" if people is None else "people"
        yield (
            "Records with the same values in these columns form a group. Each group has at least "
            f"{least.asked:g} {whom} (k-anonymity; the smallest has {least.reached:g})."
        )
    bounds = [
        f"{words.format(name=verdict.sensitive, asked=verdict.asked)}, reached: {verdict.reached:.6g}"
        for verdict in made.verdicts
        if (words := _MODELS.get(verdict.model))
    ]
    if bounds:
        yield f"Each group also {'; '.join(bounds)}."
    if len(made.released.sensitive) > 1:
        yield (
            "These bounds also hold among records with the same values in all other sensitive columns."
            if made.config.multi_attribute
            else "These bounds apply to someone who knows none of the sensitive columns."
        )
    yield (
        f"Generalisation lost {made.loss.ncp:.3f} of the information in these columns (normalised certainty "
        "penalty, 0 to 1)."
    )
    for count, words in (
        (made.loss.suppressed, "were left out so that the others could stay detailed"),
        (made.source.dropped, "were left out because a value was missing"),
        (made.changed, "had a sensitive value changed"),
    ):
        if count:
            yield f"{count} records {words}."
    yield "The records are in random order. The table is not differentially private."
