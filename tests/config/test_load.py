"""A table file is right, or one line says its line, its key, and what may stand there."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.load import ConfigError, Table, load, read
from rules.known import GAMES

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = sorted((ROOT / "config").glob("*.toml"))
TABLE = (Path(__file__).parent / "right.toml").read_text()


def made(text: str = TABLE) -> Table:
    """The table of that text."""
    return read(Path("here/t.toml"), text.encode())


# What is right.


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_can_be_used_as_they_are(path: Path) -> None:
    table = load(path)
    assert table.path == path
    assert table.law.game.name == table.file.game == path.stem
    for folder in (table.file.journal, table.file.bus.folder):
        assert (ROOT / "var") in table.at(folder).resolve().parents


def test_there_is_an_example_for_every_game() -> None:
    assert [path.stem for path in EXAMPLES] == sorted(GAMES)


def test_the_table_of_these_tests_is_right() -> None:
    table = made()
    assert table.file.table == "T-1"
    assert table.fingerprint == hashlib.sha256(TABLE.encode()).hexdigest()


def test_paths_are_taken_from_the_folder_of_the_file() -> None:
    table = made()
    assert table.at("keys/x") == Path("here/keys/x")
    assert table.at("/absolute/x") == Path("/absolute/x")


def test_every_option_is_in_what_the_journal_gets_also_what_nobody_wrote() -> None:
    options = made().options
    assert options == {
        "decks": 8,
        "shoe": "reads",
        "camera": True,
        "seats": 7,
        "limits": {
            "punto": (2500, 500000),
            "banca": (2500, 500000),
            "empate": (2500, 100000),
            "dragon_7": (2500, 50000),
        },
        "joining": False,
        "rounding": "toward_zero",
        "rounding_table": {},
        "burn": "first_card",
        "panda_8": False,
        "side_bet_requires": "any_main",
        "after_cut": "finish_only",
    }


def test_a_change_of_one_letter_is_another_fingerprint() -> None:
    assert made().fingerprint != made(TABLE.replace("A. Rojas", "A. Rojaz")).fingerprint


def test_a_file_of_a_windows_editor_is_read() -> None:
    assert read(Path("t.toml"), b"\xef\xbb\xbf" + TABLE.replace("\n", "\r\n").encode()).file.table == "T-1"


def test_one_limit_for_the_main_bets_speaks_for_both() -> None:
    text = TABLE.replace("punto    = [2500, 500000]\nbanca    = [2500, 500000]", "main = [2500, 500000]")
    assert made(text).law.options.limits["main"] == (2500, 500000)


def test_a_capture_is_kept_where_whoever_asks_for_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = made().capturing(Path("shift.bin"))
    assert table.file.shoe
    assert table.at(table.file.shoe.capture or "") == tmp_path / "shift.bin"
    assert table.fingerprint == made().fingerprint


# What is wrong with the whole.


def test_a_table_on_which_nobody_sees_the_cards_is_refused() -> None:
    text = TABLE[: TABLE.index("[shoe]")] + TABLE[TABLE.index("[bus]") :]
    with pytest.raises(
        ConfigError, match="shoe: a table without a shoe needs a camera, or nobody sees the cards"
    ):
        made(text)


def test_a_table_without_a_shoe_has_none_and_may_not_say_otherwise() -> None:
    text = TABLE[: TABLE.index("[shoe]")] + TABLE[TABLE.index("[camera]") :]
    assert made(text).law.options.shoe == "none"
    with pytest.raises(
        ConfigError, match=r"options.shoe: is 'counts', and there is no \[shoe\]; add it, or take"
    ):
        made(text.replace("seats = 7", 'shoe = "counts"'))


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere.toml: cannot be read: No such file or directory"):
        load(tmp_path / "nowhere.toml")
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load(tmp_path)
    with pytest.raises(ConfigError, match="is no TOML: 'utf-8' codec can't decode byte 0xff"):
        read(Path("t.toml"), b"\xff\xfe")


# Whatever stands there.

PLACES = [(i, line) for i, line in enumerate(TABLE.splitlines()) if "=" in line]
values = st.recursive(
    st.one_of(
        st.integers(-(10**20), 10**20).map(str),
        st.sampled_from(["true", "1.5", "nan", "2026-11-30", "07:32:00", '""', '"x"', "'[...]'", "{}", "[]"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.tuples(st.sampled_from(["a", "punto", "name"]), inner).map(
            lambda pair: f"{{ {pair[0]} = {pair[1]} }}"
        ),
    ),
    max_leaves=4,
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PLACES), values)
def test_whatever_stands_under_a_key_is_taken_or_refused_in_one_line(
    place: tuple[int, str], value: str
) -> None:
    number, line = place
    lines = TABLE.splitlines()
    lines[number] = f"{line.partition('=')[0]}= {value}"
    _taken_or_refused("\n".join(lines).encode())


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(TABLE)), st.integers(0, 20), st.binary(max_size=8))
def test_whatever_bytes_are_in_a_file_it_is_taken_or_refused_in_one_line(
    at: int, cut: int, piece: bytes
) -> None:
    raw = TABLE.encode()
    _taken_or_refused(raw[:at] + piece + raw[at + cut :])


def _taken_or_refused(raw: bytes) -> None:
    said: list[Any] = []
    try:
        read(Path("t.toml"), raw)
    except ConfigError as error:
        said.append(str(error))
    assert all(one.startswith("t.toml:") and "\n" not in one for one in said)
