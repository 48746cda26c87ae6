"""Result of an estimate from a file: a sentence in shares, figures, and files to save."""

from __future__ import annotations

import base64
import csv
import io
import json
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.library import PaperStudy, Quantity
from surveys.elsewhere.methods import Method
from surveys.formats.csv_cells import cell_of
from surveys.formats.figures import number

NAMES: Final[dict[str, Promise]] = {
    "share": gettext_lazy("Share who have it"),
    "unrelated share": gettext_lazy("Share of “yes” to the other question"),
    "honest no": gettext_lazy("Honest “no”"),
    "cheaters": gettext_lazy("Cheaters, who say “no” whatever they are told"),
    "honesty": gettext_lazy("Of those who have it, so many admit it"),
    "share, uncorrected": gettext_lazy("Share, not corrected for careless answers"),
    "attentive": gettext_lazy("People who read the question"),
    "share in sample 1": gettext_lazy("Share in sample 1"),
    "share in sample 2": gettext_lazy("Share in sample 2"),
    "mean": gettext_lazy("Mean of the sensitive quantity"),
    "both samples alike": gettext_lazy("Both samples tell of the same share"),
    "nobody counts fewer with the sensitive item": gettext_lazy(
        "The sensitive item makes nobody count fewer"
    ),
    "nobody counts two more with it": gettext_lazy("The sensitive item makes nobody count two more"),
    "both": gettext_lazy("Both together, by Bonferroni"),
}
COLUMNS: Final = ("quantity", "estimate", "standard_error", "low", "high", "n", "method")


@dataclass(frozen=True, kw_only=True)
class Result:
    """An estimate from a file.

    Parameters
    ----------
    method : Method
    study : PaperStudy
    samples : tuple of str or None
        The values that part two samples.
    left_out : int
        Rows with a missing cell.
    missing : tuple of str
        What stood in those that were not empty.
    """

    method: Method
    study: PaperStudy
    samples: tuple[str, str] | None
    left_out: int
    missing: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Estimated shares of people in words; the requested one first."""
        quantities = [quantity for quantity in self.study.quantities if quantity.name in ("share", "mean")]
        sentences_of = [_sentence(quantity) for quantity in quantities or self.study.quantities]
        if any(quantity.outside for quantity in self.study.quantities):
            sentences_of.append(
                _(
                    "A figure lies outside of what is possible, by chance or since the model does not hold. "
                    "It is shown as it is."
                )
            )
        return tuple(sentences_of)

    def record(self) -> dict[str, Any]:
        """Return raw figures with their method, for programs."""
        is_tested = self.study.quantities[0].hypothesis is not None
        return {
            "model": self.method.key,
            "method": self.study.method,
            "n": self.study.n,
            "rows_left_out": self.left_out,
            **({"read_as_missing": self.missing} if self.missing else {}),
            "samples": self.samples,
            "intervals": f"95 %, {'by the inverted test' if is_tested else 'normal'}, of the population",
            "estimates": [
                {
                    "quantity": quantity.name,
                    "estimate": quantity.value,
                    "standard_error": quantity.standard_error,
                    "low": quantity.interval()[0],
                    "high": quantity.interval()[1],
                }
                for quantity in self.study.quantities
            ],
            "tests": [asdict(test) for test in self.study.tests],
        }

    @property
    def as_json(self) -> str:
        """The record as a file in an address: nothing of it is kept here."""
        return _data_address("application/json", json.dumps(self.record(), indent=1))

    @property
    def as_csv(self) -> str:
        """The figures as a file in an address."""
        file = io.StringIO(newline="")
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        record = self.record()
        for estimate in record["estimates"]:
            values = (*(estimate[name] for name in COLUMNS[:5]), record["n"], record["method"])
            writer.writerow(map(cell_of, values))
        return _data_address("text/csv", file.getvalue())


def _data_address(content_type: str, text: str) -> str:
    return f"data:{content_type};base64,{base64.b64encode(text.encode()).decode()}"


def name_of(name: str) -> str:
    """Return a quantity or a test in the language of the page; an answer of the file as it stands there."""
    return str(NAMES.get(name, name))


def _percent(share: float) -> str:
    return number(100 * share, 1)


def _sentence(quantity: Quantity) -> str:
    low, high = quantity.interval()
    if quantity.name == "mean":
        return _("The sensitive quantity is %(value)s on average [%(low)s, %(high)s].") % {
            "value": number(quantity.value, 2),
            "low": number(low, 2),
            "high": number(high, 2),
        }
    document = {
        "value": _percent(quantity.value),
        "low": _percent(low),
        "high": _percent(high),
        "name": quantity.name,
    }
    if quantity.name == "share":
        return _("Of 100 people %(value)s have it [%(low)s, %(high)s].") % document
    return _("Of 100 people %(value)s are of “%(name)s” [%(low)s, %(high)s].") % document
