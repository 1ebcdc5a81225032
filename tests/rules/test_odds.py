"""The rule book that plays gives the published odds, to every digit that is printed."""

from fractions import Fraction
from math import perm

import pytest

from rules.odds import ez_baccarat, ways_to

TOTALS = {8: 4_998_398_275_503_360, 6: 878_869_206_895_680, 1: 14_658_134_400}

COUNTS = {
    8: {
        "banca": 2_292_252_566_437_888,
        "punto": 2_230_518_282_592_256,
        "empate": 475_627_426_473_216,
        "dragon_7": 112_633_011_329_024,
        "panda_8": 172_660_763_262_976,
    },
    6: {
        "banca": 403_095_751_234_560,
        "punto": 392_220_492_728_832,
        "empate": 83_552_962_932_288,
        "dragon_7": 19_805_383_926_144,
        "panda_8": 30_352_294_536_192,
    },
    1: {
        "banca": 6_737_232_640,
        "punto": 6_548_674_432,
        "empate": 1_372_227_328,
        "dragon_7": 330_417_504,
        "panda_8": 503_949_952,
    },
}

EDGES = {
    8: {
        "banca": "1.01830",
        "punto": "1.23508",
        "empate": "14.35963",
        "dragon_7": "7.61133",
        "panda_8": "10.18763",
    },
    6: {
        "banca": "1.01609",
        "punto": "1.23741",
        "empate": "14.43816",
        "dragon_7": "7.60619",
        "panda_8": "10.20738",
    },
}

STRUCTURE = {
    8: {
        (2, 2): 1_893_735_611_458_560,
        (2, 3): 588_400_143_851_520,
        (3, 2): 928_334_664_929_280,
        (3, 3): 1_587_927_855_264_000,
    },
    6: {
        (2, 2): 333_025_560_274_176,
        (2, 3): 103_480_234_615_296,
        (3, 2): 163_291_542_997_248,
        (3, 3): 279_071_869_008_960,
    },
}


@pytest.mark.parametrize("decks", TOTALS)
def test_every_count_of_the_published_table(decks: int) -> None:
    figures = ez_baccarat(decks)
    assert perm(52 * decks, 6) == TOTALS[decks]
    assert {name: figures[name] * TOTALS[decks] for name in COUNTS[decks]} == COUNTS[decks]
    assert figures["punto"] + figures["banca"] + figures["empate"] == 1


@pytest.mark.parametrize("decks", EDGES)
def test_every_edge_of_the_published_table(decks: int) -> None:
    figures = ez_baccarat(decks)
    printed = {bet: f"{float(100 * figures[f'edge_{bet}']):.5f}" for bet in EDGES[decks]}
    assert printed == EDGES[decks]


def test_an_ordinary_banca_with_commission_would_lose_as_published() -> None:
    for decks, printed in ((8, "1.05791"), (6, "1.05585")):
        figures = ez_baccarat(decks)
        edge = figures["punto"] - figures["banca"] * Fraction(95, 100)
        assert f"{float(100 * edge):.5f}" == printed


@pytest.mark.parametrize("decks", STRUCTURE)
def test_how_many_cards_a_round_takes(decks: int) -> None:
    found = dict.fromkeys(STRUCTURE[decks], 0)
    for kind, ways in ways_to(decks).items():
        found[kind.punto, kind.banca] += ways
    assert found == STRUCTURE[decks]


def test_how_many_cards_a_round_takes_on_average() -> None:
    for decks, mean in ((8, "4.938819"), (6, "4.938610")):
        cards = sum((kind.punto + kind.banca) * ways for kind, ways in ways_to(decks).items())
        assert f"{cards / TOTALS[decks]:.6f}" == mean


def test_how_often_a_round_has_a_natural() -> None:
    naturals = sum(ways for kind, ways in ways_to(8).items() if "natural" in kind.marks)
    assert f"{naturals / TOTALS[8]:.6f}" == "0.343049"


def test_every_deal_is_counted_once() -> None:
    for decks, total in TOTALS.items():
        assert sum(ways_to(decks).values()) == total
