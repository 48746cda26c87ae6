"""Words around a survey's own texts on the builder's phone."""

from django.utils.translation import gettext, override

from surveys.authoring.phone_words import phone_words


def test_the_phones_words_follow_the_respondents_page_in_every_language() -> None:
    """A language that Django does not know, or no language at all, has the words of the first."""
    words = phone_words(["zh-hans", "nl", "ar", "tlh", "../en"])
    assert (words["zh-hans"]["yes"], words["zh-hans"]["disguised"]) == ("是", "受保护")
    assert words["nl"] == {"yes": "Ja", "no": "Nee"}
    with override("ar"):
        assert words["ar"]["hint_open"] == gettext("You can leave this empty.")
    assert words["ar"]["hint_open"] != words[""]["hint_open"]
    assert words[""]["hint_open"] == "You can leave this empty."
    assert words["ar"]["yes"] == "نعم"
    assert words["tlh"] == words["../en"] == {}
    assert words[""]["yes"] == "Yes"
