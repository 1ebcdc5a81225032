"""Every telegram that field knowledge gives, byte by byte, through all of the driver.

TOML has no null: in the vectors an empty text and a zero stand for what the shoe does not say.
"""

import tomllib
from pathlib import Path

import pytest

from drivers.angel_eye import AngelEye
from drivers.angel_eye.wire import Telegram, decode, encode
from drivers.decode import line, lines

VECTORS = tomllib.loads(Path(__file__).with_name("vectors.toml").read_text(encoding="utf-8"))["telegram"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["says"])
def test_a_telegram_says_what_field_knowledge_says(vector: dict[str, object]) -> None:
    data = bytes.fromhex(str(vector["bytes"]))
    told = [
        {
            key: value or "" if key == "hint" else value or 0 if key == "ordinal" else value
            for key, value in one.items()
        }
        | ({"winner": one["winner"] or ""} if "winner" in one else {})
        for one in lines("angel-eye-2ex", data)
    ]
    assert told == vector["lines"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["says"])
def test_a_telegram_is_made_of_the_same_bytes(vector: dict[str, object]) -> None:
    data = bytes.fromhex(str(vector["bytes"]))
    used, telegram = decode(data)
    assert used == len(data)
    assert isinstance(telegram, Telegram)
    assert encode(telegram) == data


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["says"])
def test_a_telegram_cut_at_every_byte_is_the_same_telegram(vector: dict[str, object]) -> None:
    data = bytes.fromhex(str(vector["bytes"]))
    whole = [line(fact) for fact, _ in AngelEye().feed(data)]
    for at in range(1, len(data)):
        shoe = AngelEye()
        assert shoe.feed(data[:at]) == []
        assert [line(fact) for fact, _ in shoe.feed(data[at:])] == whole
    shoe = AngelEye()
    assert [line(fact) for byte in data for fact, _ in shoe.feed(bytes([byte]))] == whole
