"""Written rounds: those of this project, those beside the checkout, and how a bad one is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.check import files, run
from controller.scenario import UnusableError, load
from rules.roads import big_road, columns, derived
from tests.rules.table import Table

ROOT = Path(__file__).parent.parent.parent
WRITTEN = ROOT / "tests" / "scenarios" / "ez_baccarat"
SHARED = ROOT.parent / "shared"
"""Where the checkout lies beside the folder that the founders share."""


def paths(*folders: Path) -> list[Path]:
    """The scenario files of the folders that are there."""
    return list(files([folder for folder in folders if folder.is_dir()]))


@pytest.mark.parametrize(
    "path", paths(WRITTEN, SHARED / "scenarios" / "ez_baccarat"), ids=lambda path: str(path.stem)
)
def test_a_written_round_goes_as_it_is_written(path: Path) -> None:
    assert run(load(path)) == []


def test_there_are_many_and_every_title_is_one_idea_of_its_own() -> None:
    titles = [load(path).title for path in paths(WRITTEN)]
    assert len(titles) >= 80
    assert len(set(titles)) == len(titles)


# Vectors beside the checkout.


def vectors(name: str, *keys: str) -> list[dict[str, Any]]:
    """The cases of a file of vectors; none where the file is not there."""
    path = SHARED / "vectors" / name
    if not path.is_file():
        return []
    found: Any = json.loads(path.read_text(encoding="utf-8"))
    for key in keys:
        found = found[key]
    return list(found)


BETS = {"player": "punto", "banker": "banca", "tie": "empate", "dragon7": "dragon_7", "panda8": "panda_8"}


def test_deals_that_others_agreed_on() -> None:
    for case in vectors("ez_baccarat.json", "cases"):
        table = Table(panda_8=True)
        for seat, bet in enumerate(BETS.values(), start=1):
            table.bet("punto" if bet != "banca" else "banca", 100, seat)
            table.bet(bet, 100, seat)
        table.draw(case["shoe_order"])
        assert table.waits == "close"
        assert len(table.now.laid) == case["cards_used"]
        paid = {payout.bet: payout.net for payout in table.now.payouts}
        assert paid == {BETS[bet]: net for bet, net in case["net_per_100_staked_each"].items()}


def test_roads_that_others_agreed_on() -> None:
    names = ("big_eye_boy", "small_road", "cockroach_pig")
    cases = vectors("baccarat_roads.json", "named") + vectors(
        "baccarat_roads.json", "consensus_3way", "cases"
    )
    for case in cases:
        results = case["input"]
        for k, name in enumerate(names, start=1):
            assert derived(results, k) == case.get(name, derived(results, k))
        streaks = columns(results)
        heights = [len(column.ties) for column in streaks]
        assert heights == case.get("big_road_heights", heights)
        ties = [ties for column in streaks for ties in column.ties]
        assert ties == case.get("ties_on_cells", ties)
        cells = [[cell.row, cell.col, cell.side] for cell in big_road(results)]
        assert cells == case.get("big_road_cells_row_col_side", cells)
        last = case.get("big_road_last3_row_col")
        assert last is None or [cell[:2] for cell in cells[-3:]] == last


# What a scenario may expect, and what is said when it does not hold.

PLAYED = """
title = "a round"
game = "ez_baccarat"
facts = [
  { bet = "punto", seat = 1, stake = 1000 },
  { draw = "9c" }, { draw = "3h" }, { draw = "Kd" }, { draw = "4s" },
  EXPECTED
  { close = true },
]
settlement = [ROW]
"""
PAID = '{ seat = 1, bet = "punto", net = 1000 }'


def differs(tmp_path: Path, expected: str = "", row: str = PAID) -> list[str]:
    """What differs in a round with this line in it and this settlement."""
    path = tmp_path / "round.toml"
    path.write_text(PLAYED.replace("EXPECTED", expected).replace("ROW", row), encoding="utf-8")
    return run(load(path))


@pytest.mark.parametrize(
    "holds",
    [
        'awaits = "close"',
        "choices = []",
        'article = "8.a"',
        'at = "punto", total = 9',
        'at = "banca", total = 7, soft = false, visible = ["3h", "4s"]',
        "refused = false",
        "",
    ],
)
def test_what_holds_is_good(tmp_path: Path, holds: str) -> None:
    assert differs(tmp_path, f"{{ expect = {{ {holds} }} }},") == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('awaits = "draw"', "expected awaits draw, is close"),
        ('at = "punto"', "expected at punto, is nothing"),
        ('choices = ["hit"]', "expected choices ['hit'], is []"),
        ('article = "8.b"', "expected article 8.b, is 8.a"),
        ('irregularity = "extra_card"', "expected irregularity extra_card, is nothing"),
        ('at = "punto", total = 8', "expected total 8, is 9"),
        ('at = "dealer", total = 0', "expected total 0, is nothing"),
        ('at = "punto", soft = true', "expected soft True, is False"),
        ('at = "punto", visible = ["9c"]', "expected visible ['9c'], is ['9c', 'Kd']"),
        ("refused = true", "expected refused True, is False"),
    ],
)
def test_what_does_not_hold_is_said_with_its_place(tmp_path: Path, wrong: str, said: str) -> None:
    assert differs(tmp_path, f"{{ expect = {{ {wrong} }} }},") == [f"facts, table 6: {said}"]


def test_a_refusal_and_an_irregularity_are_said_beside_what_differs(tmp_path: Path) -> None:
    late = '{ bet = "banca", seat = 2, stake = 5 }, { expect = { awaits = "bets" } },'
    assert differs(tmp_path, late) == [
        "facts, table 7: expected awaits bets, is close (refused: bets_closed, art. 7.d)"
    ]
    extra = '{ draw = "5d" }, { expect = { awaits = "close" } }, { rule = "burn", n = 6 },'
    assert differs(tmp_path, extra) == ["facts, table 7: expected awaits close, is ruling (extra_card)"]


def test_a_round_has_just_been_in_what_the_last_fact_ended_or_was(tmp_path: Path) -> None:
    ended = (
        '{ draw = "5d" }, { rule = "burn", n = 6 },'
        '{ expect = { awaits = "close", irregularity = "extra_card", article = "8.a" } },'
    )
    assert differs(tmp_path, ended) == []
    healed = '{ face_up = "5d" }, { expect = { irregularity = "face_up_card", article = "8.a" } },'
    assert differs(tmp_path, healed) == []
    long_ago = '{ face_up = "5d" }, { cut_card = true }, { expect = { irregularity = "face_up_card" } },'
    assert differs(tmp_path, long_ago) == ["facts, table 8: expected irregularity face_up_card, is nothing"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('{ seat = 1, bet = "punto", net = 999 }', ["round 1, seat 1, punto: net should be 999, is 1000"]),
        (
            '{ seat = 1, bet = "punto", net = 1000, result = "push", article = "8.b" }',
            [
                "round 1, seat 1, punto: result should be push, is win",
                "round 1, seat 1, punto: article should be 8.b, is 8.a",
            ],
        ),
        (
            '{ seat = 2, bet = "punto", net = 1000 }',
            [
                "round 1, seat 2, punto: was not settled",
                "round 1, seat 1, punto: settled at 1000, and the scenario does not list it",
            ],
        ),
        (f"{PAID}, {PAID}", ["round 1, seat 1, punto: was not settled"]),
        ('{ round = 2, seat = 1, bet = "punto", net = 1000 }', None),
        ('{ seat = 1, bet = "punto", net = 1000, player = "Ana" }', None),
        ('{ seat = 1, bet = "punto", net = 1000, at = "seat 1.1" }', None),
        ('{ seat = 1, bet = "punto", net = 1000, at = "seat 1" }', []),
        ("", []),
    ],
)
def test_settlements_are_compared_as_a_set(tmp_path: Path, row: str, said: list[str] | None) -> None:
    found = differs(tmp_path, row=row)
    assert found == said if said is not None else found


# Files that cannot be run.


def unusable(tmp_path: Path, text: str) -> str:
    """What is said of a file with this text, without the folder where it lies."""
    path = tmp_path / "round.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnusableError) as said:
        load(path)
    return str(said.value).removeprefix(str(tmp_path) + "/")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{ draw = "10h" }', "'10h' is no card: write rank A23456789TJQK and suit cdhs, like Th, or joker"),
        ('{ draw = "back" }', "'back' is no card"),
        ('{ drew = "9c" }', "{'drew': '9c'} has no word of a fact; there are bet, free_hand, close"),
        ('{ draw = "9c", at = "punto" }', "unknown key 'at'; 'draw' has draw"),
        ('{ bet = "punto", seat = 1, stake = 10.5 }', "'bet': stake: should be int, is float"),
        ('{ bet = "punto", seat = 1, stake = "10" }', "'bet': stake: should be int, is str"),
        ('{ bet = "punto", seat = 1 }', "'bet': the key 'stake' is missing"),
        ('{ seen = "9c" }', "'seen': the key 'at' is missing"),
        ('{ seen = "9c", at = "bancaa" }', "'seen': 'bancaa' does not fit; there are punto, banca"),
        ('{ takeover = "auto" }', "'takeover': 'auto' does not fit; there are manual, device"),
        ("{ gap = 0 }", "'gap': 0 does not fit; it is one at least"),
        ('{ gap = "1" }', "'gap': count: should be int, is str"),
        ("{ shoe_loaded = 0 }", "'shoe_loaded': 0 does not fit; it is one at least"),
        ('{ dealing_error = "oops" }', "'dealing_error': 'oops' does not fit; there are wrong_seat, skipped"),
        ("{ close = false }", "'close' is written close = true"),
        ('{ burned = "9c" }', "'burned': cards: should be array, is str"),
        ('{ burned = ["9c", "1d"] }', "'1d' is no card"),
        ('{ rule = "undo", n = 1 }', "'rule': action: Invalid enum value 'undo'; there are strike, replace"),
        ('{ rule = "strike", n = "1" }', "'rule': n: should be int | null, is str"),
        ('{ rule = "replace", n = 1, with = { draw = "zz" } }', "'zz' is no card"),
        (
            '{ rule = "replace", n = 1, width = { draw = "9c" } }',
            "unknown key 'width'; 'rule' has rule, n, with",
        ),
        ('{ decide = "hit", of = "seat 1" }', "unknown key 'of'; 'decide' has decide, at, amount"),
        ('{ expect = { awaits = "drawn" } }', "'expect': awaits: Invalid enum value 'drawn'; there are draw"),
        ('{ expect = { await = "draw" } }', "'expect': unknown key 'await'"),
        ('{ expect = { total = "9" } }', "'expect': total: should be int | null, is str"),
        ('{ expect = { awaits = "draw" }, n = 3 }', "unknown key 'n'; an expectation has expect"),
    ],
)
def test_a_fact_that_cannot_be_read_is_told_with_file_line_and_key(
    tmp_path: Path, line: str, said: str
) -> None:
    text = f"""
