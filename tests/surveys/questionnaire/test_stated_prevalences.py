"""Prevalences are those that a protected question states; others have none."""

from surveys.questionnaire.stated_prevalences import definition_prevalences, wording_prevalences

BLOCKS = [
    {
        "protected": True,
        "questions": [
            {"key": "hit", "prevalence": [1_000]},
            {"key": "lied", "prevalence": []},
            {"key": "stole"},
        ],
    },
    {"protected": False, "questions": [{"key": "age", "prevalence": [5_000, 5_000]}]},
]


def test_a_definition_states_them_for_protected_questions_only() -> None:
    assert definition_prevalences({"blocks": BLOCKS}) == {"hit": [1_000]}


def test_a_question_without_a_statement_has_none() -> None:
    wording = {"blocks": [{"questions": block["questions"]} for block in BLOCKS]}
    assert wording_prevalences(wording) == {"hit": [1_000], "age": [5_000, 5_000]}
