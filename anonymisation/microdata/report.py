"""The publisher's report of a release: its figures, its charts, and the description of its methods.

Charts distinguish kinds by shape and shades of grey, not by colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

import numpy as np
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from anonymisation.microdata.files import Build
from anonymisation.microdata.knowledge import Attacker, matrix_lines
from privacy.sdc.attacks import background_knowledge, homogeneous
from privacy.sdc.bayes_beliefs import BeliefAudit, beliefs, disclosures, rho_breach
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.generalisation import distinct_rows
from privacy.sdc.lattice import Tradeoff
from privacy.sdc.privacy_models import leakage
from privacy.sdc.queries import Marginal, marginal, query_error
from privacy.sdc.reidentification_risk import risk, singling_sets, unicity
from privacy.sdc.table import Column
from surveys.formats import svg
from surveys.formats.figures import number, plain

WIDTH: Final = 400.0
EDGE, LINE, THICK, GAP = 6.0, 14.0, 10.0, 3.0
NAME: Final = 165.0
"""Width of the widest label next to a bar; longer labels are cut, but the table shows them in full."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar.

    Attributes
    ----------
    label : str
        Text next to the bar; empty if the bar belongs to the label above.
    value : float
        At least 0.
    kind : int
        Index of its name in the `kinds` of the chart; the first kind is solid, the second hollow.
    """

    label: str
    value: float
    kind: int = 0


def bars_svg(
    bars: Sequence[Bar], *, title: str, kinds: Sequence[str] = (), most: float | None = None
) -> SafeString:
    """Draw a bar chart.

    Parameters
    ----------
    bars : sequence of Bar
    title : str
    kinds : sequence of str
        Meanings of solid and hollow bars.
    most : float, optional
        The natural end of the scale (1 for a share).
    """
    left = EDGE + min(NAME, max((svg.text_width(bar.label) for bar in bars), default=0.0)) + 8
    labels = [plain(bar.value) for bar in bars]
    right = WIDTH - EDGE - max((svg.text_width(text) for text in labels), default=0.0) - 4
    # Readers compare the lengths of bars, so all bars begin at 0.
    longest = max([most or 0.0, *(bar.value for bar in bars)]) or 1.0
    y, places = EDGE + (LINE + 6 if kinds else 0), []
    for bar in bars:
        y += 5 if bar.label else 0
        places.append(y)
        y += THICK + GAP
    drawing = svg.drawing(
        WIDTH,
        y + EDGE,
        title=title,
        description="; ".join(
            " ".join(part for part in (bar.label, *kinds[bar.kind : bar.kind + 1], text) if part)
            for bar, text in zip(bars, labels, strict=True)
        ),
    )
    drawing.attributes["class"] = "bars"
    _draw_kinds(drawing, kinds)
    for bar, text, position in zip(bars, labels, places, strict=True):
        if bar.label:
            svg.text(drawing, left - 6, position + THICK - 1, svg.cut(bar.label, NAME), text_anchor="end")
        length = max(1.0, round((right - left) * bar.value / longest, 2)) if bar.value > 0 else 0.0
        _draw_bar(drawing, left, position, length, bar.kind)
        svg.text(drawing, left + length + 4, position + THICK - 1, text)
    return svg.render_svg(drawing)


def before_and_after(
    title: str, rows: Sequence[tuple[str, float, float]], *, most: float | None = None
) -> SafeString:
    """Draw two bars for each (name, before, after), with a hollow bar for "before".

    Parameters
    ----------
    title : str
    rows : sequence of tuple
    most : float, optional
        The natural end of the scale (1 for a share).
    """
    bars = []
    for label, before, after in rows:
        bars += [Bar(label=label, value=before, kind=1), Bar(label="", value=after)]
    return bars_svg(bars, title=title, kinds=(_("after"), _("before")), most=most)


def _draw_kinds(drawing: svg.Part, kinds: Sequence[str]) -> None:
    """Draw the legend: one bar of each kind with its name."""
    x = EDGE
    for kind, words in enumerate(kinds):
        _draw_bar(drawing, x, EDGE + 2, 16, kind)
        svg.text(drawing, x + 21, EDGE + 11, words)
        x += 21 + svg.text_width(words) + 12


def _draw_bar(drawing: svg.Part, x: float, y: float, length: float, kind: int) -> None:
    look = (
        {"class": "mark", "fill": svg.ACCENT, "stroke": svg.ACCENT},
        {"class": "mark--hollow", "fill": svg.PAPER, "stroke": svg.ACCENT},
    )[kind]
    box = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{length:.1f}", "height": f"{THICK:g}"}
    drawing.add("rect", {**box, **look})


HEIGHT: Final = 372.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 16.0, 92.0, 40.0

Kind = Literal["below", "good", "minimal", "chosen"]
KINDS: Final[tuple[Kind, ...]] = ("below", "good", "minimal", "chosen")
"""Kinds in drawing order, the least important first."""


@dataclass(frozen=True, kw_only=True)
class Dot:
    """One generalisation. Both shares are in [0, 1]; `text` is shown under the pointer."""

    loss: float
    risk: float
    kind: Kind
    text: str = ""


def lattice_svg(dots: Sequence[Dot], path: Sequence[Dot]) -> SafeString:
    """Draw the lattice.

    Parameters
    ----------
    dots : sequence of Dot
    path : sequence of Dot
        Dots of the dashed line from the original table to the chosen node.
    """
    drawing = svg.drawing(WIDTH, HEIGHT, title=_("Risk and loss of all generalisations"))
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    lost, risk = _("information lost"), _("share at risk")
    across = svg.axis_over([dot.loss for dot in (*dots, *path)], start=LEFT, end=right, most=1.0)
    up = svg.axis_over([dot.risk for dot in (*dots, *path)], start=bottom, end=TOP, most=1.0)
    for tick in up.ticks:
        css, stroke = ("axis", svg.STRONG) if tick == up.low else ("grid", svg.LINE)
        svg.line(drawing, LEFT, up.position(tick), right, up.position(tick), css=css, stroke=stroke)
        svg.text(drawing, LEFT - 6, up.position(tick) + 4, up.label(tick), text_anchor="end")
    for tick in across.ticks:
        svg.text(drawing, across.position(tick), bottom + 17, across.label(tick), text_anchor="middle")
    svg.text(drawing, right, HEIGHT - 6, f"{lost} →", text_anchor="end")
    svg.text(drawing, 4, TOP - 14, f"↑ {risk}")
    _key(drawing)
    for kind in KINDS[:2]:
        _marks(drawing, dots, kind, across, up)
    places = " ".join(f"{across.position(dot.loss):g},{up.position(dot.risk):g}" for dot in path)
    drawing.add("polyline", {"points": places, **_PATH})
    for kind in KINDS[2:]:
        _marks(drawing, dots, kind, across, up)
    return svg.render_svg(drawing)


_PATH: Final = {
    "fill": "none", "stroke": svg.INK, "stroke-width": "1.25", "stroke-dasharray": "5 3", "class": "reach",
}  # fmt: skip


def _kinds() -> dict[Kind, str]:
    return {
        "below": _("does not reach k"),
        "good": _("reaches k"),
        "minimal": _("no finer one reaches k"),
        "chosen": _("chosen"),
    }


def _key(drawing: svg.Part) -> None:
    for position, (kind, name) in enumerate(_kinds().items()):
        x, y = 12 + (WIDTH - 12) / 2 * (position % 2), 14 + 18 * (position // 2)
        _mark(drawing, x, y, kind)
        svg.text(drawing, x + 12, y + 4, svg.cut(name, (WIDTH - 12) / 2 - 20))
    drawing.add("polyline", {"points": "4,50 22,50", **_PATH})
    svg.text(drawing, 28, 54, svg.cut(_("path to the chosen one, step by step"), WIDTH - 40))


def _marks(drawing: svg.Part, dots: Sequence[Dot], kind: Kind, across: svg.Axis, up: svg.Axis) -> None:
    # Generalisations with the same two values share a point, which is drawn once.
    seen: dict[tuple[float, float], list[str]] = {}
    for dot in dots:
        if dot.kind == kind:
            seen.setdefault((across.position(dot.loss), up.position(dot.risk)), []).append(dot.text)
    for (x, y), texts in seen.items():
        mark = _mark(drawing, x, y, kind)
        if any(texts):
            mark.add("title", text="\n".join(filter(None, texts)))


def _mark(parent: svg.Part, x: float, y: float, kind: Kind) -> svg.Part:
    if kind == "below":
        return svg.circle(parent, x, y, 1.75, css="mark--quiet", fill=svg.STRONG)
    if kind == "good":
        return svg.circle(
            parent, x, y, 3.5, css="mark--hollow", fill=svg.PAPER, stroke=svg.ACCENT, stroke_width="1.75"
        )
    if kind == "minimal":
        points = f"{x:g},{y - 6:g} {x + 5.5:g},{y + 4:g} {x - 5.5:g},{y + 4:g}"
        return parent.add("polygon", {"points": points, "fill": svg.ACCENT, "class": "mark"})
    return svg.diamond(
        parent, x, y, 7.5, css="mark--below", fill=svg.WARN, stroke=svg.PAPER, stroke_width="1.5"
    )


def lattice_document(tradeoff: Tradeoff | None) -> dict[str, Any]:
    """Return a searched lattice as JSON; empty without global recoding.

    Each node has levels, smallest class, records in classes below k, unique records, share at risk, loss, and
    2 if it is k-minimal, 1 if it reaches k, otherwise 0.
    """
    if tradeoff is None:
        return {}
    return {
        "names": list(tradeoff.names),
        "size": tradeoff.size,
        "path": [list(levels) for levels in tradeoff.path],
        "nodes": [
            [
                *(list(node.levels), node.smallest, node.below_k, node.alone),
                *(node.at_risk, node.loss, node.good + node.minimal),
            ]
            for node in tradeoff.nodes
        ],
    }


def lattice_drawing(lattice: Mapping[str, Any]) -> dict[str, Any]:
    """Draw the evaluated generalisations and the path to the chosen one.

    Parameters
    ----------
    lattice : mapping
        ``names``, ``size``, ``path`` and ``nodes``, as `lattice_document` writes them; empty without
        global recoding.
    """
    if not lattice:
        return {}
    path = [tuple(levels) for levels in lattice["path"]]
    rows = {tuple(node[0]): _row(node, path[-1], path) for node in lattice["nodes"]}
    dots = {levels: _dot(row) for levels, row in rows.items()}
    matter = [row for levels, row in rows.items() if levels in path or row["kind"] in KINDS[2:]]
    return {
        "names": lattice["names"],
        "size": lattice["size"],
        "looked_at": len(rows),
        "whole": len(rows) == lattice["size"],
        "picture": lattice_svg(list(dots.values()), [dots[levels] for levels in path]),
        "rows": matter,
        "others": [row for row in rows.values() if row not in matter],
    }


def _row(node: Sequence[Any], best: tuple[int, ...], path: Sequence[tuple[int, ...]]) -> dict[str, Any]:
    levels, smallest, below_k, alone, at_risk, loss, outcome = node
    kind: Kind = "chosen" if tuple(levels) == best else KINDS[outcome]
    on_path = kind == "below" and tuple(levels) in path
    return {
        "step": sum(levels),
        "levels": levels,
        "kind": kind,
        "what": _("on the path") if on_path else _kinds()[kind],
        "smallest": smallest,
        "below_k": below_k,
        "alone": alone,
        "at_risk": number(at_risk),
        "loss": number(loss),
        "place": (loss, at_risk),
    }


def _dot(row: Mapping[str, Any]) -> Dot:
    loss, risk = row["place"]
    text = "" if row["kind"] not in KINDS[2:] else f"{row['levels']}: {row['loss']}, {row['at_risk']}"
    return Dot(loss=loss, risk=risk, kind=row["kind"], text=text)


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
    return bars_svg([Bar(label=label, value=value) for label, value in rows], title=title, most=most)


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


def methods_text(result: Build, notes: Sequence[str] = ()) -> str:
    """Return a paragraph on methods, notes and references, in English like all files of a release."""
    keys = ["k", result.config.algorithm, *(verdict.model for verdict in result.verdicts), "ncp"]
    sources = [_SOURCES[name] for name in dict.fromkeys(keys) if name in _SOURCES]
    paragraphs = (" ".join(methods_sentences(result)), *notes)
    return "\n\n".join(paragraphs) + "\n\n" + "".join(f"- {source}\n" for source in sources)


def methods_sentences(result: Build) -> Iterator[str]:
    """Yield sentences that describe how the records were treated."""
    names = [column.name for column in result.table.quasi_identifiers]
    people = result.published_people
    n = f"{len(result.table):,} records" + (f" of {people:,} people" if people is not None else "")
    counting = result.counting
    least = next((verdict for verdict in result.verdicts if verdict.model == "k"), None)
    yield f"The release contains {n}."
    yield f"We generalised {', '.join(names)} with Sottovoce: {_ALGORITHMS[result.config.algorithm]}."
    yield "Values were kept, or replaced by an interval or a group of values."
    for column in result.table.columns:
        yield from result.config.coding_of(column.name)
    if least is not None:
        whom = "records" if people is None else "people"
        yield (
            "Records with the same values in these columns form a group. Each group has at least "
            f"{least.asked:g} {whom} (k-anonymity; the smallest has {least.reached:g})."
        )
    if counting is not None:
        yield counting.sentence
    bounds = [
        f"{words.format(name=verdict.sensitive, asked=verdict.asked)}, reached: {verdict.reached:.6g}"
        for verdict in result.verdicts
        if (words := _MODELS.get(verdict.model))
    ]
    if bounds:
        yield f"Each group also {'; '.join(bounds)}."
    if len(result.table.sensitive) > 1:
        yield (
            "These bounds also hold among records with the same values in all other sensitive columns."
            if result.config.multi_attribute
            else "These bounds apply to someone who knows none of the sensitive columns."
        )
    yield (
        f"Generalisation lost {result.loss.ncp:.3f} of the information in these columns (normalised "
        "certainty penalty, 0 to 1)."
    )
    for count, words in (
        (result.loss.suppressed, "were left out so that the others could stay detailed"),
        (result.source.dropped, "were left out because a value was missing"),
        (result.changed, "had a sensitive value changed"),
    ):
        if count:
            yield f"{count:,} records {words}."
    yield "The records are in random order. The table is not differentially private."
