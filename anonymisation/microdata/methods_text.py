"""Describe how a release was made, for a paper: a paragraph on methods with references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from anonymisation.microdata.build import Build
from privacy.filled_text import fill_fields
from privacy.sdc.unit import size_text

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
    counting = result.counting
    least = next((verdict for verdict in result.verdicts if verdict.model == "k"), None)
    yield f"The release contains {size_text(len(result.table), people)}."
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
    for count, sentence in (
        (result.loss.suppressed, "%(n)s records were left out so that the others could stay detailed."),
        (result.source.dropped, "%(n)s records were left out because a value was missing."),
        (result.changed, "%(n)s records had a sensitive value changed."),
    ):
        if count:
            yield fill_fields(sentence, {"n": count}, counts=None)
    yield "The records are in random order. The table is not differentially private."
