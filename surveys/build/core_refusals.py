"""What the core refuses, said in the language of the page.

The core speaks English and knows no translations. Where the page speaks English its sentences are shown as
they are; elsewhere the code of a refusal chooses a sentence, and the place beside it says the rest.
"""

from __future__ import annotations

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from surveys.build.problems import shown


def in_words(error: PrivacyError) -> tuple[str, str]:
    """Return message and remedy of a refusal."""
    if (get_language() or "en").startswith("en"):
        return error.message, error.remedy
    message, remedy = _sentences(error.code)
    return message % {"value": shown(error.value)}, remedy % {"scale": SCALE}


def _sentences(code: str) -> tuple[str, str]:
    sentences = {
        "bad_key": (
            _("%(value)s is not a key"),
            _('use at most 64 letters, digits, "_", ".", "+" or "-", the first a letter or digit'),
        ),
        "kind": (_("%(value)s is no kind of question"), _("choose yes_no, single or multi")),
        "too_few_options": (
            _("there are too few options: %(value)s"),
            _("give at least two options, or ask for yes or no"),
        ),
        "too_large": (_("%(value)s is too many"), _("use fewer")),
        "duplicate_key": (_("%(value)s occurs twice"), _("give each its own key")),
        "unrelated_probability": (
            _("%(value)s are not the chances of drawn answers"),
            _("give one for each option, one for a yes/no question, in ten-thousandths from 1 to 9999"),
        ),
        "shares_sum": (_("%(value)s do not add up"), _("make them sum to %(scale)s")),
        "truth_probability": (
            _("%(value)s is no chance that a block is sent as it is"),
            _("choose more than 0 and less than %(scale)s; %(scale)s for an open block"),
        ),
        "refusal": (
            _("%(value)s is no chance of a drawn skip"),
            _("choose more than 0 and less than %(scale)s, or leave it out"),
        ),
        "empty_block": (_("the block has no question"), _("give it a question or drop the block")),
        "asked_if": (
            _("the block cannot wait for this answer: %(value)s"),
            _("let it depend on options of an open question of an earlier block, with one answer"),
        ),
        "group_policy": (_("%(value)s is no group policy"), _("choose protected, choice or assigned")),
        "direct_share": (
            _("%(value)s is no direct share here"),
            _("give it for an assigned group only, in ten-thousandths"),
        ),
        "prevalence": (
            _("%(value)s are not the expected shares"),
            _("state one for each option, one for a yes/no question, in ten-thousandths"),
        ),
    }
    return sentences.get(code, (_("%(value)s cannot be used here"), _("mend it, or leave it out")))
