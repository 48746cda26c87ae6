"""Levels are read from ranges, in the words of several languages, and from cut-offs."""

import pytest

from surveys.imports.scores.score_levels import ends_in, levels_in


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("low: 0-4, high: 5-9", [(None, "low"), (5, "high")]),
        ("0-4, 5-9", [(None, "0–4"), (5, "5–9")]),
        ("at least 7", [(None, ""), (7, "")]),
        ("0-4 low, 6-9 high", []),
        ("3 or more of 7 or more", [(None, ""), (3, "")]),
        ("nothing", []),
    ],
)
def test_levels_follow_each_other_or_there_is_no_rule(
    text: str, levels: list[tuple[int | None, str]]
) -> None:
    assert levels_in(text) == levels


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("0-4 low, 5-9 middle, 10 or more high", [(None, "low"), (5, "middle"), (10, "high")]),
        (
            "0 bis 3 Punkte: gut – 4 bis 8 Punkte: mittel – ab 9 Punkten: schlecht",
            [(None, "gut"), (4, "mittel"), (9, "schlecht")],
        ),
        (
            "de 0 à 4, rien ; de 5 à 9, un entretien ;\n10 et plus, un médecin",
            [(None, "rien"), (5, "un entretien"), (10, "un médecin")],
        ),
        ("0–3 – норма; 4 балла и более – врач", [(None, "норма"), (4, "врач")]),
    ],
)
def test_the_last_range_may_be_open(text: str, levels: list[tuple[int | None, str]]) -> None:
    assert levels_in(text) == levels


def test_ranges_in_words_are_levels() -> None:
    text = "Interpretación: entre 0 y 4, carga baja; entre 5 y 8, carga media; entre 9 y 12, carga alta"
    assert levels_in(text) == [(None, "carga baja"), (5, "carga media"), (9, "carga alta")]
    assert levels_in("0-4 means low; 5-9 means high") == [(None, "low"), (5, "high")]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("Range 0-21. 0-4 minimal, 5-9 mild, 10-21 severe. 10 or above: refer", [5, 10]),
        ("Possible range 20-80.\nUp to 37: low\n38-54: medium\n55 and more: high", [38, 55]),
        ("5 to 9 is fine, 10 to 14 needs care, 15 and up needs help", [10, 15]),
        ("menos de 6 bajo, 6 a 10 mixto y de 11 para arriba alto", [6, 11]),
        ("Cut-off > 4", [5]),
        ("Total inférieur à 120 : léger. De 120 à 239 : modéré. 240 et plus : sévère", [120, 240]),
        ("до 3 баллов — норма; 4–7 — риск; 8–11 — высокий риск", [4, 8]),
        ("0-4 low, 5-9 middle, 12-20 high", []),
        ("Men: 0-4 low, 5-9 high. Women: 0-3 low, 4-9 high.", []),
    ],
)
def test_limits_in_many_words_make_one_chain_or_no_rule(text: str, starts: list[int]) -> None:
    assert [start for start, _label in levels_in(text)[1:]] == starts


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("Means below 2.5 are low, from 2.5 to below 3.5 moderate, and of 3.5 and above high", [20, 28]),
        ("ниже 2,25 низкая, от 2,25 до 3,49 умеренная, от 3,5 высокая", [18, 28]),
        ("A mean of 3 or more is critical.", [24]),
        ("Mean below 2.5 low; 2.5 to 3.3 middle; from 3.4 high", [20, 28]),
    ],
)
def test_limits_of_a_mean_become_limits_of_the_sum(text: str, starts: list[int]) -> None:
    assert [start for start, _label in levels_in(text, 8)[1:]] == starts
    assert ends_in("1.0-2.4 low, 2.5-5.0 high", 10) == (10, 50)


@pytest.mark.parametrize(
    "rule",
    [
        "总分达到3分需要随访",
        "A total that reaches 3",
        "Un total qui atteint 3 points",
        "Si la suma alcanza los 3 puntos",
    ],
)
def test_a_sum_that_is_reached_is_a_cut_off(rule: str) -> None:
    assert [start for start, _name in levels_in(rule)] == [None, 3]


def test_the_name_of_a_level_does_not_hold_the_words_of_its_limit() -> None:
    assert levels_in("3分以下为正常，3分至6分为依赖，7分及以上为成瘾")[0] == (None, "正常")


def test_cut_offs_with_short_chinese_names_are_levels() -> None:
    assert levels_in("得分达到2分为轻度，达到4分为重度") == [(None, "0–1"), (2, "轻度"), (4, "重度")]


@pytest.mark.parametrize(
    "text",
    [
        "Below three points: fine. From three points: talk to them. From six points: refer.",
        "Fewer than 3: fine. 3 or more: worried. 6 or more: in trouble.",
        "Weniger als drei Punkte: gut. Ab drei Punkten: Gespräch. Ab sechs Punkten: Klinik.",
        "Moins de trois points : bien. À partir de trois points : entretien. À partir de six points : suivi.",
        "Menos de tres puntos: bien. Desde tres puntos: hablar. Desde seis puntos: derivar.",
        "Totals lower than 3: low; 3 to 5: medium; equal to or greater than 6: high",
        "Werte unter 3: gering; 3 bis 5: mittel; gleich oder größer 6: hoch",
        "Scores inférieurs à 3 : faible ; de 3 à 5 : moyen ; égaux ou supérieurs à 6 : élevé",
        "Resultado inferior a 3: bajo; de 3 a 5: medio; igual o superior a 6: alto",
        "Totais inferiores a 3: baixa; de 3 a 5: média; iguais ou superiores a 6: elevada",
        "Punteggi inferiori a 3: basso; da 3 a 5: medio; uguali o superiori a 6: alto",
        "总分不到3分：正常；3分到5分：轻度；6分及以上：重度",
    ],
)
def test_the_last_levels_may_be_open(text: str) -> None:
    assert [start for start, _name in levels_in(text)] == [None, 3, 6]


def test_two_open_levels_without_names_are_not_guessed() -> None:
    assert levels_in("Below 3: fine. 3 or more. 6 or more.") == []


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("Up to 2: fine. 3 to 5: look. Above: seek help.", [None, 3, 6]),
        ("Bis 2 Punkte: gut. 3 bis 5: aufpassen. Darüber: Beratung.", [None, 3, 6]),
        ("0-1 low, 2-3 fair, 4 trusting.", [None, 2, 4]),
        ("A total of 10 or less needs help", [None, 11]),
        ("Si es mayor o igual a 5, avisar", [None, 5]),
        ("Si el total es mayor que 0, pedir ayuda", [None, 1]),
        ("fino a 2 bene; da 3 in su male", [None, 3]),
        ("points from 3 to 0 for 2; total 0-3 low, 4-6 high", [None, 4]),
    ],
)
def test_levels_beyond_the_last_limit_have_a_start(text: str, starts: list[int | None]) -> None:
    assert [start for start, _name in levels_in(text)] == starts


@pytest.mark.parametrize(
    "text",
    [
        "Up to 5: low; up to 11: middle; over 11: high.",
        "Bis 5: low; bis 11: middle; über 11: high.",
        "Jusqu'à 5 : low ; jusqu'à 11 : middle ; plus de 11 : high.",
        "below 6: low; below 12: middle; 12 or more: high",
    ],
)
def test_levels_may_state_only_their_ends(text: str) -> None:
    assert levels_in(text) == [(None, "low"), (6, "middle"), (12, "high")]
