"""The command line: exit codes, one clear line, JSON lines and nothing else, and never a traceback."""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller import cli
from controller.codec import encode
from controller.journal import Draft, Journal
from controller.journal_form import JournalError
from controller.notes import JournalOpened
from controller.operators import good
from rules.facts import TableSet

ROOT = Path(__file__).parent.parent.parent
SCENARIO = """
title = "Punto gana"
game  = "ez_baccarat"
facts = [
  { bet = "punto", seat = 1, stake = 2500 },
  { draw = "9c" }, { draw = "Ah" }, { draw = "Kd" }, { draw = "4s" },
  { expect = { awaits = "close" } },
  { close = true },
]
[[settlement]]
seat = 1
bet = "punto"
net = 2500
"""
# The eight of spades to the Punto, in three copies, as the wire of the Angel Eye has it.
EIGHT = bytes.fromhex("05314481B8033446") * 3


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        """Standard output, as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


class Keyboard(io.TextIOWrapper):
    """Standard input, where somebody types."""

    def isatty(self) -> bool:
        """It is one."""
        return True


@pytest.fixture
def sabot(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Runs a command in this process."""

    def run(*arguments: object, stdin: bytes = b"", typed: bool = False) -> Done:
        monkeypatch.setattr(sys, "argv", ["sabot", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", (Keyboard if typed else io.TextIOWrapper)(io.BytesIO(stdin)))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        told = capsys.readouterr()
        return Done(int(ended.value.code or 0), told.out, told.err)

    return run


Sabot = Callable[..., Done]


def complains(done: Done, *parts: str) -> None:
    """It could not be used, and one line says why."""
    assert done.code == 2, done
    assert done.err.startswith("sabot: ")
    assert done.err.count("\n") == 1
    for part in parts:
        assert part in done.err


@pytest.fixture
def journal(folder: Path, desk: Callable[..., Any]) -> Iterator[Path]:
    """The journal of a table that played two rounds, one of them with a ruling."""
    table = desk()
    table.loads()
    table.plays()
    table.bets()
    table.draws("9c", "Ah", "Kd", "4s", "3c")
    table.tap("rule", action="burn", n=table.table.head, by="1001", reason="a sixth finger")
    table.tap("paid")
    table.close()
    yield table.loop.journal
    assert folder.is_dir()


# Commands.


@pytest.mark.parametrize(
    "arguments", [(), ("journal",), ("fly",), ("journal", "fly"), ("--wings",), ("odds",)]
)
def test_a_command_that_is_none_is_said(sabot: Sabot, arguments: tuple[str, ...]) -> None:
    complains(sabot(*arguments), "(sabot --help lists the commands)")


def test_help_lists_the_commands_of_the_contract(sabot: Sabot) -> None:
    done = sabot("--help")
    assert done.code == 0
    for command in (
        "demo",
        "test",
        "run",
        "check",
        "decode",
        "roads",
        "odds",
        "journal",
        "articles",
        "bench",
    ):
        assert f"  {command} " in done.out
    for command in ("verify", "show", "export"):
        assert command in sabot("journal", "--help").out
    assert "--capture" in sabot("run", "--help").out


# check


def test_check_says_of_every_scenario_how_it_went(sabot: Sabot, tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(SCENARIO)
    done = sabot("check", tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"ok    {tmp_path / 'good.toml'}  Punto gana\n"
    (tmp_path / "wrong.toml").write_text(SCENARIO.replace("net = 2500", "net = 5000"))
    done = sabot("check", tmp_path)
    assert done.code == 1
    assert done.out.splitlines()[1:] == [
        f"FAIL  {tmp_path / 'wrong.toml'}  Punto gana",
        "        round 1, seat 1, punto: net should be 5000, is 2500",
    ]


def test_check_runs_the_others_when_one_cannot_be_used(sabot: Sabot, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(SCENARIO.replace("seat = 1, stake", "chair = 1, stake"))
    (tmp_path / "b.toml").write_text(SCENARIO)
    done = sabot("check", tmp_path, "--json")
    assert done.code == 2
    assert [(line["file"], line["ok"]) for line in done.lines] == [
        (str(tmp_path / "a.toml"), False),
        (str(tmp_path / "b.toml"), True),
    ]
    assert "a.toml:5: facts, table 1: unknown key 'chair'" in done.lines[0]["errors"][0]
    assert sorted(done.lines[1]) == ["errors", "file", "ok", "title"]
    plain = sabot("check", tmp_path)
    assert plain.code == 2
    assert plain.err.startswith(f"sabot: {tmp_path / 'a.toml'}:5: ")
    assert "ok  " in plain.out


def test_check_of_nothing_is_not_good(sabot: Sabot, tmp_path: Path) -> None:
    complains(sabot("check", tmp_path), "holds no scenario file")
    complains(sabot("check", tmp_path / "nowhere.toml"), "cannot be read: No such file")
    complains(sabot("check"), "Missing argument")


@pytest.mark.parametrize(
    ("there", "instead", "said"),
    [
        ('title = "Punto gana"', "", "the key 'title' is missing"),
        ('"ez_baccarat"', '"poker"', "game 'poker' is not played here; there is ez_baccarat"),
        ('draw = "9c"', 'draw = "9x"', "a.toml:6: facts, table 2: '9x' is no card: write rank A23456789TJQK"),
        ('draw = "9c"', 'drawn = "9c"', "has no word of a fact; there are bet, free_hand"),
        ("close = true", "close = 1", "'close' is written close = true"),
        ('awaits = "close"', 'awaits = "rain"', "Invalid enum value 'rain'"),
        ('awaits = "close"', 'await = "close"', "unknown key 'await'"),
        ("stake = 2500", 'stake = "2500"', "should be int, is str"),
        ("net = 2500", "net = 2500\nnets = 1", "unknown key 'nets'"),
        ("facts = [", "options = { deks = 3 }\nfacts = [", "ez_baccarat has no option 'deks'; it has"),
        ("facts = [", "options = { decks = 99 }\nfacts = [", "99 decks are no shoe; 1 to 12 are"),
        ("facts = [", "facts = ", "is no TOML"),
        ("{ close = true }", "{ rule = 'fly' }", "there are strike, replace, insert, burn"),
        (
            "{ close = true }",
            "{ rule = 'replace', n = 1, with = { draw = 'x' } }",
            "facts, table 7: 'x' is no card",
        ),
        ("facts = [", f"x = {'[' * 5000}\nfacts = [", "nested too deeply"),
        ('"Punto gana"', '"\ud7ff\x00"', "is no TOML"),
    ],
)
def test_a_scenario_that_cannot_be_used_is_said_with_its_key(
    sabot: Sabot, tmp_path: Path, there: str, instead: str, said: str
) -> None:
    path = tmp_path / "a.toml"
    assert there in SCENARIO
    path.write_text(SCENARIO.replace(there, instead))
    complains(sabot("check", path), str(path), said)


# decode, roads, odds, articles


def test_decode_tells_a_fact_a_line(sabot: Sabot, tmp_path: Path) -> None:
    path = tmp_path / "shift.bin"
    path.write_bytes(EIGHT)
    wanted = {"fact": "draw", "card": "8s", "hint": "punto", "ordinal": 1, "mode": "game"}
    for done in (
        sabot("decode", "angel-eye-2ex", path, "--json"),
        sabot("decode", "angel-eye-2ex", "-", stdin=EIGHT),
    ):
        assert (done.code, done.err) == (0, "")
        assert done.lines == [wanted]
    complains(sabot("decode", "angel-eye-2ex", tmp_path / "nowhere"), "nowhere: cannot be read: No such file")
    complains(sabot("decode", "angle-eye", path), "'angle-eye' is no driver; known: angel-eye-2ex")
    complains(sabot("decode", "angel-eye-2ex", tmp_path), "Is a directory")


def test_roads_draws_a_line_for_a_line(sabot: Sabot) -> None:
    done = sabot("roads", "--json", stdin=b"BBPT\n\nbp\n")
    assert (done.code, done.err) == (0, "")
    assert len(done.lines) == 3
    assert sorted(done.lines[0]) == ["bead", "big_eye_boy", "big_road", "cockroach_pig", "small_road"]
    assert done.lines[0]["big_road"][0] == [0, 0, "B", 0]
    complains(sabot("roads", stdin=b"BBP\nBX\n"), "line 2: a result is B, P or T; this has 'BX'")
    complains(sabot("roads", stdin=b"\xff\xfe\n"), "line 1: a result is B, P or T")
    complains(sabot("roads", "--tail", "sideways"), "--tail sideways: there are keep_right and probe")


def test_odds_are_exact(sabot: Sabot, monkeypatch: pytest.MonkeyPatch) -> None:
    # The figures themselves take seconds, and are tested with the rules.
    figures = {"punto": Fraction(2, 5), "edge_banca": Fraction(-1, 4)}
    monkeypatch.setattr(
        "rules.odds.GAMES", {"ez_baccarat": lambda decks: figures | {"decks": Fraction(decks)}}
    )
    done = sabot("odds", "ez_baccarat", "--decks", "6", "--json")
    assert done.code == 0
    (line,) = done.lines
    assert (line["game"], line["decks"]) == ("ez_baccarat", 6)
    assert line["figures"] == {
        "punto": {"exact": "2/5", "value": 0.4},
        "edge_banca": {"exact": "-1/4", "value": -0.25},
        "decks": {"exact": "6", "value": 6.0},
    }
    assert "punto           0.400000000  = 2/5" in sabot("odds", "ez_baccarat").out
    complains(sabot("odds", "poker"), "game 'poker'")
    complains(sabot("odds", "ez_baccarat", "--decks", "0"), "--decks 0: a shoe has 1 to 12 decks")
    complains(sabot("odds", "ez_baccarat", "--decks", "many"), "'--decks'")


def test_articles_are_told_with_their_code_and_tests(sabot: Sabot) -> None:
    done = sabot("articles", "--json")
    assert done.code == 0
    row = next(line for line in done.lines if line["article"] == "11.c")
    assert row["status"] == "done"
    assert any(place.startswith("rules/ez_baccarat.py:") for place in row["code"])
    plain = sabot("articles")
    assert "ez_baccarat  11.c" in plain.out


# journal


def test_a_whole_journal_is_whole(sabot: Sabot, journal: Path) -> None:
    done = sabot("journal", "verify", journal)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{journal}: whole, to entry ")


def test_a_journal_that_was_changed_is_not_and_whatever_is_told_of_it_says_so(
    sabot: Sabot, journal: Path
) -> None:
    with Journal(journal) as one:
        one._db.execute("DROP TRIGGER never_changed")
        one._db.execute("UPDATE journal SET body=replace(body,'2500','7500') WHERE seq=9")
    done = sabot("journal", "verify", journal)
    assert (done.code, done.err) == (1, "")
    assert f"{journal}: NOT whole: after entry 8: entry 9 is not what was written" in done.out
    for command in ("show", "export"):
        done = sabot("journal", command, journal)
        assert done.code == 1
        assert f"sabot: {journal}: NOT whole: after entry 8" in done.err
        assert done.out


def test_a_journal_is_shown_round_by_round_with_every_article(sabot: Sabot, journal: Path) -> None:
    done = sabot("journal", "show", journal)
    assert done.code == 0
    first, second = done.out.strip().split("\n\n")
    assert first.splitlines()[0].startswith("Round 1  19")
    assert "banca, dragon_7" in first.splitlines()[0]
    assert "  punto   2c 3d 6h" in first
    assert "seat 1        banca         2500 push        +0  art. 8.b" in first
    assert "  burned  3c" in second
    assert "extra_card, art. 12" in second
    assert "ruled burn 23 by 1001" in second
    assert "lose     -2500  art. 8.b" in second


def test_a_journal_is_exported_entry_by_entry(sabot: Sabot, journal: Path) -> None:
    done = sabot("journal", "export", journal)
    assert done.code == 0
    assert [line["seq"] for line in done.lines] == list(range(1, len(done.lines) + 1))
    assert done.lines[8]["fact"] == {"seat": 1, "bet": "banca", "stake": 2500, "player": "main"}
    assert set(done.lines[8]) == {"seq", "at", "mono", "source", "boot", "n", "cursor", "word", "fact"}


@pytest.mark.parametrize("command", ["verify", "show", "export"])
def test_what_is_no_journal_is_said(sabot: Sabot, tmp_path: Path, command: str) -> None:
    complains(sabot("journal", command, tmp_path / "nowhere"), "nowhere: there is no such file")
    (tmp_path / "text").write_text("rubbish " * 900)
    complains(sabot("journal", command, tmp_path / "text"), "is no journal of Sabot")
    (tmp_path / "empty").touch()
    complains(sabot("journal", command, tmp_path / "empty"), "holds no entry")
    complains(sabot("journal", command), "Missing argument")


@pytest.mark.parametrize("law", [TableSet("tute", "of 1926", {}), TableSet("ez_baccarat", "x", {"wings": 2})])
def test_a_journal_of_a_game_that_this_sabot_does_not_play_is_said(
    sabot: Sabot, tmp_path: Path, law: TableSet
) -> None:
    path = tmp_path / "a.journal"
    with Journal(path) as one:
        one.append([Draft(JournalOpened("T-1", "0.1.0"), "controller"), Draft(law, "controller")])
        one.commit()
    complains(sabot("journal", "show", path), f"{path}: entry 2 cannot be judged by this Sabot")
    assert sabot("journal", "verify", path).code == 0
    assert sabot("journal", "export", path).code == 0


def test_verify_finds_what_was_cut_off_before_the_next_journal(
    sabot: Sabot, desk: Callable[..., Any]
) -> None:
    table = desk()
    table.loads()
    first = table.loop.journal
    table.time.next_day()
    table.loads()
    table.close()
    assert sabot("journal", "verify", first).code == 0
    with Journal(first) as one:
        one._db.execute("DROP TRIGGER never_dropped")
        one._db.execute("DELETE FROM journal WHERE seq=?", (one.head,))
        one._db.execute("""CREATE TRIGGER never_dropped BEFORE DELETE ON journal
  BEGIN SELECT RAISE(ABORT, 'entries are never dropped'); END""")
    done = sabot("journal", "verify", first)
    assert done.code == 1
    assert "NOT whole" in done.out


# run, pin, keys


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"seats": "70"}, "options.seats: 70 seats do not fit a table"),
        ({"driver": "3"}, "table.toml:15: shoe.driver: should be str, is int"),
    ],
)
def test_a_table_file_that_cannot_be_run_is_said_before_anything_starts(
    sabot: Sabot, tmp_path: Path, a_table_file: Callable[..., Path], more: dict[str, str], said: str
) -> None:
    complains(sabot("run", a_table_file(tmp_path, **more)), said)
    complains(sabot("run", tmp_path / "nowhere.toml"), "nowhere.toml: cannot be read")
    complains(sabot("run"), "Missing argument")
    assert not (tmp_path / "run").exists()


def test_a_pin_is_read_and_its_hash_is_told(sabot: Sabot) -> None:
    done = sabot("pin", stdin=b"0413\n")
    assert (done.code, done.err) == (0, "")
    assert good(done.out.strip(), "0413")
    complains(sabot("pin", stdin=b"041\n"), "a PIN is four to six digits")
    complains(sabot("pin", stdin=b""), "a PIN is four to six digits")


def test_a_pin_that_is_typed_is_asked_for_twice(sabot: Sabot, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["0413", "0413", "0413", "0414"])
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(typed))
    assert sabot("pin", typed=True).code == 0
    complains(sabot("pin", typed=True), "the two are not the same")


