"""Cards with invitation codes, in the survey's language."""

import re

from django.utils.translation import override

from surveys.respondent.printed_card import card_texts


def test_cards_are_in_the_language_of_the_survey() -> None:
    with override("ar"):
        texts = card_texts("سؤال", "https://example.org/", takes_turns=True)
    said = " ".join(texts.values()).replace("https://example.org/", "")
    assert re.findall(r"[A-Za-z]{2,}", said) == ["QR"]
