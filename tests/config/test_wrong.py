"""What may be wrong with a table file, key by key, and what is said of it."""

from pathlib import Path

import pytest

from config.load import ConfigError, read
from config.options import MOST_DECKS, MOST_SEATS

TABLE = (Path(__file__).parent / "right.toml").read_text()
KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
OTHER = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
PIN = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

# What stands there, what stands there instead, and what is said.
WRONG: list[tuple[str, str, str]] = [
    # No TOML.
    (
        "[money]",
        "[money",
        "t.toml: is no TOML: Expected ']' at the end of a table declaration (at line 4, column 7)",
    ),
    ("[shoe]", "[money]", "t.toml: is no TOML: Cannot declare ('money',) twice"),
    ("[operators.1001]", f'[operators.1001]\nname = "x"\npin = "{PIN}"\n[operators.1001]', "Cannot declare"),
    ('"T-1"', '"T-1', "is no TOML: "),
    ('table = "T-1"', f"table = {'[' * 9000}", "nested too deeply"),
    # Sections and keys.
    ('table = "T-1"', "", "t.toml: the key 'table' is missing"),
    ("[money]", "[monet]", "t.toml:4: unknown key 'monet'"),
    ("[limits]", "[limit]", "t.toml:8: unknown key 'limit'"),
    ('currency = "PEN"', "", "t.toml:4: money: the key 'currency' is missing"),
    ("driver =", "drivr =", "t.toml:21: shoe: unknown key 'drivr'"),
    ("port   =", "baud = 9600\nbauds = 1\nport =", "t.toml:23: shoe: unknown key 'bauds'"),
    ("driver =", "baud = 0\ndriver =", "t.toml:21: shoe.baud: should be int >= 1"),
    ("source =", "fps = 0\nsource =", "t.toml:25: camera.fps: should be float > 0.0"),
    ("source =", "source = 0\n#", "t.toml:25: camera.source: should be str, is int"),
    ("[camera]", "[camera.x]\n[camera]", "t.toml"),
    ('"T-1"', "7", "t.toml:1: table: should be str, is int"),
    ('"T-1"', '""', "t.toml:1: table: should be str of length >= 1"),
    ('"T-1"', '"' + "x" * 33 + '"', "t.toml:1: table: should be str of length <= 32"),
    # The name goes into names of files.
    ('"T-1"', '"T/1"', "t.toml:1: table: 'T/1' names files; write it in letters"),
    ('"T-1"', '"../T"', "names files"),
    ('"T-1"', '"T*"', "names files"),
    ('"T-1"', '"T 1"', "names files"),
    ('"T-1"', '"-T"', "names files"),
    # The game and its options.
    ('"ez_baccarat"', '"poker"', "t.toml:2: game 'poker' is not played here; there is ez_baccarat"),
    (
        "seats = 7",
        "seats = 70",
        f"t.toml:15: options.seats: 70 seats do not fit a table; 1 to {MOST_SEATS} do",
    ),
    ("seats = 7", "seats = 0", "options.seats: 0 seats do not fit"),
    ("seats = 7", 'seats = "7"', "t.toml:15: options.seats: should be int, is str"),
    ("seats = 7", "decks = 13", f"t.toml:15: options.decks: 13 decks are no shoe; 1 to {MOST_DECKS} are"),
    (
        "seats = 7",
        "deks = 8",
        "t.toml:15: ez_baccarat has no option 'deks'; it has after_cut, burn, camera, decks",
    ),
    (
        "seats = 7",
        'burn = "two"',
        "options.burn: Invalid enum value 'two'; there are as_reported, first_card",
    ),
    (
        "seats = 7",
        'after_cut = "x"',
        "options.after_cut: Invalid enum value 'x'; there are finish_only, finish_plus_one",
    ),
    ("seats = 7", "joining = 1", "t.toml:15: options.joining: should be bool, is int"),
    ("seats = 7", "limits = {}", "t.toml:15: options.limits: is said by [limits]; take it out of [options]"),
    (
        "seats = 7",
        "camera = true",
        "t.toml:15: options.camera: is said by [camera]; take it out of [options]",
    ),
    ("seats = 7", 'rounding = "up"', "options.rounding: is said by [rounding]; take it out of [options]"),
    ("seats = 7", "rounding_table = {}", "options.rounding_table: is said by [rounding]"),
    (
        "seats = 7",
        'shoe = "none"',
        "t.toml:15: options.shoe: is 'none', and there is a [shoe]; take one of them out",
    ),
    # Money and limits.
    ('"PEN"', '"pen"', "t.toml:5: money.currency: 'pen' is none; write its three letters, like PEN"),
    ('"PEN"', '"PENS"', "money.currency: 'PENS' is none"),
    ("[2500, 10000]", "[]", "t.toml:6: money.chips: list the denominations of the house"),
    (
        "[2500, 10000]",
        "[10000, 2500]",
        "t.toml:6: money.chips: list every denomination once, the smallest first",
    ),
    ("[2500, 10000]", "[2500, 2500]", "money.chips: list every denomination once"),
    ("[2500, 10000]", "[0]", "t.toml:6: money.chips[0]: should be int >= 1"),
    ("[2500, 10000]", "[25.0]", "money.chips[0]: should be int, is float"),
    ("[2500, 100000]", '"all"', "t.toml:11: limits.empate: should be array, is str"),
    ("[2500, 100000]", "[2500]", "t.toml:11: limits.empate: should be array of length 2"),
    ("[2500, 100000]", '[1, "x"]', "t.toml:11: limits.empate[1]: should be int, is str"),
    ("[2500, 100000]", "[9, 5]", "t.toml:11: limits.empate = [9, 5]: the least comes first, then the most"),
    ("[2500, 100000]", "[-1, 5]", "t.toml:11: limits.empate = [-1, 5]: the least comes first"),
    (
        "empate ",
        "empata ",
        "t.toml:11: limits.empata: ez_baccarat has no such bet; it has main, punto, banca",
    ),
    (
        "empate   = [2500, 100000]",
        "",
        "t.toml: limits.empate: art. 14 wants a least and a most for every bet",
    ),
    ("seats = 7", "panda_8 = true", "limits.panda_8: art. 14 wants a least and a most for every bet"),
    ("punto    = [2500, 500000]", "", "limits.punto: art. 14 wants"),
    (
        '"toward_zero"',
        '"down"',
        "t.toml:18: rounding.default: Invalid enum value 'down'; there are toward_zero, nearest",
    ),
    (
        "[shoe]",
        '[rounding.bets]\nbonca = "up"\n[shoe]',
        "t.toml:21: rounding.bets.bonca: ez_baccarat has no such bet",
    ),
    (
        "[shoe]",
        '[rounding.bets]\nbanca = "x"\n[shoe]',
        "t.toml:21: rounding.bets.banca: Invalid enum value 'x'; there are",
    ),
    ("[shoe]", '[rounding.bets]\nmain = "up"\n[shoe]', "rounding.bets.main: ez_baccarat has no such bet"),
    # The bus.
    (
        "tcp://0.0.0.0:5572",
        "ipc:///tmp/feed",
        "t.toml:30: bus.feed: 'ipc:///tmp/feed' is no endpoint for others; write tcp",
    ),
    ("tcp://0.0.0.0:5572", "tcp://0.0.0.0:0", "bus.feed: 'tcp://0.0.0.0:0' is no endpoint"),
    ("tcp://0.0.0.0:5572", "tcp://0.0.0.0", "bus.feed: "),
    ("tcp://0.0.0.0:5572", "ws://0.0.0.0:5572", "bus.feed: "),
    (
        "secret =",
        'since = "tcp://0.0.0.0:5572"\nsecret =',
        "bus.feed: tcp://0.0.0.0:5572 is named twice; every endpoint",
    ),
    (
        'secret = "keys/table.key_secret"',
        "",
        "bus.secret: a tcp endpoint is encrypted; name the file with our CURVE keys",
    ),
    (
        KEY,
        "short",
        "t.toml:34: bus.readers.recorder: is no public CURVE key; it has 40 characters (sabot keys)",
    ),
    (KEY, KEY[:-1] + "|", "bus.readers.recorder: is no public CURVE key"),
    (f'"{KEY}"', "7", "t.toml:34: bus.readers.recorder: should be str, is int"),
    (
        f'recorder = "{KEY}"',
        f'a = "{KEY}"\nb = "{KEY}"',
        "bus.readers.a: that key is listed twice; everybody has a key",
    ),
    (
        "recorder =",
        "chips-1 =",
        "t.toml:34: bus.readers.chips-1: a source has that name; a reader has one of his own",
    ),
    ("recorder =", "dealer =", "bus.readers.dealer: a source has that name"),
    ("port = 8080", "port = 0", "t.toml:37: display.port: should be int >= 1"),
    ("port = 8080", "port = 65536", "t.toml:37: display.port: should be int <= 65535"),
    (
        "port = 8080",
        'language = "fr"',
        "t.toml:37: display.language: Invalid enum value 'fr'; there are es, en, zh",
    ),
    # Sources of others.
    (
        "sources.chips-1",
        "sources.dealer",
        "t.toml:39: sources.dealer: is no name for a source of others; take one like chips-1",
    ),
    ("sources.chips-1", "sources.shoe", "sources.shoe: is no name for a source of others"),
    ("sources.chips-1", "sources.controller", "sources.controller: is no name"),
    ("sources.chips-1", 'sources."chips 1"', "sources.chips 1: is no name"),
    ("sources.chips-1", f"sources.{'c' * 65}", ": is no name for a source of others"),
    ('["bet"]', "[]", "t.toml:40: sources.chips-1.may: list the facts that are taken from it, like bet"),
    (
        '["bet"]',
        '["bets"]',
        "t.toml:40: sources.chips-1.may: 'bets' is no fact of others; there are bet, free_hand",
    ),
    ('["bet"]', '["rule"]', "sources.chips-1.may: 'rule' is no fact of others"),
    ('["bet"]', '["takeover"]', "'takeover' is no fact of others"),
    ('["bet"]', '["table"]', "'table' is no fact of others"),
    ('["bet"]', '["round"]', "'round' is no fact of others"),
    ('["bet"]', '["opened"]', "'opened' is no fact of others"),
    ('["bet"]', '"bet"', "t.toml:40: sources.chips-1.may: should be array, is str"),
    ('["bet"]', '["bet"]\nkey = "x"', "t.toml:41: sources.chips-1.key: is no public CURVE key"),
    ('["bet"]', f'["bet"]\nkey = "{KEY}"', "bus.readers.recorder: that key is listed twice"),
    (
        "feed   =",
        'reports = "tcp://0.0.0.0:5571"\nfeed =',
        "sources.chips-1.key: its public CURVE key is needed",
    ),
    (
        "[operators.1001]",
        f'key = "{OTHER}"\n[sources.b]\nmay = ["bet"]\nkey = "{OTHER}"\n[operators.1001]',
        "another source has that key",
    ),
    # Operators.
    (PIN, "1234", "t.toml:44: operators.1001.pin: is no hash of a PIN; `sabot pin` makes one"),
    (PIN, "$argon2id$v=19$m=19456,t=2,p=1$REPLACE", "operators.1001.pin: is no hash of a PIN"),
    ("pin  =", "pins =", "t.toml:44: operators.1001: unknown key 'pins'"),
    (
        'name = "A. Rojas"',
        'role = "boss"',
        "t.toml:43: operators.1001.role: Invalid enum value 'boss'; there are supervisor, dealer",
    ),
    ('name = "A. Rojas"', "", "t.toml:42: operators.1001: the key 'name' is missing"),
    (
        "[operators.1001]",
        f'[operators.7]\nname = "x"\npin = "{PIN}"\n[operators.1001]',
        "everybody has a PIN of his own",
    ),
]


@pytest.mark.parametrize(("there", "instead", "said"), WRONG)
def test_what_is_wrong_is_said_in_one_line(there: str, instead: str, said: str) -> None:
    assert there in TABLE
    with pytest.raises(ConfigError) as error:
        read(Path("here/t.toml"), TABLE.replace(there, instead, 1).encode())
    assert said in str(error.value)
    assert str(error.value).startswith("here/t.toml:")
    assert "\n" not in str(error.value)