title = "facts = [ {{ in a title"
game = "ez_baccarat"
facts = [
  {{ bet = "punto", seat = 1, stake = 1000 }},   # a comment with a {{
  {{ rule = "insert", n = 1, with = {{ draw = '9c' }} }}, {{ expect = {{ visible = ["9c"] }} }},

  {line},
]
"""
    assert unusable(tmp_path, text).startswith(f"round.toml:8: facts, table 4: {said}")


def test_facts_written_one_by_one_are_found_too(tmp_path: Path) -> None:
    text = """title = "x"
game = "ez_baccarat"
[[facts]]
bet = "punto"
seat = 1
stake = 5
[[facts]]
draw = "zz"
"""
    assert unusable(tmp_path, text).startswith("round.toml:7: facts, table 2: 'zz' is no card")


def test_where_the_line_of_a_fact_is_not_found_none_is_told(tmp_path: Path) -> None:
    text = 'title = "x"\ngame = "ez_baccarat"\n"facts" = [{ draw = "zz" }]\n'
    assert unusable(tmp_path, text).startswith("round.toml: facts, table 1: 'zz' is no card")


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ('titel = "x"', "round.toml:1: unknown key 'titel'"),
        ("", "round.toml: the key 'title' is missing"),
        ('title = "x"\nbank = { net = 1 }', "round.toml:2: unknown key 'bank'"),
        (
            'title = "x"\noptions = { shue = "reads" }',
            "round.toml:2: ez_baccarat has no option 'shue'; it has",
        ),
        ('title = "x"\noptions = { wheel = "lowest" }', "round.toml:2: ez_baccarat has no option 'wheel'"),
        (
            'title = "x"\noptions = { shoe = "read" }',
            "round.toml:2: options.shoe: Invalid enum value 'read'; there are reads, counts, none",
        ),
        ('title = "x"\noptions = { camera = "yes" }', "round.toml:2: options.camera: should be bool, is str"),
        ('title = "x"\noptions = { decks = 0 }', "round.toml:2: options.decks: 0 decks are no shoe"),
        ('title = "x"\noptions = { seats = 99 }', "round.toml:2: options.seats: 99 seats do not fit"),
        (
            'title = "x"\noptions = { limits = { punta = [1, 2] } }',
            "round.toml:2: options.limits: ez_baccarat has no bet 'punta'; it has main, punto",
        ),
        (
            'title = "x"\nsettlement = [{ seat = 1, bet = "punto" }]',
            "settlement[0]: the key 'net' is missing",
        ),
        ('title = "x"\nsettlement = [{ seat = 1, bet = "punto", net = 1.5 }]', "should be int, is float"),
        ('title = "x"\nsettlement = [{ seat = 1, bet = "punto", nett = 1 }]', "unknown key 'nett'"),
        ('title = "x\n', "round.toml: is no TOML"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_with_its_key(tmp_path: Path, head: str, said: str) -> None:
    assert said in unusable(tmp_path, f'{head}\ngame = "ez_baccarat"\nfacts = []\n')


def test_another_game_is_not_played_here(tmp_path: Path) -> None:
    said = unusable(tmp_path, 'title = "x"\ngame = "poker"\nfacts = []\n')
    assert said == "round.toml:2: game 'poker' is not played here; there is ez_baccarat"


def test_what_is_no_text_and_what_is_not_there_is_told(tmp_path: Path) -> None:
    path = tmp_path / "round.toml"
    with pytest.raises(UnusableError, match="cannot be read: No such file or directory"):
        load(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UnusableError, match="is no TOML"):
        load(path)
