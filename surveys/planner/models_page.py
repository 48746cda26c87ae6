"""The page that compares the older models of randomised response on the same made-up people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from mining.studies.model_ladder import MODELS, StudyEstimate, estimate_study
from mining.studies.simulation import true_rows
from mining.studies.study_simulation import draws_of, simulate_study
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from surveys.access.permissions import staff_page
from surveys.errors.core_refusals import sentences
from surveys.planner.forms import percent_field

# They are computed within a request.
MOST_PEOPLE: Final = 20_000
MOST_ATTRIBUTES: Final = 5
START: Final = {
    "n": "5000",
    "questions": "2",
    "share": "30",
    "p": "30",
    "theta": "60",
    "k": "0",
    "turn": "1",
}
_NAMES: Final[dict[str, Promise]] = {
    "warner": gettext_lazy("Warner: the statement or its contrary"),
    "unrelated": gettext_lazy("Unrelated question: a coin for each question"),
    "grouping": gettext_lazy("Grouping, as it was: drawn rows are all yes or all no"),
    "improved": gettext_lazy("Grouping, improved: one coin, drawn answers of their own"),
    "blocks": gettext_lazy("Parts: a coin for each question, and a group that answers directly"),
}
_TOGETHER: Final = ("grouping", "improved")
_WITH_DIRECT: Final = ("grouping", "improved", "blocks")


class ModelsForm(forms.Form):
    """The made-up people, and the chances that all models share."""

    n = forms.IntegerField(label=gettext_lazy("Made-up people"), min_value=10, max_value=MOST_PEOPLE)
    questions = forms.IntegerField(
        label=gettext_lazy("Yes/no questions"), min_value=1, max_value=MOST_ATTRIBUTES
    )
    share = percent_field(gettext_lazy("True share of yes, %"), low="0", high="100", digits=None)
    p = percent_field(
        gettext_lazy("sent as given, % (p)"),
        gettext_lazy("Warner’s model has none."),
        high="100",
        digits=None,
    )
    theta = percent_field(
        gettext_lazy("θ, %"),
        gettext_lazy("“Yes” of drawn answers; with Warner the chance of the statement."),
        digits=None,
    )
    k = percent_field(
        gettext_lazy("Answer directly, % (k)"),
        gettext_lazy("In the models that have such a group."),
        low="0",
        high="99",
        digits=None,
    )
    turn = forms.IntegerField(
        label=gettext_lazy("Which made-up people"),
        help_text=gettext_lazy("The same number makes up the same people."),
        min_value=0,
        max_value=1_000_000,
    )


@dataclass(frozen=True, kw_only=True)
class ModelLine:
    """What one model finds of a true share; `problem` where it finds nothing."""

    name: Promise
    together: bool
    true: float
    estimate: StudyEstimate | None = None
    surely_true: float | None = None
    problem: str = ""


@staff_page
@require_safe
def models(request: HttpRequest) -> HttpResponse:
    """Compare the models; what is compared stands in the address."""
    form = ModelsForm(request.GET if "n" in request.GET else START)
    lines = model_lines(form.cleaned_data) if form.is_valid() else []
    return render(
        request,
        "planner/models.html",
        {"form": form, "lines": lines, "several": form.is_valid() and form.cleaned_data["questions"] > 1},
        status=200 if lines else 422,
    )


def model_lines(given: dict[str, Any]) -> list[ModelLine]:
    """Disguise the same people under each model and estimate from what was sent.

    Models of one coin for all questions estimate the share of those who have all of them; the others that of
    the first question.
    """
    n, questions = given["n"], given["questions"]
    theta, p = (int(given[name] * SCALE / 100) for name in ("theta", "p"))
    rng = np.random.default_rng([given["turn"], n, questions])
    truth = true_rows(n, [float(given["share"]) / 100] * questions, 0.0, rng)
    chosen = rng.random(n) < float(given["k"]) / 100
    lines = []
    for model in MODELS:
        together = model in _TOGETHER
        direct = chosen if model in _WITH_DIRECT else np.zeros(n, dtype=bool)
        coins = rng.integers(SCALE, size=(n, draws_of(model, questions)))
        sent = simulate_study(model, truth, direct, theta=theta, p=p, coins=coins)
        columns = slice(None) if together else slice(1)
        shown = sent[:, columns].all(axis=1)
        line = ModelLine(
            name=_NAMES[model], together=together, true=float(truth[:, columns].all(axis=1).mean())
        )
        try:
            estimate = estimate_study(
                model,
                protected=(int((shown & ~direct).sum()), int((~direct).sum())),
                direct=(int((shown & direct).sum()), int(direct.sum())),
                n_attributes=questions if together else 1,
                theta=theta / SCALE,
                p=None if model == "warner" else p / SCALE,
            )
        except PrivacyError as error:
            lines.append(replace(line, problem=sentences(error)))
            continue
        yes = sent[~direct].sum(axis=1)
        # Its drawn rows are all yes or all no: what is mixed is surely true.
        mixed = float(((yes > 0) & (yes < questions)).mean()) if model == "grouping" and len(yes) else None
        lines.append(replace(line, estimate=estimate, surely_true=mixed))
    return lines
