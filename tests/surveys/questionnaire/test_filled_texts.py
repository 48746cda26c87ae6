from surveys.questionnaire.filled_texts import with_texts
from tests.fixtures.everyday import everyday_definition


def test_complete_definitions_stay_unchanged() -> None:
    document = everyday_definition()
    assert with_texts(document) == document