def test_keys_are_made_where_nobody_else_reads_them(sabot: Sabot, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    complains(sabot("keys", tmp_path / "file" / "keys", "table"), "Not a directory")
    for name in ("", "a/b", "..", "."):
        complains(sabot("keys", tmp_path, name), "write it in letters, digits")


# As a program.


def program(arguments: str, **more: Any) -> "subprocess.CompletedProcess[str]":
    """A command line, in a shell."""
    command = f"{sys.executable} -P -m controller {arguments}"
    return subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, **more)


@pytest.mark.parametrize(
    "arguments", ["articles | true; exit ${PIPESTATUS[0]}", "articles | head -1; exit ${PIPESTATUS[0]}"]
)
def test_a_reader_who_has_enough_is_no_error(arguments: str) -> None:
    done = program(arguments)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_output_that_takes_nothing_is_said() -> None:
    done = program("articles >/dev/full")
    assert (done.returncode, done.stderr) == (2, "sabot: standard output: No space left on device\n")
    done = program("articles >&-")
    assert (done.returncode, done.stderr) == (2, "sabot: standard output is closed\n")


# Whatever is asked, and of whatever.

COMMANDS = ["check", "decode", "roads", "odds", "journal", "verify", "show", "export", "articles", "keys"]
words = st.one_of(
    st.sampled_from(
        [*COMMANDS, "--json", "--decks", "--tail", "--help", "1", "-1", "ez_baccarat", "-", "--", ""]
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0/"), max_size=8),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.tuples(st.sampled_from(COMMANDS), st.lists(words, max_size=4), st.binary(max_size=20)))
def test_any_arguments_end_with_a_code_and_a_word(
    sabot: Sabot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, list[str], bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    first, more, stdin = asked
    if first == "odds":
        # They take seconds.
        more = [word for word in more if word != "ez_baccarat"]
    done = sabot(first, *more, stdin=stdin)
    assert done.code in (0, 1, 2)
    if done.code == 2:
        assert all(line.startswith("sabot: ") for line in done.err.splitlines())
        assert done.err


def changed(raw: bytes) -> st.SearchStrategy[bytes]:
    """A file in which something is other than it was."""
    places = st.lists(st.tuples(st.integers(0, len(raw) - 1), st.binary(max_size=3)), min_size=1, max_size=4)

    def change(edits: list[tuple[int, bytes]]) -> bytes:
        made = bytearray(raw)
        for at, piece in edits:
            made[at : at + len(piece)] = piece
        return bytes(made)

    return places.map(change)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changed(SCENARIO.encode()))
def test_any_scenario_runs_or_is_refused(sabot: Sabot, tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(raw)
    done = sabot("check", path, "--json")
    assert done.code in (0, 1, 2)
    assert [line["file"] for line in done.lines] == [str(path)]
    assert done.lines[0]["ok"] == (done.code == 0)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_journal_is_read_or_refused(sabot: Sabot, journal: Path, data: st.DataObject) -> None:
    raw = journal.read_bytes()
    path = journal.with_name("changed.journal")
    for leftover in path.parent.glob("changed.journal-*"):
        leftover.unlink()
    path.write_bytes(data.draw(changed(raw)))
    for command in ("verify", "show", "export"):
        done = sabot("journal", command, path)
        assert done.code in (0, 1, 2)
        assert done.code or done.out


def test_an_error_of_ours_is_not_hidden(sabot: Sabot, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("controller.ledger.games", broken)
    with pytest.raises(ZeroDivisionError):
        sabot("articles")


def test_the_errors_of_every_part_are_one_line(sabot: Sabot, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise JournalError("first\nsecond")

    monkeypatch.setattr("controller.ledger.games", broken)
    complains(sabot("articles"), "first second")


def test_the_words_of_an_export_are_those_of_the_codec(sabot: Sabot, journal: Path) -> None:
    (opened, *_) = sabot("journal", "export", journal).lines
    assert opened["word"] == encode(JournalOpened("T-1", "0.1.0"))[0]
