"""Tables of answers and of levels are read as lists."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, points_of
from surveys.imports.layouts.table_lists import write_lists
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("sign", ["\t", ";", "|"])
@pytest.mark.parametrize(
    "rows",
    [
        [["clave", "respuesta"], ["0", "nada"], ["1", "poco"], ["2", "mucho"]],
        [["", "0", "nada"], ["", "1", "poco"], ["", "2", "mucho"]],
        [["respuestas", "0", "nada"], ["respuestas", "1", "poco"], ["respuestas", "2", "mucho"]],
        [["respuestas", "2", "mucho"], ["", "1", "poco"], ["", "0", "nada"]],
    ],
)
def test_items_in_a_table_have_the_answers_of_another(sign: str, rows: list[list[str]]) -> None:
    items = [["n.º", "frase", "valor"]]
    items += [
        [str(n), f"Yo {verb} siempre", how]
        for n, verb, how in ((1, "voto", "directo"), (2, "dudo", "inverso"))
    ]
    items.append(["3", "Yo leo siempre", "directo"])
    tables = "\n\n".join("\n".join(sign.join(row) for row in table) for table in (items, rows))
    survey = read_paste(f"Voto\n\n{tables}\n\nTotal 0-3 bajo, 4-6 alto.")
    points = [dict(zip(labels_of(each), points_of(each), strict=True)) for each in survey.questions]
    up, down = {"nada": 0, "poco": 1, "mucho": 2}, {"nada": 2, "poco": 1, "mucho": 0}
    assert points == [up, down, up]


@pytest.mark.parametrize(
    "rows",
    [
        ["livello\tmin\tmax", "calmo\t0\t3", "teso\t4\t6"],
        ["from|to|result", "4|6|teso", "0|3|calmo"],
        ["calmo;0;3", "teso;4;6"],
    ],
)
def test_levels_have_both_ends_in_columns(rows: list[str]) -> None:
    items = "\n".join(
        f"{n}. Io {verb} spesso   0   1   2" for n, verb in enumerate(("urlo", "piango", "rido"), 1)
    )
    survey = read_paste(
        "Casa\n\n0 = mai, 1 = a volte, 2 = spesso\n\n" + items + "\n\nSomma dei punti\n" + "\n".join(rows)
    )
    assert [score.levels for score in survey.scores] == [[(None, "calmo"), (4, "teso")]]


@pytest.mark.parametrize(
    "rows",
    [
        ["Name;Age;Town", "Ann;30;40", "Bob;10;50"],
        ["1\tI vote.", "2\tI pay.", "3\tI lie."],
        ["0\tnever", "1\toften"],
    ],
)
def test_other_tables_stay(rows: list[str]) -> None:
    assert write_lists(rows) == rows
